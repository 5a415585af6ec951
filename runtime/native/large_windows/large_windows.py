"""Convolutions and pooling by native code, for arrays that are large enough for it to pay."""

from __future__ import annotations

import functools
import math
from array import array as words
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from tsc.runtime.arrays.array import Array
from tsc.runtime.native.code.conditions import has_wide_vectors, vector_bytes
from tsc.runtime.native.code.kernel_library import function_of
from tsc.runtime.native.code.parallel_rows import WithScratch, run_in_parts, worthwhile_parts
from tsc.runtime.native.large_windows.channel_layout import (
    channel_tile,
    channel_vectors,
    columns_of,
    has_rows_of_one_channel,
)
from tsc.runtime.native.large_windows.window_layout import Geometry, Tables, tables_of
from tsc.runtime.native.large_windows.window_text import window_text
from tsc.runtime.native.large_windows.window_words import (
    MAXIMUM,
    MEAN,
    PRODUCT,
    Pointer,
    Tile,
    Word,
)

_AXES: Final = 3
_MOST_SHAPES: Final = 256
_WIDE_TILES: Final = ((8, 2), (6, 4), (4, 6), (1, 8), (1, 6), (1, 4))
_NARROW_TILES: Final = ((4, 3), (2, 4), (1, 6))
"""Rows and vectors whose sums fit into the registers of processors with AVX-512, and of others; better ones first."""
_VECTORS_OF_FEW: Final = 8
"""Of an image, whose vectors and tiles may be filled better together with others."""
TERMS_OF_ELEMENT: Final = 16
"""Terms of a sum that take about as long as an element of a pass over memory."""

_CUTS: Final = 4
"""Of what a thread takes: tiles and images are many."""


def convolve(
    a: Array,
    weight: Array,
    bias: Array | None,
    stride: Sequence[int],
    before: Sequence[int],
    dilation: Sequence[int],
    groups: int,
    counts: Sequence[int],
) -> Array:
    """(batch, channels, *extents) with (outputs, channels / groups, *kernel), of float32 or float64, to `counts`."""
    outputs = len(weight) // groups
    added = np.zeros(len(weight), a.dtype) if bias is None else np.ascontiguousarray(bias)
    wanted = Convolution(a, weight, stride, before, dilation, counts)
    if wanted.may_have_layers:
        layered = wanted.of_layers()
        if layered.vectors(outputs) <= len(a) * wanted.vectors(outputs):
            result = layered.convolved(added, groups)
            return np.ascontiguousarray(result[0].swapaxes(0, 1))
    return wanted.convolved(added, groups)


@dataclass(frozen=True, slots=True)
class Convolution:
    """Images, (batch, channels, *extents), weights, (outputs, channels of a group, *kernel), and where windows lie."""

    a: Array
    weight: Array
    stride: Sequence[int]
    before: Sequence[int]
    dilation: Sequence[int]
    counts: Sequence[int]

    @property
    def geometry(self) -> Geometry:
        settings = self.stride, self.before, self.dilation, self.counts
        weights = self.weight.strides[1:]
        return geometry_of(self.a, self.weight.shape[2:], *settings, self.weight.shape[1], weights)

    @property
    def may_have_layers(self) -> bool:
        """Whether there are several images of a few vectors each."""
        places = math.prod(self.counts)
        few = 0 < places * self.a.itemsize <= _VECTORS_OF_FEW * vector_bytes()
        return few and len(self.a) > 1 and len(self.counts) < _AXES and self.weight.shape[1] > 1

    def of_layers(self) -> Convolution:
        """The same with images as layers of a single one: vectors go across their ends, and weights are read once."""
        return Convolution(
            self.a.swapaxes(0, 1)[np.newaxis],
            self.weight[:, :, np.newaxis],
            (1, *self.stride),
            (0, *self.before),
            (1, *self.dilation),
            (len(self.a), *self.counts),
        )

    def vectors(self, outputs: int) -> int:
        """How many are computed of an image, those in vain included."""
        geometry = self.geometry
        tile = tile_of_product(geometry, outputs)
        return _computed(tile.rows, tile.vectors, outputs, tables_of(geometry).vectors)

    def convolved(self, added: Array, groups: int) -> Array:
        """The results, which begin with a number for each output."""
        result = np.empty((len(self.a), len(self.weight), *self.counts), self.a.dtype)
        geometry, outputs = self.geometry, len(self.weight) // groups
        tile = tile_of_product(geometry, outputs)
        arrays = (self.a, self.weight, added, result)
        _Windows(PRODUCT, arrays, geometry, tile, groups, outputs).compute()
        return result


