"""Sorting and selecting along a dimension in groups, with equal elements where PyTorch leaves them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from tsc.compiler.ir import Node, Value
from tsc.runtime.arrays.array import Array
from tsc.runtime.arrays.dtypes import LONG
from tsc.runtime.native.expressions.instructions import NotLowered
from tsc.runtime.native.fusion.group_kernel import Kernel, Scratch, Source, source_of
from tsc.runtime.native.fusion.loop_space import LoopSpace
from tsc.runtime.native.fusion.recorded_group import RecordedGroup
from tsc.runtime.native.fusion.selection_text import middle_text
from tsc.runtime.native.fusion.selections import copying_between, dimension_of
from tsc.runtime.native.fusion.strided_text import NAME
from tsc.runtime.native.large_arrays.ordering_text import ordering_text
from tsc.runtime.numerics.unstable_order import LIMIT
from tsc.runtime.operators.selecting.sorting import ORDERED_NATIVELY, SHORT

_PASSES: Final = 8
"""How many passes over memory an order takes as long as, about."""


class _Rows:
    """Arrays along one axis as rows without gaps: where they lie, or copied before or after the step."""

    def __init__(self, group: RecordedGroup, axis: int) -> None:
        self._group, self._axis = group, axis
        self.copies_before: list[Kernel] = []
        self.copies_after: list[Kernel] = []

    def read(self, value: Value) -> Source:
        place, array, rows = self._lying(value)
        if rows is not place:
            laid = np.empty(array.shape, array.dtype)
            self.copies_before.append(copying_between((rows, laid), (place, array)))
        return rows

    def written(self, value: Value) -> Source:
        place, array, rows = self._lying(value)
        if rows is not place:
            laid = np.empty(array.shape, array.dtype)
            self.copies_after.append(copying_between((place, array), (rows, laid)))
        return rows

    def _lying(self, value: Value) -> tuple[Source, Array, Source]:
        """Where an array is, its rows, and where these are without gaps."""
        array = np.moveaxis(self._group.array(value), self._axis, -1)
        place = source_of(self._group, value, array)
        if array.flags.c_contiguous:
            return place, array, place
        return place, array, Source(Scratch(array.nbytes), 0)


def order_kernels(node: Node, group: RecordedGroup) -> list[Kernel]:
    """Of `sort` and `argsort`. Raises NotLowered."""
    rows = _ordered(node, group)
    extent = rows.shape[-1]
    is_stable = node.has_named_input("stable") and group.value(node.named_input("stable"))
    if is_stable and extent > SHORT:
        raise NotLowered
    descending = group.value(node.named_input("descending"))
    text = ordering_text(rows.dtype, descending=descending)
    return _kernels(node, group, "sorted", text, [extent])


def first_kernels(node: Node, group: RecordedGroup) -> list[Kernel]:
    """Of `topk`. Raises NotLowered."""
    rows = _ordered(node, group)
    count, largest, in_order = (
        group.value(node.named_input(each)) for each in ("k", "largest", "sorted")
    )
    if count == 0:
        raise NotLowered
    text = ordering_text(rows.dtype, descending=largest, by_one=True)
    layout = [rows.shape[-1], count, int(in_order)]
    memory = Scratch(rows.shape[-1] * (rows.itemsize + LONG.itemsize))
    return _kernels(node, group, "first", text, layout, [Source(memory, 0)])


def middle_kernels(node: Node, group: RecordedGroup) -> list[Kernel]:
    """Of `median` along a dimension: what comes first up to the middle, and the place of the last of these. Raises
    NotLowered.
    """
    rows = _ordered(node, group)
    values, places = node.outputs
    axis = dimension_of(node, group, group.array(node.inputs[0]))
    results = [group.array(each) for each in (values, places)]
    if results[0].ndim == rows.ndim:
        results = [each.squeeze(axis) for each in results]
    extent = rows.shape[-1]
    count = (extent + 1) // 2
    lying = _Rows(group, axis)
    read = lying.read(node.inputs[0])
    all_rows, row = rows.size // extent, extent * (rows.itemsize + LONG.itemsize)
    bytes_of = all_rows * count * rows.itemsize, all_rows * count * LONG.itemsize, row
    keys, numbers, memory = (Source(Scratch(each), 0) for each in bytes_of)
    first = Kernel(
        "first",
        ordering_text(rows.dtype, descending=False, by_one=True),
        [extent, count, 0],
        all_rows,
        (keys, numbers, memory, read),
        3,
        _PASSES * rows.size,
        has_parts=False,
    )
    laid = np.empty((*rows.shape[:-1], count), rows.dtype)
    strides = [*(each.strides for each in results), laid.strides[:-1], rows.strides[:-1]]
    space = LoopSpace(rows.shape[:-1], strides)
    sources = (
        *(source_of(group, value, array) for value, array in zip((values, places), results)),
        Source(keys.value, (count - 1) * rows.itemsize),
        source_of(group, node.inputs[0], rows),
    )
    text = middle_text(space.rank, rows.dtype)
    layout = [*space.layout(), extent, rows.strides[-1], count]
    found = Kernel(NAME, text, layout, space.extents[0], sources, 2, 2 * rows.size)
    return [*lying.copies_before, first, found]


def _ordered(node: Node, group: RecordedGroup) -> Array:
    """What is ordered, with the axis of rows as the last one. Raises NotLowered."""
    array = group.array(node.inputs[0])
    rows = np.moveaxis(array, dimension_of(node, group, array), -1)
    if not 0 < rows.size <= LIMIT or rows.dtype not in ORDERED_NATIVELY or not rows.strides[-1]:
        raise NotLowered
    return rows


def _kernels(
    node: Node,
    group: RecordedGroup,
    name: str,
    text: str,
    layout: Sequence[int],
    memory: Sequence[Source] = (),
) -> list[Kernel]:
    """Of a function that writes keys, places and memory, and reads rows."""
    *values, places = node.outputs
    ordered = _ordered(node, group)
    rows = _Rows(group, dimension_of(node, group, group.array(node.inputs[0])))
    if values:
        keys = rows.written(values[0])
    else:
        keys = Source(Scratch(ordered.nbytes), 0)
    sources = (keys, rows.written(places), *memory, rows.read(node.inputs[0]))
    count, elements = ordered.size // ordered.shape[-1], _PASSES * ordered.size
    results = len(sources) - 1
    kernel = Kernel(name, text, layout, count, sources, results, elements, has_parts=not memory)
    return [*rows.copies_before, kernel, *rows.copies_after]
