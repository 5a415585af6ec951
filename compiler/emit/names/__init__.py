"""What the names of a source text stand for, as far as reading it tells: bindings, imports, constants.

Data about Python's modules, the decorators of a text and its overloads, names spelled alike. May import
``construction`` and the protocols beside these folders, and ``frontend`` and below.
"""
