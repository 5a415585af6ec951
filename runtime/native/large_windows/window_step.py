"""Convolutions and pooling as kernels of groups of operators, whose tables lie in the layout."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Final

import numpy as np

from tsc.runtime.arrays.array import Array
from tsc.runtime.native.large_windows.large_windows import (
    TERMS_OF_ELEMENT,
    Convolution,
    best_tile,
    geometry_of,
    layout_of,
    text_of,
    tile_of_product,
)
from tsc.runtime.native.large_windows.window_layout import Geometry, Tables, tables_of
from tsc.runtime.native.large_windows.window_words import (
    MAXIMUM,
    MEAN,
    PRODUCT,
    StepWord,
    Tile,
    Word,
)

_FEW_ITEMS: Final = 1
"""Threads share the inside of so many; of more each takes some."""


@dataclass(frozen=True, slots=True)
class StepKernel:
    """A function, how far its first axis goes, and what it takes, in elements of a pass over memory."""

    name: str
    extent: int
    work: int


@dataclass(frozen=True, slots=True)
class WindowStep:
    """The text of the kernels, what they are told, and how many bytes they need for copies of planes.

    `copy` comes before `compute`, if there is one: else each thread needs so many bytes of its own.
    """

    text: str
    layout: Sequence[int]
    scratch: int
    copy: StepKernel | None
    compute: StepKernel
    apart: str | None


def convolution_step(
    a: Array,
    weight: Array,
    result: Array,
    settings: Sequence[Sequence[int]],
    groups: int,
    *,
    has_bias: bool,
) -> WindowStep:
    """As `convolve` computes it, into `result`; the settings are stride, padding and dilation by axes."""
    stride, before, dilation = settings
    geometry = Convolution(a, weight, stride, before, dilation, result.shape[2:]).geometry
    outputs = len(weight) // groups
    tile = tile_of_product(geometry, outputs)
    tiles_first = tables_of(geometry).scratch(geometry) > weight.nbytes // groups
    steps = a.strides[0], result.strides[1], weight.strides[0]
    added = None if has_bias else np.zeros(len(weight), np.int64)
    given = geometry, tile, groups, outputs, *steps, tiles_first
    return _step(PRODUCT, result, given, len(a) * groups, added)


def pooling_step(
    a: Array, result: Array, settings: Sequence[Sequence[int]], *, averages: bool
) -> WindowStep:
    """As `pool` computes it, into `result`; the settings are kernel, stride, padding and dilation by axes. Averages are
    of all elements of a window, margins included.
    """
    kernel, stride, before, dilation = settings
    counts, channels = result.shape[2:], a.shape[1]
    geometry = geometry_of(a, kernel, stride, before, dilation, counts, 1, (0,) * (1 + len(kernel)))
    tables = tables_of(geometry)
    tile = best_tile(1, tables.vectors, geometry.lanes)
    added = None
    if averages:
        sizes = np.full(prod(counts), prod(kernel), a.dtype)
        added = tables.in_lanes(sizes, tile.vectors).reshape(-1).view(np.int64)
    given = geometry, tile, channels, 1, a.strides[0], result.strides[1], 0, True
    return _step(MEAN if averages else MAXIMUM, result, given, len(a) * channels, added)


def _step(
    kind: str,
    result: Array,
    given: tuple[Geometry, Tile, int, int, int, int, int, bool],
    items: int,
    added: Array | None,
) -> WindowStep:
    """With what `layout_of` is given, for so many images' groups; `added` is in words, where no array tells it."""
    geometry, tile, *_, tiles_first = given
    tables = tables_of(geometry)
    words, read, _ = layout_of(*given)
    layout = [*words, *[0] * len(StepWord)]
    for word, table in zip((StepWord.ROWS_AT, StepWord.TERMS_AT, StepWord.VECTORS_AT), read):
        layout[word] = len(layout)
        layout += table.reshape(-1).tolist()
    if added is not None:
        layout[StepWord.ADDED_AT] = len(layout)
        layout += added.tolist()
    text, scratch = text_of(kind, result.dtype, tile, geometry), max(tables.scratch(geometry), 1)
    work = result.size * (1 + len(tables.terms) // TERMS_OF_ELEMENT)
    if items > _FEW_ITEMS:
        compute = StepKernel("step", items, work)
        return WindowStep(text, layout, scratch, None, compute, "step_apart")
    outer = words[Word.TILE_COUNT] if tiles_first else -(-words[Word.OUTPUTS] // tile.rows)
    compute = StepKernel("step_tiles", outer, work)
    return WindowStep(text, layout, scratch, _copy(geometry, tables), compute, None)


def _copy(geometry: Geometry, tables: Tables) -> StepKernel | None:
    """What copies the planes of the only item, if they are."""
    if not tables.is_copied:
        return None
    elements = geometry.channels * tables.plane // geometry.itemsize
    return StepKernel("step_copy", geometry.channels, elements)
