"""Special functions on arrays of float32 and float64, vectorised.

Every function takes an array of either dtype and returns one of the same dtype and shape. Floating-point
warnings are the caller's to silence. The room knows NumPy and the dtypes, not tensors.
"""
