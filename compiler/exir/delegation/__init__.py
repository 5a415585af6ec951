"""Parts of a program that another runtime computes: which nodes, how they are cut out, and what stands in their place.

Works on graphs alone: what a backend takes and how it computes is told by predicates and by an operator with a kernel.
"""
