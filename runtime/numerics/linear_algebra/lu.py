"""The LU decomposition with partial pivoting, and what is made of it."""

from __future__ import annotations

import math

import numpy as np

from tsc.runtime.numerics.linear_algebra.triangular import solve_triangular

_PANEL = 32
"""Width below which columns are eliminated one by one."""
PIVOT_DTYPE = np.dtype(np.int32)


def factor(a: np.ndarray, *, pivot: bool = True) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The packed factors of (..., m, n) matrices, the pivots and the status, as LAPACK's ``getrf``.

    Pivots are (..., min(m, n)): the row, counted from one, that each row was swapped with. The status is 0, or the
    place of the first pivot that is zero, counted from one.
    """
    rows, columns = a.shape[-2:]
    count = min(rows, columns)
    packed = as_stack(a).copy()
    swaps = np.tile(np.arange(count, dtype=PIVOT_DTYPE), (len(packed), 1))
    if len(packed) and count:
        _eliminate(packed[:, :, :count], swaps, pivot)
    if columns > count and len(packed):
        rest = packed[:, :, count:]
        _swap_rows(rest, swaps)
        rest[...] = solve_triangular(packed[:, :, :count], rest, upper=False, unit=True)
    zero = packed[:, range(count), range(count)] == 0
    status = np.where(zero.any(-1), np.argmax(zero, -1) + 1 if count else 0, 0)
    batch = a.shape[:-2]
    return (
        packed.reshape(a.shape),
        (swaps + 1).reshape(*batch, count),
        status.astype(PIVOT_DTYPE).reshape(batch),
    )


def as_stack(a: np.ndarray) -> np.ndarray:
    """(..., m, n) matrices as (count, m, n)."""
    return a.reshape(math.prod(a.shape[:-2]), *a.shape[-2:])


def _eliminate(a: np.ndarray, swaps: np.ndarray, pivot: bool) -> None:
    """Factor a stack of matrices in place, halving them by columns (S. Toledo, SIAM J. Matrix Anal. 18, 1997)."""
    width = a.shape[2]
    if width <= _PANEL:
        _eliminate_columns(a, swaps, pivot)
        return
    half = width // 2
    left, right = a[:, :, :half], a[:, :, half:]
    _eliminate(left, swaps[:, :half], pivot)
    _swap_rows(right, swaps[:, :half])
    top, bottom = right[:, :half], right[:, half:]
    top[...] = solve_triangular(left[:, :half], top, upper=False, unit=True)
    bottom -= left[:, half:] @ top
    _eliminate(bottom, swaps[:, half:], pivot)
    _swap_rows(left[:, half:], swaps[:, half:])
    swaps[:, half:] += half


def _eliminate_columns(a: np.ndarray, swaps: np.ndarray, pivot: bool) -> None:
    """Column by column, on a copy in which columns are contiguous."""
    columns = np.ascontiguousarray(a.swapaxes(1, 2))
    if len(a) == 1:
        _eliminate_columns_of_one(columns[0], swaps[0], pivot)
    else:
        _eliminate_columns_of_all(columns, swaps, pivot)
    a[...] = columns.swapaxes(1, 2)


def _eliminate_columns_of_one(columns: np.ndarray, swaps: np.ndarray, pivot: bool) -> None:
    """As `_eliminate_columns_of_all`, in fewer and simpler calls."""
    for step, column in enumerate(columns):
        if pivot:
            best = step + int(_magnitude(column[step:]).argmax())
            swaps[step] = best
            if best != step:
                columns[:, [step, best]] = columns[:, [best, step]]
        below = column[step + 1 :]
        if column[step] != 0:
            np.true_divide(below, column[step], below)
        rest = columns[step + 1 :]
        rest[:, step + 1 :] -= rest[:, step, np.newaxis] * below


def _eliminate_columns_of_all(columns: np.ndarray, swaps: np.ndarray, pivot: bool) -> None:
    """Matrices whose rows are the columns of those to factor."""
    stack = np.arange(len(columns))
    for step in range(len(columns[0])):
        if pivot:
            best = np.argmax(_magnitude(columns[:, step, step:]), axis=1)
            best += step
            swaps[:, step] = best
            chosen = columns[stack, :, best]
            columns[stack, :, best] = columns[:, :, step]
            columns[:, :, step] = chosen
        leading = columns[:, step, step]
        below = columns[:, step, step + 1 :]
        np.true_divide(below, np.where(leading == 0, 1, leading)[:, None], out=below)
        columns[:, step + 1 :, step + 1 :] -= columns[:, step + 1 :, step, None] * below[:, None]


def _magnitude(a: np.ndarray) -> np.ndarray:
    """What pivots are compared by; of complex numbers, the sum of their parts."""
    return np.abs(a) if a.dtype.kind == "f" else np.abs(a.real) + np.abs(a.imag)


def _swap_rows(a: np.ndarray, swaps: np.ndarray) -> None:
    """Swap row i of each matrix with row ``swaps[:, i]``, one after the other, in place."""
    for matrix, order in zip(a, _order(swaps, a.shape[1])):
        moved = np.flatnonzero(order != np.arange(len(order)))
        matrix[moved] = matrix[order[moved]]


def _order(swaps: np.ndarray, rows: int) -> np.ndarray:
    """Where each row comes from after the swaps."""
    orders = []
    for steps in swaps.tolist():
        order = list(range(rows))
        for step, other in enumerate(steps):
            order[step], order[other] = order[other], order[step]
        orders.append(order)
    return np.array(orders, np.int64).reshape(len(swaps), rows)


def row_order(pivots: np.ndarray, rows: int) -> np.ndarray:
    """Where each row of the factors' product comes from in the matrix; (..., rows)."""
    swaps = pivots.reshape(math.prod(pivots.shape[:-1]), pivots.shape[-1]).astype(np.int64) - 1
    return _order(swaps, rows).reshape(*pivots.shape[:-1], rows)


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


def solve(
    packed: np.ndarray, pivots: np.ndarray, b: np.ndarray, *, adjoint: bool = False
) -> np.ndarray:
    """X with A X = B, or with the adjoint of A, from the factors of square matrices."""
    order = row_order(pivots, packed.shape[-1])
    if not adjoint:
        moved = _take_rows(b, order)
        return solve_triangular(
            packed, solve_triangular(packed, moved, upper=False, unit=True), upper=True
        )
    transposed = packed.conj().swapaxes(-1, -2)
    middle = solve_triangular(transposed, b, upper=False)
    middle = solve_triangular(transposed, middle, upper=True, unit=True)
    return _take_rows(middle, np.argsort(order, -1))


def _take_rows(b: np.ndarray, order: np.ndarray) -> np.ndarray:
    batch = np.broadcast_shapes(b.shape[:-2], order.shape[:-1])
    b = np.broadcast_to(b, (*batch, *b.shape[-2:]))
    order = np.broadcast_to(order, (*batch, order.shape[-1]))
    return np.take_along_axis(b, order[..., None], axis=-2)
