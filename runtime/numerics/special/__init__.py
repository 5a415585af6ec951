"""Special functions on arrays of float32 and float64: SciPy's, with PyTorch's answers at the edges.

Every function takes an array of either dtype and returns one of the same dtype and shape. Floating-point
warnings are the caller's to silence. What is computed here says why in its module. The room knows NumPy, SciPy and
the dtypes, not tensors.
"""
