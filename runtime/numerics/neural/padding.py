"""Margins around arrays, filled from the array itself."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

Margins = Sequence[tuple[int, int]]
"""(before, after) of each dimension; negative ones crop."""


def surrounded(a: np.ndarray, margins: Margins, mode: str) -> np.ndarray:
    """`a` with margins by `mode`, which is "reflect", "replicate" or "circular"."""
    if any(min(margin) < 0 for margin in margins):
        return _gathered(a, margins, mode)
    extents = [n + before + after for n, (before, after) in zip(a.shape, margins)]
    result = np.empty(extents, a.dtype)
    inner = [slice(before, before + n) for n, (before, _) in zip(a.shape, margins)]
    result[tuple(inner)] = a
    for axis in range(a.ndim - 1, -1, -1):
        if any(margins[axis]):
            lead = (*inner[:axis],)
            _fill(result[lead], axis, *margins[axis], mode)
    return result


def _fill(a: np.ndarray, axis: int, before: int, after: int, mode: str) -> None:
    """Fill the margins along `axis`; what lies inside of them is there already."""
    every = (slice(None),) * axis
    extent = a.shape[axis]
    end = extent - after
    if before:
        a[(*every, slice(0, before))] = a[(*every, _source(before, end, before, mode, front=True))]
    if after:
        a[(*every, slice(end, extent))] = a[
            (*every, _source(before, end, after, mode, front=False))
        ]


def _source(start: int, end: int, count: int, mode: str, *, front: bool) -> slice:
    """What a margin of `count` elements beside the inner range [start, end) is copied from."""
    if mode == "replicate":
        return slice(start, start + 1) if front else slice(end - 1, end)
    if mode == "circular":
        return slice(end - count, end) if front else slice(start, start + count)
    if front:
        return slice(start + count, start, -1)
    last = end - 2 - count
    return slice(end - 2, last if last >= 0 else None, -1)


def _gathered(a: np.ndarray, margins: Margins, mode: str) -> np.ndarray:
    """Margins of any sign; what circular ones crop is gone before they wrap around."""
    for axis, (before, after) in enumerate(margins):
        if mode == "circular":
            every, extent = (slice(None),) * axis, a.shape[axis]
            a = a[(*every, slice(max(-before, 0), extent + min(after, 0)))]
            before, after = max(before, 0), max(after, 0)
        if before or after:
            places = np.arange(-before, a.shape[axis] + after)
            a = a.take(_inside(places, a.shape[axis], mode), axis)
    return a


def _inside(places: np.ndarray, extent: int, mode: str) -> np.ndarray:
    if mode == "replicate":
        return np.clip(places, 0, extent - 1)
    if mode == "circular":
        return places % max(extent, 1)
    return extent - 1 - np.abs(extent - 1 - np.abs(places))
