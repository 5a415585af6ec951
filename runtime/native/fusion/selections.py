"""Operators in groups that find elements of small tensors: which nodes are such, and their kernels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import Final

import numpy as np

from tsc.compiler.ir import Node, Value, constant_value, is_constant, prim
from tsc.compiler.types import INT, TypeKind
from tsc.runtime.arrays.array import Array
from tsc.runtime.arrays.dtypes import DOUBLE, FLOAT, LONG
from tsc.runtime.native.expressions.instructions import NotLowered
from tsc.runtime.native.fusion.group_kernel import Kernel, Source, source_of
from tsc.runtime.native.fusion.loop_space import LoopSpace
from tsc.runtime.native.fusion.recorded_group import RecordedGroup
from tsc.runtime.native.fusion.selection_text import (
    copy_text,
    extreme_text,
    named_text,
    one_hot_text,
    running_text,
)
from tsc.runtime.native.fusion.strided_text import NAME
from tsc.runtime.values.tensor import Tensor

_MOST_PASSED: Final = 1 << 12
"""In rows without gaps, beyond which NumPy finds extremes by vectors."""
INDEX_DTYPES: Final = (LONG, np.dtype(np.int32))


def selected(node: Node, group: RecordedGroup) -> list[Value]:
    """The tensors that such a node reads."""
    others = node.inputs[1].node.inputs if node.kind == "aten::index" else node.inputs[1:]
    return [each for each in (node.inputs[0], *others) if isinstance(group.value(each), Tensor)]


def has_known_numbers(node: Node) -> bool:
    """Whether all that is no tensor is known before the program runs, or may follow from sizes."""
    return all(
        is_constant(each) or each.type.kind is TypeKind.TensorType or each.type == INT
        for each in node.inputs
    )


def is_along_dimension(node: Node) -> bool:
    """Whether a node that has other forms, too, is one along a dimension."""
    return node.has_named_input("dim") and node.get("dim") is not None and has_known_numbers(node)


def is_indexing(node: Node) -> bool:
    """Whether the first dimension is indexed by a tensor in a list that is made for it alone."""
    made = node.inputs[1]
    if made.node.kind != prim.ListConstruct or len(made.uses) > 1 or len(made.node.inputs) != 1:
        return False
    return made.node.inputs[0].type.kind is TypeKind.TensorType


def is_scattering(node: Node) -> bool:
    """Whether what is scattered is a tensor."""
    return len(node.inputs) in (4, 5) and (
        node.inputs[3].type.kind is TypeKind.TensorType and has_known_numbers(node)
    )


def is_reducing(node: Node) -> bool:
    """Whether what is scattered is joined with what is there, in a way that is known and has native code."""
    ways = [constant_value(each) for each in node.inputs[4:] if is_constant(each)]
    return ways in (["sum", True], ["amax", True], ["amin", True]) and is_constant(node.inputs[1])


def dimension_of(node: Node, group: RecordedGroup, array: Array) -> int:
    if array.ndim == 0:
        raise NotLowered
    return group.value(node.named_input("dim")) % array.ndim


def strided_kernel(
    group: RecordedGroup,
    text: str,
    space: LoopSpace,
    words: Sequence[int],
    arrays: Sequence[tuple[Value, Array]],
    written: int = 1,
    elements: int | None = None,
) -> Kernel:
    """Of a text for such a space, with further words for its layout. It goes through so many elements, or all."""
    sources = tuple(source_of(group, value, array) for value, array in arrays)
    layout = [*space.layout(), *words]
    if elements is None:
        elements = sum(array.size for _, array in arrays)
    return Kernel(NAME, text, layout, space.extents[0], sources, written, elements)


# -- By numbers ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Named:
    """Arrays as they are seen at each name: strides of the result, the names and the source, by the axes of a shape;
    `axis` is that of the array whose places are named.
    """

    shape: tuple[int, ...]
    strides: tuple[Sequence[int], Sequence[int], Sequence[int]]
    axis: int


def _without(strides: Sequence[int], axis: int) -> list[int]:
    """With no step along an axis."""
    return [0 if k == axis else step for k, step in enumerate(strides)]


def _along(names: Array, axis: int, rank: int) -> list[int]:
    """Strides of a row, which lies along one axis of several. Raises NotLowered for what is no row."""
    if names.ndim != 1:
        raise NotLowered
    return [names.strides[0] if k == axis else 0 for k in range(rank)]


def gathering_kernels(node: Node, group: RecordedGroup) -> list[Kernel]:
    """Of `gather`, `index_select`, `embedding` and `index`. Raises NotLowered."""
    values = [node.output, *_table_and_names(node, group)]
    result, table, names = map(group.array, values)
    if node.kind == "aten::gather":
        axis = dimension_of(node, group, table)
        of_names, of_table = names.strides, _without(table.strides, axis)
    elif node.kind == "aten::index_select":
        axis = dimension_of(node, group, table)
        of_names = _along(names, axis, result.ndim)
        of_table = _without(table.strides, axis)
    else:
        axis = 0
        of_names = [*names.strides, *(0,) * (table.ndim - 1)]
        of_table = [*(0,) * names.ndim, *table.strides[1:]]
    named = Named(result.shape, (result.strides, of_names, of_table), axis)
    arrays = (values[0], result), (values[2], names), (values[1], table)
    return [named_kernel(group, named, arrays, "read", wraps=node.kind == "aten::index")]


def _table_and_names(node: Node, group: RecordedGroup) -> list[Value]:
    values = selected(node, group)
    if len(values) != 2:
        raise NotLowered
    return values


def scattering_kernels(node: Node, group: RecordedGroup) -> list[Kernel]:
    """Of `scatter`, `scatter_add`, `scatter_reduce` and `index_add`: a copy, and what is written to it. Raises
    NotLowered.
    """
    before, names, source = (group.array(each) for each in selected(node, group))
    result = group.array(node.output)
    axis = dimension_of(node, group, result)
    if before.shape != result.shape or source.dtype != result.dtype:
        raise NotLowered
    by_rows = node.kind == "aten::index_add"
    if by_rows and group.value(node.named_input("alpha")) != 1:
        raise NotLowered
    shape = source.shape if by_rows else names.shape
    of_names = _along(names, axis, result.ndim) if by_rows else names.strides
    named = Named(shape, (_without(result.strides, axis), of_names, source.strides), axis)
    values = selected(node, group)
    arrays = (node.output, result), (values[1], names), (values[2], source)
    way = "write" if node.kind == "aten::scatter" else "add"
    if node.kind == "aten::scatter_reduce" and group.value(node.inputs[4]) != "sum":
        way = group.value(node.inputs[4])
    return [
        copying_kernel(group, arrays[0], (values[0], before)),
        named_kernel(group, named, arrays, way, wraps=False),
    ]


def copying_kernel(
    group: RecordedGroup, to: tuple[Value, Array], of: tuple[Value, Array]
) -> Kernel:
    """Copies elements from one array to another one of the same shape and dtype."""
    sources = [source_of(group, value, array) for value, array in (to, of)]
    return copying_between((sources[0], to[1]), (sources[1], of[1]))


def copying_between(to: tuple[Source, Array], of: tuple[Source, Array]) -> Kernel:
    """The same, of arrays that may lie in memory of a step."""
    space = LoopSpace(to[1].shape, [to[1].strides, of[1].strides])
    near = all(each[-1] == to[1].itemsize for each in space.strides)
    text = copy_text(space.rank, to[1].dtype, are_near=near)
    elements = 2 * to[1].size
    return Kernel(NAME, text, space.layout(), space.extents[0], (to[0], of[0]), 1, elements)


def named_kernel(
    group: RecordedGroup,
    named: Named,
    arrays: Sequence[tuple[Value, Array]],
    way: str,
    *,
    wraps: bool,
) -> Kernel:
    """Rows along which the name is the same are gone through by themselves. Raises NotLowered."""
    (_, result), (_, names), (_, source) = arrays
    if names.dtype not in INDEX_DTYPES or source.dtype != result.dtype:
        raise NotLowered
    if not len(named.shape) == len(named.strides[1]) == len(named.strides[2]):
        raise NotLowered
    moved = source if way == "read" else result
    lying = [step or moved.strides[named.axis] for step in named.strides[0]]
    space = LoopSpace(named.shape, named.strides, lying)
    extent, of_result, of_source = 1, 0, 0
    if space.strides[1][-1] == 0:
        extent, (of_result, _, of_source) = space.split_last()
    words = [moved.shape[named.axis], moved.strides[named.axis], extent, of_result, of_source]
    near = of_result == of_source == result.itemsize
    text = named_text(space.rank, result.dtype, names.dtype, way=way, wraps=wraps, are_near=near)
    kernel = strided_kernel(group, text, space, words, arrays, elements=2 * prod(named.shape))
    return replace(kernel, has_parts=way == "read")


def one_hot_kernels(node: Node, group: RecordedGroup) -> list[Kernel]:
    """Of `one_hot` with a number of classes. Raises NotLowered."""
    result, names = group.array(node.output), group.array(node.inputs[0])
    if names.dtype is not LONG or group.value(node.inputs[1]) < 1:
        raise NotLowered
    space = LoopSpace(names.shape, [result.strides[:-1], names.strides])
    words = [result.shape[-1], result.strides[-1]]
    arrays = (node.output, result), (node.inputs[0], names)
    return [strided_kernel(group, one_hot_text(space.rank), space, words, arrays)]


# -- Along a dimension -------------------------------------------------------------------------


def _rows(
    node: Node, group: RecordedGroup, rows: Array, results: Sequence[Array]
) -> tuple[LoopSpace, int, list[int]]:
    """The space of rows, the extent of one, and the steps in it of results and rows. Raises NotLowered for none."""
    axis = dimension_of(node, group, rows)
    arrays = [*results, rows]
    if any(each.ndim != rows.ndim for each in arrays) or not rows.size:
        raise NotLowered
    outer = [k for k in range(rows.ndim) if k != axis]
    strides = [[each.strides[k] for k in outer] for each in arrays]
    space = LoopSpace([rows.shape[k] for k in outer], strides)
    return space, rows.shape[axis], [each.strides[axis] for each in arrays]


def extreme_kernels(node: Node, group: RecordedGroup) -> list[Kernel]:
    """Of `max` and `min` along a dimension, `argmax` and `argmin`. Raises NotLowered."""
    *values, places = node.outputs
    rows = group.array(node.inputs[0])
    results = [group.array(each) for each in (places, *values)]
    axis = dimension_of(node, group, rows)
    kept = [each if each.ndim == rows.ndim else np.expand_dims(each, axis) for each in results]
    space, extent, steps = _rows(node, group, rows, kept)
    if rows.size > _MOST_PASSED and steps[-1] == rows.itemsize:
        raise NotLowered
    largest = node.kind in ("aten::max", "aten::argmax")
    text = extreme_text(space.rank, rows.dtype, largest=largest, has_values=bool(values))
    arrays = [*zip((places, *values), results), (node.inputs[0], rows)]
    return [strided_kernel(group, text, space, [extent, steps[-1]], arrays, len(results))]


def running_kernels(node: Node, group: RecordedGroup) -> list[Kernel]:
    """Of `cumsum` and `cumprod`. Raises NotLowered."""
    rows, result = group.array(node.inputs[0]), group.array(node.output)
    space, extent, steps = _rows(node, group, rows, [result])
    carried = DOUBLE if result.dtype == FLOAT else result.dtype
    multiplies = node.kind == "aten::cumprod"
    if carried not in (DOUBLE, LONG):
        raise NotLowered
    text = running_text(space.rank, rows.dtype, carried, result.dtype, multiplies=multiplies)
    arrays = (node.output, result), (node.inputs[0], rows)
    return [strided_kernel(group, text, space, [extent, *steps], arrays)]
