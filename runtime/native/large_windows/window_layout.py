"""Where windows lie in memory: the tables that kernels over windows read, made once for shapes and strides."""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass
from typing import Final

import numpy as np

from tsc.runtime.arrays.array import Array
from tsc.runtime.native.large_windows.window_words import ROW_WORDS, VECTOR_WORDS

_MOST_SHAPES: Final = 256
_LINE: Final = 64


@dataclass(frozen=True, slots=True)
class Geometry:
    """Windows of planes of up to three dimensions, missing ones with an extent of 1."""

    extents: tuple[int, ...]
    steps: tuple[int, ...]
    """The strides of a plane, in bytes."""
    kernel: tuple[int, ...]
    stride: tuple[int, ...]
    before: tuple[int, ...]
    """Elements of margin in front; those behind are as many as the windows need."""
    dilation: tuple[int, ...]
    counts: tuple[int, ...]
    """How many windows there are."""
    channels: int
    channel_step: int
    weight_steps: tuple[int, ...]
    """The strides of weights: bytes from a channel to the next one, then along the axes of the kernel."""
    itemsize: int
    lanes: int


@dataclass(frozen=True, slots=True)
class Tables:
    """The tables of a geometry; those of vectors for tiles of any number of them."""

    is_copied: bool
    plane: int
    """Bytes from a plane to the next one."""
    line: int
    """Bytes from a row to the next one."""
    rows: Array
    terms: Array
    """Of each term, bytes from the first elements of windows to its own, and from an output's first weight."""
    starts: Array
    """The first lane of each vector, counted in elements of the plane."""
    lanes: Array
    """Which lanes of each vector are results."""
    places: Array
    """The number of the window in the first of these lanes; those of the others follow it."""

    @property
    def vectors(self) -> int:
        return len(self.starts)

    def scratch(self, geometry: Geometry) -> int:
        """Bytes that copies of planes take, with what vectors read beyond the end."""
        if not self.is_copied:
            return 0
        return geometry.channels * self.plane + geometry.lanes * geometry.itemsize

    def vector_words(self, count: int, itemsize: int) -> Array:
        """What tiles of `count` vectors read."""
        chosen = self._in_tiles(count)
        lanes = self.lanes[chosen]
        table = np.empty((len(chosen), VECTOR_WORDS), np.int64)
        table[:, 0] = self.starts[chosen] * itemsize
        table[:, 1] = self.places[chosen] * itemsize
        table[:, 2] = (lanes.astype(np.int64) << np.arange(lanes.shape[1])).sum(1)
        table[:, 3] = (np.int64(1) << lanes.sum(1)) - 1
        return table

    def in_lanes(self, numbers: Array, count: int) -> Array:
        """A number for each window, in the lanes of tiles of `count` vectors."""
        places = self.places[:, np.newaxis] + np.cumsum(self.lanes, 1) - 1
        found = numbers.take(places, mode="clip")
        return np.where(self.lanes, found, numbers.dtype.type(1))[self._in_tiles(count)]

    def _in_tiles(self, count: int) -> Array:
        """The vectors of tiles: the last tile repeats the last vector."""
        return np.minimum(np.arange(-(-self.vectors // count) * count), self.vectors - 1)


@functools.lru_cache(_MOST_SHAPES)
def tables_of(geometry: Geometry) -> Tables:
    """The tables of a geometry; planes are read where they lie if they can be."""
    if _lies_well(geometry):
        return _tables(geometry, geometry.extents, [(0,)] * 3, is_copied=False)
    residues = [
        sorted({k * d % s for k in range(size)})
        for size, d, s in zip(geometry.kernel, geometry.dilation, geometry.stride)
    ]
    extents = [
        count + max(k * d // s for k in range(size))
        for count, size, d, s in zip(
            geometry.counts, geometry.kernel, geometry.dilation, geometry.stride
        )
    ]
    return _tables(geometry, tuple(extents), residues, is_copied=True)


def _lies_well(geometry: Geometry) -> bool:
    """Whether windows can be read without a copy."""
    if any(each != 1 for each in geometry.stride) or any(geometry.before):
        return False
    needed = [
        c + d * (k - 1) for c, d, k in zip(geometry.counts, geometry.dilation, geometry.kernel)
    ]
    if any(n > extent for n, extent in zip(needed, geometry.extents)):
        return False
    step = geometry.itemsize
    for extent, taken in zip(reversed(geometry.extents), reversed(geometry.steps)):
        if extent != 1 and taken != step:
            return False
        step *= extent
    return _reach(geometry.counts, geometry.extents) >= geometry.lanes


def _reach(counts: tuple[int, ...], extents: tuple[int, ...]) -> int:
    """Elements of a plane from the first window's place to the last one's."""
    last = 0
    for count, extent in zip(counts, extents):
        last = last * extent + count - 1
    return last + 1


def _tables(
    geometry: Geometry,
    extents: tuple[int, ...],
    residues: list[list[int]] | list[tuple[int]],
    *,
    is_copied: bool,
) -> Tables:
    """For planes of `extents`, of which a channel has one for each combination of residues."""
    item, lanes = geometry.itemsize, geometry.lanes
    phases = [(z, y, x) for z in residues[0] for y in residues[1] for x in residues[2]]
    size = math.prod(extents) * item
    plane = geometry.channel_step if not is_copied else _spread(len(phases) * size)
    of_plane = [
        _term(geometry, extents, phases if is_copied else None, size, position)
        for position in np.ndindex(*geometry.kernel)
    ]
    weights = [
        sum(k * step for k, step in zip(position, geometry.weight_steps[1:]))
        for position in np.ndindex(*geometry.kernel)
    ]
    channels = np.arange(geometry.channels)
    terms = np.stack(
        [
            np.add.outer(channels * plane, of_plane).reshape(-1),
            np.add.outer(channels * geometry.weight_steps[0], weights).reshape(-1),
        ],
        1,
    ).astype(np.int64)
    starts, valid, places = _vectors(geometry.counts, extents, lanes, is_copied)
    rows = (
        _rows(geometry, extents, phases, size) if is_copied else np.zeros((0, ROW_WORDS), np.int64)
    )
    return Tables(is_copied, plane, extents[2] * item, rows, terms, starts, valid, places)


def _spread(size: int) -> int:
    """Bytes for planes such that those of many channels do not fall into the same places of caches."""
    size = -(-size // _LINE) * _LINE
    return size + _LINE if size % (2 * _LINE) == 0 else size


def _term(
    geometry: Geometry,
    extents: tuple[int, ...],
    phases: list[tuple[int, int, int]] | None,
    size: int,
    position: tuple[int, ...],
) -> int:
    """Where the element at a position of the kernel is of the first window, in bytes from the plane's begin."""
    reached = [k * d for k, d in zip(position, geometry.dilation)]
    offset = 0
    for at, extent, step in zip(reached, extents, geometry.stride):
        offset = offset * extent + at // step
    if phases is None:
        return offset * geometry.itemsize
    z, y, x = (at % step for at, step in zip(reached, geometry.stride))
    return phases.index((z, y, x)) * size + offset * geometry.itemsize


def _vectors(
    counts: tuple[int, ...], extents: tuple[int, ...], lanes: int, is_copied: bool
) -> tuple[Array, Array, Array]:
    """As few vectors as have all windows: where they begin, which lanes are windows, and which ones."""
    reach = _reach(counts, extents)
    valid, _ = _windows_at(np.arange(reach), counts, extents)
    starts = _fewest(valid, lanes)
    if not is_copied:
        starts = np.minimum(starts, reach - lanes)
    valid, places = _windows_at(starts[:, np.newaxis] + np.arange(lanes), counts, extents)
    return starts, valid, places[np.arange(len(starts)), valid.argmax(1)]


def _windows_at(
    at: Array, counts: tuple[int, ...], extents: tuple[int, ...]
) -> tuple[Array, Array]:
    """Of elements of a plane, whether there is a window, and its number."""
    column, line = at % extents[2], at // extents[2]
    row, layer = line % extents[1], line // extents[1]
    valid = (column < counts[2]) & (row < counts[1]) & (layer < counts[0])
    return valid, (layer * counts[1] + row) * counts[2] + column


def _fewest(wanted: Array, lanes: int) -> Array:
    """Where vectors begin that have all wanted elements: each with the first one that those before it have not."""
    count = len(wanted)
    at = np.where(wanted, np.arange(count), count)
    following = np.append(np.minimum.accumulate(at[::-1])[::-1], np.full(lanes, count)).tolist()
    starts: list[int] = []
    place = following[0]
    while place < count:
        starts.append(place)
        place = following[place + lanes]
    return np.array(starts, np.int64)


def _rows(
    geometry: Geometry, extents: tuple[int, ...], phases: list[tuple[int, int, int]], size: int
) -> Array:
    """The rows of copied planes: what of them is margin, and what comes from where."""
    item = geometry.itemsize
    rows: list[tuple[int, ...]] = []
    for number, phase in enumerate(phases):
        low, high = _covered(geometry, extents, phase, 2)
        first = low * geometry.stride[2] + phase[2] - geometry.before[2]
        for layer in range(extents[0]):
            for line in range(extents[1]):
                target = number * size + (layer * extents[1] + line) * extents[2] * item
                at = [
                    index * geometry.stride[axis] + phase[axis] - geometry.before[axis]
                    for axis, index in enumerate((layer, line))
                ]
                if high <= low or any(not 0 <= a < n for a, n in zip(at, geometry.extents)):
                    rows.append((target, 0, extents[2], 0, 0))
                    continue
                source = sum(a * s for a, s in zip([*at, first], geometry.steps))
                rows.append((target, source, low, high - low, extents[2] - high))
    return np.array(rows, np.int64).reshape(-1, ROW_WORDS)


def _covered(
    geometry: Geometry, extents: tuple[int, ...], phase: tuple[int, int, int], axis: int
) -> tuple[int, int]:
    """The part of a plane's axis that is not margin."""
    step, shift = geometry.stride[axis], phase[axis] - geometry.before[axis]
    low = max(0, -(shift // step))
    high = min(extents[axis], (geometry.extents[axis] - 1 - shift) // step + 1)
    return low, high
