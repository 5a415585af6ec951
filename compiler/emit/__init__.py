"""The IR emitter: trees in, a Graph in Load/Store form out. May import ``frontend`` and below."""
