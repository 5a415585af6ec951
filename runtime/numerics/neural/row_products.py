"""Sums over rows as products of vectors, which BLAS computes faster than NumPy adds.

They are products of one row each: BLAS shares a product with a whole matrix among its threads, which then keep their
processors busy for a while, waiting for the next one.
"""

from __future__ import annotations

import functools

import numpy as np

from tsc.runtime.arrays.dtypes import DOUBLE, FLOAT

LONGEST = 10_000
"""Longer rows are left to NumPy, whose pairwise sums lose less. Of more, BLAS shares products of vectors, too."""


@functools.lru_cache(maxsize=64)
def _ones(count: int, dtype: np.dtype) -> np.ndarray:
    return np.ones(count, dtype)


def row_sums(rows: np.ndarray) -> np.ndarray:
    """The sum of each row of a matrix."""
    count = rows.shape[1]
    if count <= LONGEST and (rows.dtype is FLOAT or rows.dtype is DOUBLE):
        return np.vecdot(rows, _ones(count, rows.dtype))
    return np.add.reduce(rows, 1)


def row_squares(rows: np.ndarray) -> np.ndarray:
    """The sum of the squares of each row of a real matrix."""
    if rows.shape[1] <= LONGEST and (rows.dtype is FLOAT or rows.dtype is DOUBLE):
        return np.vecdot(rows, rows)
    return np.add.reduce(rows * rows, 1)
