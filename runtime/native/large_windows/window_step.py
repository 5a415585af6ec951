"""Convolutions as kernels of groups of operators: all of one is a single part, and its tables lie in the layout."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tsc.runtime.arrays.array import Array
from tsc.runtime.native.large_windows.large_windows import (
    Convolution,
    layout_of,
    text_of,
    tile_of_product,
)
from tsc.runtime.native.large_windows.window_layout import tables_of
from tsc.runtime.native.large_windows.window_words import PRODUCT, StepWord


@dataclass(frozen=True, slots=True)
class WindowStep:
    """The text of the kernel, what it is told, how many bytes it needs for copies of planes, and its name."""

    text: str
    layout: Sequence[int]
    scratch: int
    name: str = "step"


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
    scratch = tables_of(geometry).scratch(geometry)
    tiles_first = scratch > weight.nbytes // groups
    steps = a.strides[0], result.strides[1], weight.strides[0]
    words, tables, _ = layout_of(geometry, tile, groups, outputs, *steps, tiles_first)
    layout = [*words, *[0] * len(StepWord)]
    layout[StepWord.ITEMS] = len(a) * groups
    for word, table in zip((StepWord.ROWS_AT, StepWord.TERMS_AT, StepWord.VECTORS_AT), tables):
        layout[word] = len(layout)
        layout += table.reshape(-1).tolist()
    if not has_bias:
        layout[StepWord.ADDED_AT] = len(layout)
        layout += [0] * len(weight)
    return WindowStep(text_of(PRODUCT, a.dtype, tile, geometry), layout, max(scratch, 1))
