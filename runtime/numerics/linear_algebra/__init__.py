"""Matrix algorithms that NumPy's LAPACK does not offer, on stacks of matrices: SciPy's LAPACK and BLAS.

Arrays have any number of leading dimensions, which SciPy's routines do not know: each matrix of a stack is one call.
Results lie in memory column by column, as PyTorch's do. The room knows NumPy and SciPy, not tensors.
"""
