"""Changing the extents of images: each output is a weighted sum of a few inputs of its dimension.

Dimensions are resampled one after the other, the last one first. Weights and positions are computed
in the dtype of the image (of bytes: in float64), as PyTorch does, so that roundings agree. Facts
about weights: Keys' cubic convolution (1981) with A = -0.75, and with A = -0.5 against aliasing as
in the Pillow library, whose fixed-point arithmetic on bytes PyTorch follows.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from tsc.runtime.arrays.dtypes import BYTE, DOUBLE, LONG
from tsc.runtime.context.native_hooks import native_planes
from tsc.runtime.numerics.neural.native_work import is_native_work

Filter = Callable[[np.ndarray], np.ndarray]
BLOCK_ELEMENTS = 1 << 17
_PLANE_AXES = 2


@dataclass(frozen=True, slots=True)
class Taps:
    """Along one dimension: which inputs each output sums, and their weights, (taps, outputs)."""

    places: np.ndarray
    weights: np.ndarray
    is_fused: bool = False
    """Whether a product is added before it is rounded, as PyTorch's loop against aliasing does."""


def step_of(
    extent: int, size: int, align_corners: bool, scale: float | None, kind: type[np.floating]
) -> np.floating:
    """The distance between the inputs of neighbouring outputs."""
    if align_corners:
        return kind(extent - 1) / kind(size - 1) if size > 1 else kind(0)
    if scale is not None and scale > 0:
        return kind(1.0 / scale)
    return kind(extent) / kind(size)


def _centers(size: int, step: np.floating, align_corners: bool) -> np.ndarray:
    """The input positions of the outputs."""
    kind = type(step)
    outputs = np.arange(size).astype(kind)
    if align_corners:
        return step * outputs
    return step * (outputs + kind(0.5)) - kind(0.5)


def nearest_places(extent: int, size: int, scale: float | None, *, exact: bool) -> np.ndarray:
    """The input of each output; `exact` rounds from the centers of the outputs."""
    step = step_of(extent, size, False, scale, np.float32)
    outputs = np.arange(size, dtype=np.float32)
    if exact:
        outputs = outputs + np.float32(0.5)
    return np.minimum((outputs * step).astype(LONG), extent - 1)


def _floor(positions: np.ndarray, extent: int) -> tuple[np.ndarray, np.ndarray]:
    """The input at or before each position, and the share of the one after it."""
    low = np.minimum(np.floor(positions).astype(LONG), extent - 1)
    kind = positions.dtype.type
    return low, np.clip(positions - low.astype(positions.dtype), kind(0), kind(1))


def linear_taps(extent: int, size: int, step: np.floating, align_corners: bool) -> Taps | None:
    """Two neighbours; None leaves the dimension as it is."""
    if extent == size:
        return None
    low, share = _floor(np.maximum(_centers(size, step, align_corners), 0), extent)
    high = np.minimum(low + 1, extent - 1)
    return Taps(np.stack([low, high]), np.stack([1 - share, share]))


def keys_weights(t: np.ndarray, a: float = -0.75) -> list[np.ndarray]:
    """The weights of four neighbours at distance 1 + t, t, 1 - t and 2 - t."""
    steepness = t.dtype.type(a)
    return [
        _far(t + 1, steepness),
        _near(t, steepness),
        _near(1 - t, steepness),
        _far(2 - t, steepness),
    ]


def _near(x: np.ndarray, a: np.floating) -> np.ndarray:
    return ((a + 2) * x - (a + 3)) * x * x + 1


def _far(x: np.ndarray, a: np.floating) -> np.ndarray:
    return ((a * x - 5 * a) * x + 8 * a) * x - 4 * a


def cubic_taps(extent: int, size: int, step: np.floating, align_corners: bool) -> Taps:
    low, share = _floor(_centers(size, step, align_corners), extent)
    places = [np.clip(low + offset, 0, extent - 1) for offset in (-1, 0, 1, 2)]
    return Taps(np.stack(places), np.stack(keys_weights(share)))


def triangle(x: np.ndarray) -> np.ndarray:
    return np.maximum(1 - np.abs(x), x.dtype.type(0))


def keys_filter(x: np.ndarray) -> np.ndarray:
    x, a = np.abs(x), x.dtype.type(-0.5)
    return np.where(x < 1, _near(x, a), np.where(x < 2, _far(x, a), x.dtype.type(0)))


def lanczos(x: np.ndarray) -> np.ndarray:
    return np.where(np.abs(x) < 3, np.sinc(x) * np.sinc(x / 3), 0).astype(x.dtype)


FILTERS: dict[str, tuple[Filter, int]] = {
    "bilinear": (triangle, 2),
    "bicubic": (keys_filter, 4),
    "lanczos": (lanczos, 6),
}
"""Filters against aliasing, and how many inputs they reach over where nothing shrinks."""


def filtered_taps(extent: int, size: int, step: np.floating, mode: str) -> Taps:
    """A filter as wide as the dimension shrinks; its weights sum to 1."""
    function, width = FILTERS[mode]
    kind = type(step)
    widening = max(step, kind(1))
    support = kind(width * 0.5) * widening
    most = math.ceil(support) * 2 + 1
    centers = step * (np.arange(size).astype(kind) + kind(0.5))
    first = np.maximum((centers - support + kind(0.5)).astype(LONG), 0)
    last = np.minimum((centers + support + kind(0.5)).astype(LONG), extent)
    counts = np.clip(last - first, 0, most)
    offsets = np.arange(max(int(counts.max()), 1) if size else 1)[:, np.newaxis]
    distances = (offsets + first).astype(kind) - centers + kind(0.5)
    weights = np.where(offsets < counts, function(distances * (kind(1) / widening)), kind(0))
    total = weights.sum(0)
    weights = weights / np.where(total == 0, kind(1), total)
    return Taps(np.minimum(offsets + first, extent - 1), weights, is_fused=kind is np.float32)


