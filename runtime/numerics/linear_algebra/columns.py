"""Matrices as LAPACK wants them: column by column, and its routines by dtype."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from tsc.runtime.arrays.storage import with_strides_if_empty
from tsc.runtime.numerics import scipy_modules

_LETTERS = {"f": "s", "d": "d", "F": "c", "D": "z"}
"""What the names of routines begin with, by the character of a dtype."""
WORK_PER_COLUMN = 64
"""Numbers of working space for each column: as many columns as LAPACK takes for a block."""


def lapack(name: str, dtype: np.dtype) -> Callable[..., Any]:
    """LAPACK's routine for matrices of `dtype`: ``getrf`` is ``sgetrf`` in float32."""
    return getattr(scipy_modules.lapack, _LETTERS[dtype.char] + name)


def blas(name: str, dtype: np.dtype) -> Callable[..., Any]:
    """BLAS' routine for matrices of `dtype`."""
    return getattr(scipy_modules.blas, _LETTERS[dtype.char] + name)


def column_copy(a: np.ndarray, batch: tuple[int, ...] | None = None) -> np.ndarray:
    """A copy of (..., m, n) matrices whose columns are contiguous; the leading dimensions are those of `batch`.

    Without elements they have strides as well.
    """
    if a.ndim == 2 and not batch and a.size:
        return np.array(a, order="F")
    leading = a.shape[:-2] if batch is None else batch
    rows = with_strides_if_empty(np.empty((*leading, a.shape[-1], a.shape[-2]), a.dtype))
    result = rows.swapaxes(-1, -2)
    result[...] = a
    return result


def as_stack(a: np.ndarray) -> np.ndarray:
    """(..., m, n) matrices as (count, m, n): a view, if the leading dimensions are contiguous."""
    return a.reshape(math.prod(a.shape[:-2]), *a.shape[-2:])


def broadcast_stack(a: np.ndarray, batch: tuple[int, ...]) -> np.ndarray:
    """(..., m, n) matrices with the leading dimensions of `batch`, as (count, m, n)."""
    if a.ndim == 2 and not batch:
        return a[np.newaxis]
    return as_stack(np.broadcast_to(a, (*batch, *a.shape[-2:])))
