"""Sums and maxima over windows, one dimension after the other.

A window is walked by its offsets: for each of them, all windows are served at once by one strided
view of the input. Sums and maxima of boxes are those of their rows, so a box of k by k elements
takes 2 k steps; only the places of maxima need k * k.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tsc.runtime.arrays.dtypes import CATEGORY, FLOATING, LONG
from tsc.runtime.context.native_hooks import native_windows
from tsc.runtime.numerics.neural.native_work import is_native_work

Places = slice | np.ndarray


@dataclass(frozen=True, slots=True)
class EvenWindows:
    """Windows of one size at equal distances along a dimension."""

    extent: int
    kernel: int
    stride: int
    padding: int
    dilation: int
    count: int

    def part(self, offset: int) -> tuple[Places, Places] | None:
        """The windows that have an element at `offset`, and those elements."""
        start = offset * self.dilation - self.padding
        low = max(0, -(start // self.stride))
        high = min(self.count, (self.extent - 1 - start) // self.stride + 1)
        if low >= high:
            return None
        first, last = start + low * self.stride, start + (high - 1) * self.stride
        return slice(low, high), slice(first, last + 1, self.stride)

    def starts(self) -> np.ndarray:
        return np.arange(self.count) * self.stride - self.padding


@dataclass(frozen=True, slots=True)
class AdaptedWindows:
    """As many windows as asked for, which cover a dimension; their sizes differ by one or two."""

    extent: int
    count: int

    @property
    def kernel(self) -> int:
        return int((self.ends() - self.starts()).max()) if self.count else 0

    @property
    def dilation(self) -> int:
        return 1

    def part(self, offset: int) -> tuple[Places, Places] | None:
        starts = self.starts()
        reaching = np.flatnonzero(starts + offset < self.ends())
        if not reaching.size:
            return None
        return slice(None) if reaching.size == self.count else reaching, starts[reaching] + offset

    def starts(self) -> np.ndarray:
        return np.arange(self.count) * self.extent // max(self.count, 1)

    def ends(self) -> np.ndarray:
        return -(-(np.arange(self.count) + 1) * self.extent // max(self.count, 1))


Windows = EvenWindows | AdaptedWindows


def lowest(dtype: np.dtype) -> float:
    return -math.inf if CATEGORY[dtype] == FLOATING else np.iinfo(dtype).min


def pooled_sum(a: np.ndarray, axes: Sequence[Windows]) -> np.ndarray:
    """Sums over the windows of the last dimensions; what lies outside counts as zero."""
    return _reduced(a, axes, np.add, 0)


def pooled_maximum(a: np.ndarray, axes: Sequence[Windows]) -> np.ndarray:
    native = _pooled_natively(a, axes, None)
    return _reduced(a, axes, np.maximum, lowest(a.dtype)) if native is None else native


def pooled_mean(a: np.ndarray, axes: Sequence[Windows], sizes: np.ndarray | int) -> np.ndarray:
    """Sums over the windows, divided by a number for each of them, or for all; of floats."""
    native = _pooled_natively(a, axes, sizes)
    if native is not None:
        return native
    total = pooled_sum(a, axes)
    return np.true_divide(total, np.asarray(sizes, total.dtype), total)


def _pooled_natively(
    a: np.ndarray, axes: Sequence[Windows], sizes: np.ndarray | int | None
) -> np.ndarray | None:
    """By native code if that pays."""
    even = [windows for windows in axes if isinstance(windows, EvenWindows)]
    counts = [windows.count for windows in axes]
    lead = a.shape[: a.ndim - len(axes)]
    terms = 2 * sum(windows.kernel for windows in axes)
    if len(even) < len(axes) or not is_native_work(
        a.dtype, math.prod(lead) * math.prod(counts) * terms
    ):
        return None
    images = a if len(lead) == 2 else a.reshape(-1, 1, *a.shape[len(lead) :])
    result = native_windows().pool(
        images,
        [windows.kernel for windows in even],
        [windows.stride for windows in even],
        [windows.padding for windows in even],
        [windows.dilation for windows in even],
        counts,
        sizes,
    )
    return result.reshape(*lead, *counts)


def _reduced(a: np.ndarray, axes: Sequence[Windows], ufunc: np.ufunc, fill: float) -> np.ndarray:
    """The last dimension comes last: it is slow to step through, and fewer elements are left."""
    lead = a.ndim - len(axes)
    for position, windows in enumerate(axes):
        if isinstance(windows, AdaptedWindows) and windows.count <= windows.kernel:
            a = _along_few(a, lead + position, windows, ufunc, fill)
        else:
            a = _along(a, lead + position, windows, ufunc, fill)
    return a


def _along(a: np.ndarray, axis: int, windows: Windows, ufunc: np.ufunc, fill: float) -> np.ndarray:
    lead = (slice(None),) * axis
    shape = (*a.shape[:axis], windows.count, *a.shape[axis + 1 :])
    result = None
    for offset in range(windows.kernel):
        part = windows.part(offset)
        if part is None:
            continue
        outputs, elements = (*lead, part[0]), a[(*lead, part[1])]
        if result is None:
            whole = elements.shape == shape
            result = np.array(elements, order="C") if whole else np.full(shape, fill, a.dtype)
            if not whole:
                result[outputs] = elements
        elif isinstance(part[0], slice):
            seen = result[outputs]
            ufunc(seen, elements, out=seen)
        else:
            result[outputs] = ufunc(result[outputs], elements)
    return np.full(shape, fill, a.dtype) if result is None else result


def _along_few(
    a: np.ndarray, axis: int, windows: AdaptedWindows, ufunc: np.ufunc, fill: float
) -> np.ndarray:
    """Window by window."""
    result = np.full((*a.shape[:axis], windows.count, *a.shape[axis + 1 :]), fill, a.dtype)
    lead = (slice(None),) * axis
    for window, (low, high) in enumerate(zip(windows.starts(), windows.ends())):
        if low < high:
            ufunc.reduce(a[(*lead, slice(low, high))], axis, out=result[(*lead, window)])
    return result


def maximum_with_places(a: np.ndarray, axes: Sequence[Windows]) -> tuple[np.ndarray, np.ndarray]:
    """Maxima and where each was found first (a NaN: last), counted in the flattened plane."""
    volume = math.prod(windows.kernel for windows in axes)
    outputs = math.prod(windows.count for windows in axes)
    adapted = [windows for windows in axes if isinstance(windows, AdaptedWindows)]
    if len(adapted) == len(axes) and 4 * volume > outputs:
        return _maximum_by_window(a, adapted)
    values = pooled_maximum(a, axes)
    found = _offsets_of(a, values, axes, volume)
    steps = _plane_steps(axes)
    inside = np.zeros((1,) * len(axes), LONG)
    for windows, step in zip(axes, steps):
        inside = inside[..., np.newaxis] + np.arange(windows.kernel) * (windows.dilation * step)
    base = np.zeros((), LONG)
    for windows, step in zip(axes, steps):
        base = base[..., np.newaxis] + windows.starts() * step
    places = np.take(inside.reshape(-1), found, mode="clip")
    np.add(places, base, places)
    nowhere = found >= volume
    if nowhere.any():
        places[nowhere] = np.broadcast_to(_first_places(axes, steps), found.shape)[nowhere]
    return values, places


def _first_places(axes: Sequence[Windows], steps: Sequence[int]) -> np.ndarray:
    """What PyTorch says about windows between whose elements the whole input fits."""
    total = np.zeros((), LONG)
    for windows, step in zip(axes, steps):
        starts = windows.starts()
        skipped = -(np.minimum(starts, 0) // windows.dilation)
        total = total[..., np.newaxis] + (starts + skipped * windows.dilation) * step
    return total


def _plane_steps(axes: Sequence[Windows]) -> list[int]:
    extents = [windows.extent for windows in axes]
    return [math.prod(extents[position + 1 :]) for position in range(len(axes))]


def _offsets_of(
    a: np.ndarray, values: np.ndarray, axes: Sequence[Windows], volume: int
) -> np.ndarray:
    """For each maximum, the number of its offset in the window."""
    kind = np.uint8 if volume < 255 else np.uint32
    found = np.full(values.shape, np.iinfo(kind).max, kind)
    missing = CATEGORY[a.dtype] == FLOATING and bool(np.isnan(values).any())
    for number, offsets in enumerate(itertools.product(*(range(w.kernel) for w in axes))):
        parts = [part for windows, offset in zip(axes, offsets) if (part := windows.part(offset))]
        if len(parts) < len(axes):
            continue
        outputs = [part[0] for part in parts]
        elements = _picked(a, [part[1] for part in parts])
        differs = np.not_equal(elements, _picked(values, outputs)).astype(kind)
        np.negative(differs, differs)
        np.bitwise_or(differs, kind(number), differs)
        _lower(found, outputs, differs)
        if missing:
            seen = _picked(found, outputs)
            _assign(found, outputs, np.where(np.isnan(elements), kind(number), seen))
    return found


def _picked(a: np.ndarray, places: Sequence[Places]) -> np.ndarray:
    """The elements at `places` of each of the last dimensions."""
    lead = a.ndim - len(places)
    if all(isinstance(place, slice) for place in places):
        return a[(..., *places)]
    for position, place in enumerate(places):
        a = a[(*(slice(None),) * (lead + position), place)]
    return a


def _lower(target: np.ndarray, places: Sequence[Places], values: np.ndarray) -> None:
    if all(isinstance(place, slice) for place in places):
        seen = target[(..., *places)]
        np.minimum(seen, values, out=seen)
        return
    _assign(target, places, np.minimum(_picked(target, places), values))


def _assign(target: np.ndarray, places: Sequence[Places], values: np.ndarray) -> None:
    extents = target.shape[target.ndim - len(places) :]
    indices = [np.arange(extent)[place] for extent, place in zip(extents, places)]
    target[(..., *np.ix_(*indices))] = values


def _maximum_by_window(
    a: np.ndarray, axes: Sequence[AdaptedWindows]
) -> tuple[np.ndarray, np.ndarray]:
    """Window by window, for a few large ones."""
    lead = a.shape[: a.ndim - len(axes)]
    counts, extents = [w.count for w in axes], [w.extent for w in axes]
    values, places = np.empty((*lead, *counts), a.dtype), np.empty((*lead, *counts), LONG)
    if not values.size:
        return values, places
    plane = np.arange(math.prod(extents)).reshape(extents)
    bounds = [list(zip(w.starts(), w.ends())) for w in axes]
    for cell in np.ndindex(*counts):
        inside = tuple(slice(*bounds[axis][place]) for axis, place in enumerate(cell))
        block = a[(..., *inside)].reshape(*lead, -1)
        where = _last_missing(block, np.argmax(block, -1))
        values[(..., *cell)] = np.take_along_axis(block, where[..., np.newaxis], -1)[..., 0]
        places[(..., *cell)] = plane[inside].reshape(-1)[where]
    return values, places


def _last_missing(rows: np.ndarray, where: np.ndarray) -> np.ndarray:
    """Of several NaNs, the last one."""
    missing = np.isnan(rows)
    if not missing.any():
        return where
    last = rows.shape[-1] - 1 - np.argmax(missing[..., ::-1], -1)
    return np.where(missing.any(-1), last, where)
