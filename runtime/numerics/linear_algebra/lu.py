"""The LU decomposition with partial pivoting (LAPACK's ``getrf``), and what is made of it.

Many small matrices are taken together, see `stacks`.
"""

from __future__ import annotations

import math

import numpy as np

from tsc.runtime.numerics.linear_algebra import stacks
from tsc.runtime.numerics.linear_algebra.columns import (
    as_stack,
    blas,
    broadcast_stack,
    column_copy,
    lapack,
)

PIVOT_DTYPE = np.dtype(np.int32)
_MOST_ROWS_TOGETHER = 10
"""Fewer than where systems are solved: each step writes to what is left of the whole matrix."""


def factor(a: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The packed factors of (..., m, n) matrices, the pivots and the status.

    Pivots are (..., min(m, n)): the row, counted from one, that each row was swapped with. The status is 0, or the
    place of the first pivot that is zero, counted from one. Columns of the factors are contiguous.
    """
    batch = a.shape[:-2]
    if a.size and stacks.is_stack_of_small(batch, *a.shape[-2:], most=_MOST_ROWS_TOGETHER):
        packed, swaps = _factor_together(a)
        diagonal = packed.diagonal(0, -2, -1)
        if not np.isnan(diagonal).any():
            zero = diagonal == 0
            status = np.where(zero.any(-1), zero.argmax(-1) + 1, 0)
            return packed, swaps, status.astype(PIVOT_DTYPE)
    packed = column_copy(a)
    swaps = np.zeros((math.prod(batch), min(a.shape[-2:])), PIVOT_DTYPE)
    status = np.zeros(len(swaps), PIVOT_DTYPE)
    if packed.size:
        decompose = lapack("getrf", a.dtype)
        for place, matrix in enumerate(as_stack(packed)):
            _, swaps[place], status[place] = decompose(matrix, overwrite_a=True)
        if np.isnan(packed.diagonal(0, -2, -1)).any():
            _divide_by_nan(as_stack(packed), swaps)
    swaps += 1
    return packed, swaps.reshape(*batch, swaps.shape[-1]), status.reshape(batch)


def _factor_together(a: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The packed factors and the pivots of a stack of small matrices."""
    batch = a.shape[:-2]
    packed = stacks.stack_last(a, batch)
    swaps = (stacks.eliminate(packed) + 1).T.astype(PIVOT_DTYPE, order="C")
    return stacks.stack_first(packed, batch), swaps.reshape(*batch, swaps.shape[-1])


def _divide_by_nan(packed: np.ndarray, swaps: np.ndarray) -> None:
    """Make NaN what comes after a pivot that is: OpenBLAS leaves out the division by it."""
    for matrix, swap in zip(packed, swaps):
        places = np.flatnonzero(np.isnan(matrix.diagonal()))
        if places.size:
            first = int(places[0])
            matrix[first + 1 :, first:] = np.nan
            swap[first + 1 :] = range(first + 1, len(swap))


def solve(
    packed: np.ndarray, pivots: np.ndarray, b: np.ndarray, *, adjoint: bool = False
) -> np.ndarray:
    """X with A X = B, or with the adjoint of A, from the factors of square matrices.

    Pivots must lie between 1 and the number of rows. Columns of the result are contiguous. The steps of LAPACK's
    ``getrs`` are taken one by one: that of OpenBLAS wakes its threads for the smallest systems.
    """
    batch = np.broadcast_shapes(packed.shape[:-2], b.shape[:-2])
    if stacks.is_stack_of_small(batch, *b.shape[-2:]):
        return _solve_together(packed, pivots, b, batch, adjoint)
    x = column_copy(b, batch)
    if not x.size:
        return x
    swap, substitute = lapack("laswp", x.dtype), blas("trsm", x.dtype)
    swaps = broadcast_stack(pivots[..., np.newaxis] - 1, batch)[..., 0]
    last = swaps.shape[-1] - 1
    for matrix, places, right in zip(broadcast_stack(packed, batch), swaps, as_stack(x)):
        if adjoint:
            substitute(1.0, matrix, right, 0, 0, 2, 0, 1)
            substitute(1.0, matrix, right, 0, 1, 2, 1, 1)
            swap(right, places, 0, last, 0, -1, 1)
        else:
            swap(right, places, 0, last, 0, 1, 1)
            substitute(1.0, matrix, right, 0, 1, 0, 1, 1)
            substitute(1.0, matrix, right, 0, 0, 0, 0, 1)
    return x


def _solve_together(
    packed: np.ndarray, pivots: np.ndarray, b: np.ndarray, batch: tuple[int, ...], adjoint: bool
) -> np.ndarray:
    """`solve` for a stack of small matrices."""
    factors, x = stacks.stack_last(packed, batch), stacks.stack_last(b, batch)
    order = stacks.stack_last(row_order(pivots, len(x))[..., np.newaxis], batch)
    if adjoint:
        factors = factors.conj().swapaxes(0, 1)
        stacks.substitute(factors, x, upper=False, unit=False)
        stacks.substitute(factors, x, upper=True, unit=True)
        x = np.take_along_axis(x, order.argsort(0), 0)
    else:
        x = np.take_along_axis(x, order, 0)
        stacks.substitute(factors, x, upper=False, unit=True)
        stacks.substitute(factors, x, upper=True, unit=False)
    return stacks.stack_first(x, batch)


def row_order(pivots: np.ndarray, rows: int) -> np.ndarray:
    """Where each row of the factors' product comes from in the matrix; (..., rows)."""
    swaps = pivots.reshape(math.prod(pivots.shape[:-1]), pivots.shape[-1]) - 1
    orders = np.tile(np.arange(rows), (len(swaps), 1))
    every = np.arange(len(swaps))
    for step, others in enumerate(swaps.T):
        orders[every, others], orders[:, step] = orders[:, step], orders[every, others]
    return orders.reshape(*pivots.shape[:-1], rows)


def permutation_matrix(pivots: np.ndarray, rows: int, dtype: np.dtype) -> np.ndarray:
    """P of A = P L U."""
    order = row_order(pivots, rows)
    result = np.zeros((*order.shape, rows), dtype)
    np.put_along_axis(result, order[..., None, :], 1, axis=-2)
    return result


def unpack(packed: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """L, with its ones, and U."""
    rows, columns = packed.shape[-2:]
    count = min(rows, columns)
    lower = np.tril(packed[..., :count], -1)
    lower[..., range(count), range(count)] = 1
    return lower, np.triu(packed[..., :count, :])