def pool(
    a: Array,
    kernel: Sequence[int],
    stride: Sequence[int],
    before: Sequence[int],
    dilation: Sequence[int],
    counts: Sequence[int],
    sizes: Array | int | None,
) -> Array:
    """Maxima over windows of (batch, channels, *extents), or sums of them divided by `sizes`, of float32 or float64."""
    result = np.empty((*a.shape[:2], *counts), a.dtype)
    no_weights = (0,) * (1 + len(kernel))
    geometry = geometry_of(a, kernel, stride, before, dilation, counts, 1, no_weights)
    tables = tables_of(geometry)
    tile = best_tile(1, tables.vectors, geometry.lanes)
    if sizes is None:
        arrays = (a, a, a, result)
        _Windows(MAXIMUM, arrays, geometry, tile, a.shape[1], 1).compute()
        return result
    flat = np.broadcast_to(np.asarray(sizes, a.dtype), tuple(counts)).reshape(-1)
    arrays = (a, a, tables.in_lanes(flat, tile.vectors), result)
    _Windows(MEAN, arrays, geometry, tile, a.shape[1], 1).compute()
    return result


def geometry_of(
    a: Array,
    kernel: Sequence[int],
    stride: Sequence[int],
    before: Sequence[int],
    dilation: Sequence[int],
    counts: Sequence[int],
    channels: int,
    weight_steps: Sequence[int],
) -> Geometry:
    """Of windows over `a`, (batch, channels, *extents), where each group has so many channels, and of the strides of
    weights along these and the axes of the kernel.
    """
    missing = _AXES - len(kernel)
    ones, zeros = (1,) * missing, (0,) * missing
    return Geometry(
        (*ones, *a.shape[2:]),
        (*zeros, *a.strides[2:]),
        (*ones, *kernel),
        (*ones, *stride),
        (*zeros, *before),
        (*ones, *dilation),
        (*ones, *counts),
        channels,
        a.strides[1],
        (weight_steps[0], *zeros, *weight_steps[1:]),
        a.itemsize,
        vector_bytes() // a.itemsize,
    )


@functools.lru_cache(_MOST_SHAPES)
def tile_of_product(geometry: Geometry, outputs: int) -> Tile:
    """Of a convolution with so many outputs in a group."""
    if has_rows_of_one_channel(geometry):
        return channel_tile(geometry, is_wide=has_wide_vectors())
    return best_tile(outputs, tables_of(geometry).vectors, geometry.lanes)


@functools.lru_cache(_MOST_SHAPES)
def best_tile(outputs: int, vectors: int, lanes: int) -> Tile:
    """The tile that computes least in vain."""
    tiles = _WIDE_TILES if has_wide_vectors() else _NARROW_TILES
    fitting = [each for each in tiles if each[0] <= outputs]
    return Tile(*min(fitting, key=lambda each: _computed(*each, outputs, vectors)), lanes)


