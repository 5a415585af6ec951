"""Elements at places that a tensor names, or where one is true, and within margins, in groups."""

from __future__ import annotations

import numpy as np

from tsc.compiler.ir import Node, Value, constant_value, is_constant
from tsc.runtime.arrays.array import Array
from tsc.runtime.arrays.dtypes import BOOL
from tsc.runtime.native.expressions.instructions import NotLowered
from tsc.runtime.native.fusion.group_kernel import Kernel
from tsc.runtime.native.fusion.loop_space import LoopSpace
from tsc.runtime.native.fusion.recorded_group import RecordedGroup
from tsc.runtime.native.fusion.selection_text import filled_text, masked_text
from tsc.runtime.native.fusion.selections import (
    Named,
    copying_kernel,
    is_indexing,
    named_kernel,
    strided_kernel,
)


def is_placing(node: Node) -> bool:
    """Whether elements are put where one tensor says, in a list that is made for it alone."""
    return is_indexing(node) and all(map(is_constant, node.inputs[3:]))


def placed(node: Node, _group: RecordedGroup) -> list[Value]:
    """The tensors that are read: what is changed, the names or truths, and the elements."""
    return [node.inputs[0], node.inputs[1].node.inputs[0], node.inputs[2]]


def placing_kernels(node: Node, group: RecordedGroup) -> list[Kernel]:
    """A copy, and what is put there. Raises NotLowered."""
    before, names, source = placed(node, group)
    result, given = group.array(node.output), group.array(source)
    chosen = group.array(names)
    adds = any(group.value(each) for each in node.inputs[3:])
    if group.array(before).shape != result.shape or given.dtype != result.dtype:
        raise NotLowered
    copied = copying_kernel(group, (node.output, result), (before, group.array(before)))
    if chosen.dtype == BOOL:
        if adds or chosen.shape != result.shape[: chosen.ndim]:
            raise NotLowered
        rest = result.ndim - chosen.ndim
        strides = [
            result.strides,
            [*chosen.strides, *(0,) * rest],
            _of_every(given, result.shape[chosen.ndim :], chosen.ndim),
        ]
        space = LoopSpace(result.shape, strides)
        text = masked_text(space.rank, result.dtype)
        arrays = [(node.output, result), (names, chosen), (source, given)]
        return [copied, strided_kernel(group, text, space, [], arrays)]
    shape = (*chosen.shape, *result.shape[1:])
    strides = (
        [*(0,) * chosen.ndim, *result.strides[1:]],
        [*chosen.strides, *(0,) * (result.ndim - 1)],
        np.broadcast_to(given, shape).strides,
    )
    arrays = [(node.output, result), (names, chosen), (source, given)]
    way = "add" if adds else "write"
    return [copied, named_kernel(group, Named(shape, strides, 0), arrays, way, wraps=True)]


def _of_every(given: Array, shape: tuple[int, ...], ranks: int) -> list[int]:
    """Strides of what is put in every place that `ranks` axes choose. Raises NotLowered for different elements."""
    extra = given.ndim - len(shape)
    if any(extent != 1 for extent in given.shape[: max(extra, 0)]):
        raise NotLowered
    inner = given.reshape(given.shape[extra:]) if extra > 0 else given
    try:
        return [0] * ranks + list(np.broadcast_to(inner, shape).strides)
    except ValueError:
        raise NotLowered from None


# -- Margins -----------------------------------------------------------------------------------


def has_margins(node: Node) -> bool:
    """Whether a node puts margins of one number around a tensor."""
    mode = node.inputs[2]
    return node.kind == "aten::constant_pad_nd" or (
        is_constant(mode) and constant_value(mode) == "constant"
    )


def surrounded(node: Node, _group: RecordedGroup) -> list[Value]:
    """The tensor."""
    return [node.inputs[0]]


def margin_kernels(node: Node, group: RecordedGroup) -> list[Kernel]:
    """All elements as margins, then what is within. Raises NotLowered for margins that take something away."""
    value, result = node.inputs[0], group.array(node.output)
    inner, margins = group.array(value), group.value(node.inputs[1])
    number = group.value(node.inputs[-1])
    if inner.dtype != result.dtype or any(each < 0 for each in margins) or not inner.size:
        raise NotLowered
    if not is_constant(node.inputs[-1]):
        raise NotLowered
    begins = [0] * (inner.ndim - len(margins) // 2) + list(margins[-2::-2])
    within = result[tuple(slice(k, k + n) for k, n in zip(begins, inner.shape, strict=True))]
    space = LoopSpace(result.shape, [result.strides])
    text = filled_text(space.rank, result.dtype, 0 if number is None else number)
    return [
        strided_kernel(group, text, space, [], [(node.output, result)]),
        copying_kernel(group, (node.output, within), (value, inner)),
    ]
