"""Where windows of one channel lie in memory: the tables of tiles of several rows of results."""

from __future__ import annotations

import functools
from typing import Final

import numpy as np

from tsc.runtime.arrays.array import Array
from tsc.runtime.native.large_windows.window_layout import Geometry, tables_of
from tsc.runtime.native.large_windows.window_words import VECTOR_WORDS, Columns, Tile

_MOST_SHAPES: Final = 256
_WIDE_TILES: Final = ((7, 2), (7, 1), (4, 4), (2, 2))
_NARROW_TILES: Final = ((4, 2), (7, 1), (2, 2))
"""Rows of results, and vectors of each, whose sums fit into registers beside a column of weights."""
_READ: Final = 1.5
"""What it takes to read a vector, of the time that a product takes."""


def has_rows_of_one_channel(geometry: Geometry) -> bool:
    """Whether there are rows of windows that share rows of a plane, which is copied."""
    return (
        geometry.channels == geometry.extents[0] == geometry.counts[0] == geometry.kernel[0] == 1
        and geometry.kernel[1] > 1
        and geometry.counts[1] > 1
        and tables_of(geometry).is_copied
    )


def channel_tile(geometry: Geometry, *, is_wide: bool) -> Tile:
    """The tile that takes least time."""
    height, width = geometry.kernel[1:]
    vectors = -(-geometry.counts[2] // geometry.lanes)

    def cost(tile: tuple[int, int]) -> float:
        lines, beside = tile
        tiles = -(-geometry.counts[1] // lines) * -(-vectors // beside)
        return tiles * beside * width * ((lines + height - 1) * _READ + lines * height)

    fitting = [
        each
        for each in (_WIDE_TILES if is_wide else _NARROW_TILES)
        if each[0] <= geometry.counts[1]
    ]
    lines, beside = min(fitting, key=cost)
    return Tile(1, beside, geometry.lanes, lines)


@functools.lru_cache(_MOST_SHAPES)
def columns_of(geometry: Geometry) -> tuple[Columns, Array]:
    """The columns of a kernel by their rows, and the table that tells where they and their weights lie."""
    tables, (height, width) = tables_of(geometry), geometry.kernel[1:]
    step, spread = geometry.stride[1], geometry.dilation[1]
    found: dict[tuple[int, ...], list[list[int]]] = {}
    for column in range(width):
        for phase in range(step):
            elements = [k for k in range(height) if k * spread % step == phase]
            if not elements:
                continue
            rows = tuple(k * spread // step for k in elements)
            first = elements[0] * width + column
            begin = int(tables.terms[first, 0]) - rows[0] * tables.line
            weights = [int(tables.terms[k * width + column, 1]) for k in elements]
            found.setdefault(rows, []).append([begin, *weights])
    columns = tuple((rows, len(each)) for rows, each in found.items())
    table = [word for each in found.values() for column in each for word in column]
    return columns, np.array(table, np.int64)


@functools.lru_cache(_MOST_SHAPES)
def channel_vectors(geometry: Geometry, tile: Tile) -> Array:
    """What tiles read of their vectors; the last rows and vectors belong to several tiles, if they have to."""
    item, lanes = geometry.itemsize, geometry.lanes
    _, height, width = geometry.counts
    vectors = -(-width // lanes)
    line = tables_of(geometry).line
    table: list[tuple[int, ...]] = []
    for band in range(-(-height // tile.lines)):
        row = min(band * tile.lines, height - tile.lines)
        for number in range(-(-vectors // tile.vectors) * tile.vectors):
            column = min(number, vectors - 1) * lanes
            mask = (1 << min(lanes, width - column)) - 1
            places = row * line + column * item, (row * width + column) * item
            table.append((*places, mask, mask))
    return np.array(table, np.int64).reshape(-1, VECTOR_WORDS)
