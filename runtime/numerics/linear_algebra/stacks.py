"""Stacks of many small matrices, all of them at once.

For a matrix of a few rows the call of LAPACK takes longer than its work, so a thousand of them one by one take ten
times as long as they need. Here each step of an algorithm is a few calls of NumPy for the whole stack, which is the
last axis: (m, n, count), so that what a call goes through lies together in memory. From about sixteen rows on a call
of LAPACK for each matrix is faster, and for a few matrices too; `is_stack_of_small` draws the line, as measured.
"""

from __future__ import annotations

import math

import numpy as np

_MOST_ROWS = 16
_FEWEST, _FEWEST_PER_ROW = 16, 12


def is_stack_of_small(batch: tuple[int, ...], *sizes: int, most: int = _MOST_ROWS) -> bool:
    """Whether matrices of these sizes, as many as the dimensions of `batch` say, are faster all at once."""
    if not batch:
        return False
    largest = max(sizes)
    return largest <= most and math.prod(batch) >= _FEWEST + _FEWEST_PER_ROW * largest


def stack_last(a: np.ndarray, batch: tuple[int, ...]) -> np.ndarray:
    """A copy of (..., m, n) matrices, whose leading dimensions broadcast to `batch`, as (m, n, count)."""
    whole = np.broadcast_to(a, (*batch, *a.shape[-2:]))
    moved = np.moveaxis(whole, (-2, -1), (0, 1))
    return np.array(moved, order="C").reshape(*a.shape[-2:], math.prod(batch))


def stack_first(a: np.ndarray, batch: tuple[int, ...]) -> np.ndarray:
    """(m, n, count) matrices as (*batch, m, n), with contiguous columns."""
    rows, columns, _ = a.shape
    result = np.empty((*batch, columns, rows), a.dtype)
    moved = np.moveaxis(result, (-1, -2), (0, 1))
    moved[...] = a.reshape(rows, columns, *batch)
    return result.swapaxes(-1, -2)


def substitute(a: np.ndarray, x: np.ndarray, *, upper: bool, unit: bool) -> None:
    """Solve A X = B in place, where only one triangle of A is looked at; `x` holds B first."""
    size = len(a)
    for step in reversed(range(size)) if upper else range(size):
        if not unit:
            x[step] /= a[step, step]
        rest = slice(0, step) if upper else slice(step + 1, size)
        x[rest] -= a[rest, step, np.newaxis] * x[step]


def eliminate(a: np.ndarray) -> np.ndarray:
    """Overwrite matrices with their packed LU factors; the row that each row was swapped with, (min(m, n), count)."""
    steps = min(a.shape[:2])
    swaps = np.empty((steps, a.shape[2]), np.intp)
    every = np.arange(a.shape[2])
    for step in range(steps):
        best = _magnitude(a[step:, step]).argmax(0)
        best += step
        swaps[step] = best
        chosen = a[best, :, every]
        a[best, :, every] = a[step].T
        a[step] = chosen.T
        pivot, below = a[step, step], a[step + 1 :, step]
        np.true_divide(below, np.where(pivot == 0, 1, pivot), below)
        a[step + 1 :, step + 1 :] -= below[:, np.newaxis] * a[step, step + 1 :]
    return swaps


def _magnitude(a: np.ndarray) -> np.ndarray:
    """What LAPACK compares pivots by: of complex numbers, the sum of the sizes of their parts."""
    return np.abs(a) if a.dtype.kind == "f" else np.abs(np.real(a)) + np.abs(np.imag(a))


def reflect(target: np.ndarray, direction: np.ndarray, scale: np.ndarray) -> None:
    """Subtract scale · v · (vᴴ target) in place, where v, (m, count), is `direction` with a one on top."""
    v = direction.copy()
    v[0] = 1
    along = (v.conj()[:, np.newaxis] * target).sum(0)
    target -= (scale * v)[:, np.newaxis] * along
