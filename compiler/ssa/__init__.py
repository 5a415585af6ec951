"""From Load/Store form to SSA: variables become values, jumps become block outputs.

May import ``ir`` and below. ``convert_to_ssa`` is the whole journey; each step is a file of its
own.
"""
