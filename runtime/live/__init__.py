"""Live Python: functions, classes and modules that exist in the running interpreter, compiled from the
source that `inspect` finds. PyTorch is never imported; what the user imported of it is looked at.
"""
