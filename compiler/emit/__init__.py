"""The IR emitter: trees in, a Graph in Load/Store form out. May import ``frontend`` and below.

``ir_emitter`` is the way in; ``protocols`` says what the files ask of each other. The rooms, low to high:
``names``, ``calls``, ``sugared_values``, ``subscripts``, ``statements`` beside ``classes``, ``expressions``,
``resolvers``.
"""
