"""``x[...]``, read and assigned: parts of tensors, items of containers, slices.

May import ``environment``, ``sugared_values`` and what these may.
"""
