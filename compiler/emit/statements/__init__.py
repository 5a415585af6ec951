"""What is emitted for each statement; and for conditions, which statements and expressions share.

Stands below ``expressions``, as a comprehension is a loop: expressions within a statement are reached through
the ``Emitter`` alone. May import ``subscripts`` and what that may.
"""
