"""How values answer that are Python's or the runtime's own: a class of behaviour for each host type.

`host_types.py` is the one table from types to behaviours, and `as_value` the one look-up. What a
program may use of a value is a closed list; what may take too much time or memory is measured first.

May import the values of construction and the lower rooms of the runtime.
"""
