"""Class statements: what of a program's classes becomes a type, and how their methods are made.

May import ``sugared_values`` and what these may; never ``statements`` or ``expressions``.
"""
