"""What neural-network operators compute, on arrays: windows, moments of rows, gates and weights.

Arrays here have a dtype to compute with (see `runtime.arrays.half_precision`) and shapes that fit; the
operators check arguments and wrap tensors.
"""
