"""Construction: what Python does when a class is called, done from the source text alone.

A tree-walking evaluator with Python's semantics runs module-level definitions, class bodies and
``__init__`` over a closed set of values. Nothing of the host's Python is reachable from a program.
What comes out is a `ModuleInstance`, whose attributes, parameters, buffers and submodules the
compiler types and compiles.

`values` holds the values of a program, which answer for themselves what the evaluator asks; `host`
answers for those that are Python's or the runtime's own. Trees are walked by tables from their classes
to functions (`expressions`, `statements`).

May import the compiler and the rest of the runtime; the front doors import it.
"""
