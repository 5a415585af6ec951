"""Fourier transforms over one dimension: NumPy's, a group of lines at a time.

Large arrays are transformed in groups that stay in the cache; lines that are not contiguous are gathered
group by group. The spectrum of real numbers is computed by half and mirrored.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

_GROUP = 1 << 15
"""How many numbers are transformed at a time."""

Transform = Callable[[np.ndarray, int, int, str | None], np.ndarray]
"""From an array, the number of points, the dimension and the kind of scaling."""


def _by_groups(function: Callable[[np.ndarray, int, str | None], np.ndarray]) -> Transform:
    """`function`, which transforms contiguous lines, over any dimension."""

    def transform(a: np.ndarray, count: int, axis: int, norm: str | None) -> np.ndarray:
        axis %= a.ndim
        before, after = a.shape[:axis], a.shape[axis + 1 :]
        if a.size <= _GROUP:
            lines = np.ascontiguousarray(np.moveaxis(a, axis, -1))
            return np.ascontiguousarray(np.moveaxis(function(lines, count, norm), -1, axis))
        blocks = a.reshape(int(np.prod(before)), a.shape[axis], -1).swapaxes(1, 2)
        first = function(np.ascontiguousarray(blocks[:1, :1]), count, norm)
        result = np.empty((*before, first.shape[-1], *after), first.dtype)
        targets = result.reshape(len(blocks), first.shape[-1], -1).swapaxes(1, 2)
        for group in _groups(blocks.shape):
            targets[group] = function(np.ascontiguousarray(blocks[group]), count, norm)
        return result

    return transform


def _groups(shape: tuple[int, ...]) -> list[tuple[slice, slice]]:
    """Parts of the first two dimensions, each of about `_GROUP` numbers."""
    outer, inner, length = shape
    lines = max(_GROUP // max(length, 1), 1)
    if lines >= inner:
        step = lines // inner
        return [(slice(start, start + step), slice(None)) for start in range(0, outer, step)]
    return [
        (slice(place, place + 1), slice(start, start + lines))
        for place in range(outer)
        for start in range(0, inner, lines)
    ]


def _whole_spectrum(lines: np.ndarray, count: int, norm: str | None) -> np.ndarray:
    if lines.dtype.kind == "c":
        return np.fft.fft(lines, count, -1, norm)
    half = np.fft.rfft(lines, count, -1, norm)
    return _mirrored(half, count)


def _inverse_whole_spectrum(lines: np.ndarray, count: int, norm: str | None) -> np.ndarray:
    if lines.dtype.kind == "c":
        return np.fft.ifft(lines, count, -1, norm)
    half = np.fft.ihfft(lines, count, -1, norm)
    return _mirrored(half, count)


def _mirrored(half: np.ndarray, count: int) -> np.ndarray:
    """The spectrum of `count` points of which `half` is the first half."""
    result = np.empty((*half.shape[:-1], count), half.dtype)
    known = half.shape[-1]
    result[..., :known] = half
    np.conjugate(half[..., count - known : 0 : -1], out=result[..., known:])
    return result


fft = _by_groups(_whole_spectrum)
ifft = _by_groups(_inverse_whole_spectrum)
rfft = _by_groups(lambda lines, count, norm: np.fft.rfft(lines, count, -1, norm))
irfft = _by_groups(lambda lines, count, norm: np.fft.irfft(lines, count, -1, norm))
hfft = _by_groups(lambda lines, count, norm: np.fft.hfft(lines, count, -1, norm))
ihfft = _by_groups(lambda lines, count, norm: np.fft.ihfft(lines, count, -1, norm))
