"""Construction: what Python does when a class is called, done from the source text alone.

A tree-walking evaluator with Python's semantics runs module-level definitions, class bodies and
``__init__`` over a closed set of values. Nothing of the host's Python is reachable from a program.
What comes out is a `ModuleInstance`, whose attributes, parameters, buffers and submodules the
compiler types and compiles.

May import the compiler and the rest of the runtime; the front doors import it.
"""