def resampled(a: np.ndarray, taps: Sequence[Taps | None]) -> np.ndarray:
    """`a` resampled along its last dimensions."""
    if a.dtype is BYTE:
        return _resampled_bytes(a, taps)
    if all(each is None for each in taps):
        return a.copy()
    spatial = len(taps)
    lead, extents = a.shape[: a.ndim - spatial], a.shape[a.ndim - spatial :]
    sizes = [n if each is None else each.places.shape[1] for n, each in zip(extents, taps)]
    planes = a.reshape(math.prod(lead), *extents)
    if _is_native(planes, taps, math.prod(sizes)):
        return _resampled_natively(planes, taps).reshape(*lead, *sizes)
    result = np.empty((len(planes), *sizes), a.dtype)
    step = max(BLOCK_ELEMENTS // max(math.prod(sizes), 1), 1)
    for start in range(0, len(planes), step):
        result[start : start + step] = _resampled_planes(planes[start : start + step], taps)
    return result.reshape(*lead, *sizes)


def _is_native(planes: np.ndarray, taps: Sequence[Taps | None], size: int) -> bool:
    """Whether native code is to sum along rows, and columns if there are any, of planes that are large enough."""
    terms = sum(len(each.places) for each in taps if each is not None)
    if len(taps) > _PLANE_AXES or any(each.is_fused for each in taps if each is not None):
        return False
    return is_native_work(planes.dtype, len(planes) * size * terms)


def _resampled_natively(planes: np.ndarray, taps: Sequence[Taps | None]) -> np.ndarray:
    missing = _PLANE_AXES - len(taps)
    planes = planes.reshape(len(planes), *(1,) * missing, *planes.shape[1:])
    axes = [*(None,) * missing, *taps]
    rows, columns = (
        _as_it_is(extent, planes.dtype) if each is None else (each.places, each.weights)
        for extent, each in zip(planes.shape[1:], axes)
    )
    return native_planes().weighted_sums(planes, rows, columns)


def _as_it_is(extent: int, dtype: np.dtype) -> tuple[np.ndarray, np.ndarray]:
    return np.arange(extent).reshape(1, -1), np.ones((1, extent), dtype)


def _resampled_planes(planes: np.ndarray, taps: Sequence[Taps | None]) -> np.ndarray:
    for axis in range(len(taps), 0, -1):
        each = taps[axis - 1]
        if each is not None:
            planes = _weighted_sum(planes, each, axis)
    return planes


def _weighted_sum(a: np.ndarray, taps: Taps, axis: int) -> np.ndarray:
    shape = [-1 if k == axis else 1 for k in range(a.ndim)]
    if taps.is_fused:
        return _fused_sum(a, taps, axis, shape)

    def weighted(places: np.ndarray, weights: np.ndarray) -> np.ndarray:
        part = a.take(places, axis)
        return np.multiply(part, weights.reshape(shape).astype(a.dtype, copy=False), part)

    return in_place_sum(map(weighted, taps.places, taps.weights))


def in_place_sum(parts: Iterable[np.ndarray]) -> np.ndarray:
    """The sum of at least one array, all of one shape; the first one is overwritten by it."""
    each = iter(parts)
    total = next(each)
    for part in each:
        np.add(total, part, total)
    return total


def _fused_sum(a: np.ndarray, taps: Taps, axis: int, shape: list[int]) -> np.ndarray:
    """In float32, with products in float64, which holds them exactly.

    Images of bytes often come as floats and are rounded afterwards: then the last bit decides.
    """
    wide = a.astype(DOUBLE)
    result = None
    for places, weights in zip(taps.places, taps.weights):
        part = wide.take(places, axis)
        np.multiply(part, weights.reshape(shape), part)
        if result is not None:
            np.add(part, result, part)
        result = part.astype(a.dtype)
    return a.copy() if result is None else result


def _resampled_bytes(a: np.ndarray, taps: Sequence[Taps | None]) -> np.ndarray:
    lead = a.ndim - len(taps)
    for offset in range(len(taps) - 1, -1, -1):
        each = taps[offset]
        if each is not None and each.places.shape[1] != a.shape[lead + offset]:
            a = _byte_sum(a, each, lead + offset)
    return a.copy()


def _byte_sum(a: np.ndarray, taps: Taps, axis: int) -> np.ndarray:
    """Weights are integers of 16 bits, as precise as the greatest one lets them be."""
    matrix = np.zeros((taps.places.shape[1], a.shape[axis]))
    columns = np.broadcast_to(np.arange(len(matrix)), taps.places.shape)
    np.add.at(matrix, (columns, taps.places), taps.weights)
    precision = 0
    greatest = max(float(matrix.max()), 0.0)
    while precision < 22 and int(0.5 + greatest * (1 << (precision + 1))) < 1 << 15:
        precision += 1
    scaled = matrix * (1 << precision)
    whole = np.trunc(scaled + np.copysign(0.5, scaled))
    moved = np.moveaxis(a, axis, -1)
    total = moved.astype(DOUBLE) @ whole.T + float(1 << max(precision - 1, 0))
    result = np.clip(np.floor(total / (1 << precision)), 0, 255).astype(BYTE)
    return np.ascontiguousarray(np.moveaxis(result, -1, axis))
