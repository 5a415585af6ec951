"""Matrix products by NumPy, with no more threads than their size is worth."""

from __future__ import annotations

import math

import numpy as np

from tsc.runtime.arrays.blas_threads import run_with_threads_for

_WORK_OF_MANY_THREADS = 1 << 19
"""Multiplications of a product from which OpenBLAS may wake its threads: by its ``interface/gemm.c`` 2**18 on most
processors and 10**6 on some. Twice the lesser, as setting the number costs as much as so small a product.
"""


def matrix_product(a: np.ndarray, b: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
    """The products of (…, rows, inner) and (…, inner, columns), or of vectors, into `out` if given."""
    if b.ndim == 2 and a.ndim > 2 and out is None and a.flags.c_contiguous and a.size:
        # NumPy would take a product for each of the leading places
        return matrix_product(a.reshape(-1, a.shape[-1]), b).reshape(*a.shape[:-1], b.shape[1])
    if a.size * b.shape[-1] < _WORK_OF_MANY_THREADS:
        return np.matmul(a, b, out)
    work = math.prod(a.shape[-2:]) * b.shape[-1]  # of one matrix: a batch is one after the other
    if work < _WORK_OF_MANY_THREADS:
        return np.matmul(a, b, out)
    return run_with_threads_for(work, np.matmul, a, b, out)


def product_of_two(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """The same for two matrices, at a third of the time that NumPy's ``matmul`` takes for small ones."""
    work = a.size * b.shape[1]
    if work < _WORK_OF_MANY_THREADS:
        return a.dot(b)
    return run_with_threads_for(work, a.dot, b)
