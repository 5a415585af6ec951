"""Values that come in from Python: whether all that is in a list is as its type says."""
