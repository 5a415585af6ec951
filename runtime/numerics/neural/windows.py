"""Sliding windows over the last dimensions of arrays, as views and as columns of matrices."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tsc.runtime.arrays.storage import byte_strided, inner_view

Margins = Sequence[tuple[int, int]]
"""(before, after) of each spatial dimension."""


def repeated(value: int | Sequence[int], count: int) -> tuple[int, ...]:
    """One number for every spatial dimension."""
    if isinstance(value, int):
        return (value,) * count
    return tuple(value) if len(value) == count else (value[0],) * count


def reach(kernel: Sequence[int], dilation: Sequence[int]) -> list[int]:
    """How many elements a window extends over, in each dimension."""
    return [d * (k - 1) + 1 for k, d in zip(kernel, dilation)]


def window_counts(
    extents: Sequence[int], kernel: Sequence[int], stride: Sequence[int], dilation: Sequence[int]
) -> list[int]:
    """How many whole windows there are, in each dimension."""
    return [(n - r) // s + 1 for n, r, s in zip(extents, reach(kernel, dilation), stride)]


def windows(
    a: np.ndarray, kernel: Sequence[int], stride: Sequence[int], dilation: Sequence[int]
) -> np.ndarray:
    """A view of all windows of the last dimensions: (..., *positions, *kernel)."""
    lead, counts, positions, inside = _geometry(a, kernel, stride, dilation)
    shape = (*a.shape[:lead], *counts, *kernel)
    return inner_view(a, shape, (*a.strides[:lead], *positions, *inside))


def columns(
    a: np.ndarray, kernel: Sequence[int], stride: Sequence[int], dilation: Sequence[int]
) -> np.ndarray:
    """The same windows as (..., *kernel, *positions)."""
    lead, counts, positions, inside = _geometry(a, kernel, stride, dilation)
    shape = (*a.shape[:lead], *kernel, *counts)
    return byte_strided(a, shape, (*a.strides[:lead], *inside, *positions))


def _geometry(
    a: np.ndarray, kernel: Sequence[int], stride: Sequence[int], dilation: Sequence[int]
) -> tuple[int, list[int], list[int], list[int]]:
    """The number of leading dimensions, the positions, and the byte steps between and in them."""
    lead = a.ndim - len(kernel)
    steps = a.strides[lead:]
    positions = [step * s for step, s in zip(steps, stride)]
    inside = [step * d for step, d in zip(steps, dilation)]
    return lead, window_counts(a.shape[lead:], kernel, stride, dilation), positions, inside


def padded(a: np.ndarray, margins: Margins, fill: float = 0) -> np.ndarray:
    """`a` with its last dimensions widened by `margins`."""
    if not any(before or after for before, after in margins):
        return a
    lead = a.ndim - len(margins)
    extents = [n + before + after for n, (before, after) in zip(a.shape[lead:], margins)]
    result = np.full((*a.shape[:lead], *extents), fill, a.dtype)
    inside = [slice(before, before + n) for n, (before, _) in zip(a.shape[lead:], margins)]
    result[(..., *inside)] = a
    return result


def add_windows(
    target: np.ndarray,
    cells: np.ndarray,
    kernel: Sequence[int],
    stride: Sequence[int],
    dilation: Sequence[int],
) -> None:
    """Add `cells`, (..., *kernel, *positions), to `target` where its windows have them."""
    spatial = len(kernel)
    counts = cells.shape[cells.ndim - spatial :]
    every = (slice(None),) * (cells.ndim - 2 * spatial)
    for position in np.ndindex(*kernel):
        places = tuple(
            slice(p * d, p * d + (n - 1) * s + 1, s)
            for p, d, n, s in zip(position, dilation, counts, stride)
        )
        seen = target[(..., *places)]
        np.add(seen, cells[(*every, *position)], seen)
