"""Matrix algorithms that NumPy's LAPACK does not offer, on stacks of matrices.

Arrays have any number of leading dimensions; all matrices of a stack are worked on together. The room knows NumPy,
not tensors.
"""