def _computed(rows: int, count: int, outputs: int, vectors: int) -> int:
    """Vectors of all outputs by tiles of so many rows and vectors."""
    return -(-outputs // rows) * rows * -(-vectors // count) * count


@dataclass(frozen=True, slots=True)
class _Windows:
    """What is to be computed: of the source, weights, what is added, and the result, in the places of pointers."""

    kind: str
    arrays: tuple[Array, Array, Array, Array]
    geometry: Geometry
    tile: Tile
    groups: int
    outputs: int

    def compute(self) -> None:
        source, weight, _, result = self.arrays
        tables, outputs = tables_of(self.geometry), self.outputs
        scratch = tables.scratch(self.geometry)
        tiles_first = self.kind != PRODUCT or scratch > weight.nbytes // self.groups
        layout, read, addresses = layout_of(
            self.geometry,
            self.tile,
            self.groups,
            outputs,
            source.strides[0],
            result.strides[1],
            weight.strides[0],
            tiles_first,
        )
        pointers = words("q", [*(each.ctypes.data for each in self.arrays), *addresses])
        items = len(source) * self.groups
        parts = worthwhile_parts(1 << 30, result.size * (1 + len(tables.terms) // TERMS_OF_ELEMENT))
        if items % parts == 0 or items > 4 * parts:
            kernel = WithScratch(self._function("items"), scratch)
            where = _address(pointers), _address(layout)
            run_in_parts(kernel, *where, items, 0, min(parts, items), _CUTS)
            return
        extent = (
            len(read[-1]) // self.tile.vectors if tiles_first else -(-outputs // self.tile.rows)
        )
        copied = np.empty(scratch, np.uint8)
        for item in range(items):
            self._compute_item(item, pointers, layout, extent, parts, tables, copied)

    def _compute_item(
        self,
        item: int,
        pointers: Any,
        layout: Any,
        extent: int,
        parts: int,
        tables: Tables,
        copied: Array,
    ) -> None:
        """An image's group by several threads: first they copy its planes, then they compute."""
        source, weight, added, result = self.arrays
        image, group = divmod(item, self.groups)
        channels = self.geometry.channels
        first = image * source.strides[0] + group * channels * source.strides[1]
        pointers[Pointer.SOURCE] = source.ctypes.data + first
        if self.kind == PRODUCT:
            pointers[Pointer.WEIGHT] = weight.ctypes.data + group * self.outputs * weight.strides[0]
            pointers[Pointer.ADDED] = added.ctypes.data + group * self.outputs * added.itemsize
        pointers[Pointer.RESULT] = result.ctypes.data + item * self.outputs * result.strides[1]
        where = _address(pointers), _address(layout)
        if tables.is_copied:
            of_copy = min(parts, channels)
            run_in_parts(self._function("copy"), *where, channels, copied.ctypes.data, of_copy)
        of_tiles = min(parts, extent)
        run_in_parts(self._function("tiles"), *where, extent, copied.ctypes.data, of_tiles, _CUTS)

    def _function(self, name: str) -> Any:
        return function_of(text_of(self.kind, self.arrays[0].dtype, self.tile, self.geometry), name)


def text_of(kind: str, dtype: np.dtype, tile: Tile, geometry: Geometry) -> str:
    """The kernels for a tile."""
    columns = columns_of(geometry)[0] if tile.lines > 1 else ()
    return window_text(kind, dtype, tile, columns)


def _address(table: Any) -> int:
    return table.buffer_info()[0]


@functools.lru_cache(_MOST_SHAPES)
def layout_of(
    geometry: Geometry,
    tile: Tile,
    groups: int,
    outputs: int,
    image_step: int,
    result_plane: int,
    weight_step: int,
    tiles_first: bool,
) -> tuple[Any, tuple[Array, ...], list[int]]:
    """The numbers that a kernel is told, the tables that it reads, that of vectors last, and where they lie."""
    tables = tables_of(geometry)
    if tile.lines > 1:
        terms, vectors = columns_of(geometry)[1], channel_vectors(geometry, tile)
    else:
        terms, vectors = tables.terms, tables.vector_words(tile.vectors, geometry.itemsize)
    layout = {
        Word.GROUPS: groups,
        Word.IMAGE_STEP: image_step,
        Word.CHANNEL_STEP: geometry.channel_step,
        Word.COLUMN_STEP: geometry.steps[2] * geometry.stride[2],
        Word.CHANNELS: geometry.channels,
        Word.OUTPUTS: outputs,
        Word.TERM_COUNT: len(tables.terms),
        Word.PLANE: tables.plane,
        Word.ROW_COUNT: len(tables.rows),
        Word.TILE_COUNT: len(vectors) // tile.vectors,
        Word.RESULT_PLANE: result_plane,
        Word.IS_COPIED: int(tables.is_copied),
        Word.TILES_FIRST: int(tiles_first),
        Word.LINE: tables.line,
        Word.RESULT_LINE: geometry.counts[2] * geometry.itemsize,
        Word.WEIGHT_STEP: weight_step,
    }
    read = tables.rows, terms, vectors
    return words("q", [layout[each] for each in Word]), read, [each.ctypes.data for each in read]
