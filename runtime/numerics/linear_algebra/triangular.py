"""Systems with triangular matrices."""

from __future__ import annotations

import numpy as np

_SMALL = 16
"""Size below which unknowns are found one by one."""


def solve_triangular(
    a: np.ndarray, b: np.ndarray, *, upper: bool, unit: bool = False
) -> np.ndarray:
    """X with A X = B, where only one triangle of the (..., n, n) matrices is looked at.

    With `unit` the diagonal counts as ones. A zero on it gives infinities. The matrices may have more rows than
    columns; only the first n count. Leading dimensions broadcast.
    """
    size = a.shape[-1]
    batch = np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    x = np.array(np.broadcast_to(b, (*batch, *b.shape[-2:])))
    if size and x.size:
        _solve_in_place(a[..., :size, :], x, upper, unit)
    return x


def _solve_in_place(a: np.ndarray, x: np.ndarray, upper: bool, unit: bool) -> None:
    size = a.shape[-1]
    if size <= _SMALL:
        _substitute(a, x, upper, unit)
        return
    half = size // 2
    first, last = slice(0, half), slice(half, size)
    if upper:
        first, last = last, first
    _solve_in_place(a[..., first, first], x[..., first, :], upper, unit)
    x[..., last, :] -= a[..., last, first] @ x[..., first, :]
    _solve_in_place(a[..., last, last], x[..., last, :], upper, unit)


def _substitute(a: np.ndarray, x: np.ndarray, upper: bool, unit: bool) -> None:
    size = a.shape[-1]
    for step in range(size - 1, -1, -1) if upper else range(size):
        if not unit:
            x[..., step, :] /= a[..., step, step, None]
        rest = slice(0, step) if upper else slice(step + 1, size)
        x[..., rest, :] -= a[..., rest, step, None] * x[..., None, step, :]
