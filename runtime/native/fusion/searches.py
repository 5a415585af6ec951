"""Places of values among sorted ones, in groups: halving what may be left as often as its length allows."""

from __future__ import annotations

import functools

import numpy as np

from tsc.compiler.ir import Node, Value, constant_value, is_constant
from tsc.compiler.types import TypeKind
from tsc.runtime.arrays.dtypes import BOOL, LONG
from tsc.runtime.native.expressions.instructions import (
    Element,
    NotLowered,
    is_floating,
    is_unsigned,
)
from tsc.runtime.native.fusion.group_kernel import Kernel
from tsc.runtime.native.fusion.loop_space import LoopSpace
from tsc.runtime.native.fusion.recorded_group import RecordedGroup
from tsc.runtime.native.fusion.selection_text import refuse_nan
from tsc.runtime.native.fusion.selections import strided_kernel
from tsc.runtime.native.fusion.strided_text import StridedText


def is_search(node: Node) -> bool:
    """Whether tensors are looked for, by settings that are constants, and without another order."""
    settings = node.inputs[2:]
    if any(each.type.kind is not TypeKind.TensorType for each in node.inputs[:2]):
        return False
    return all(map(is_constant, settings)) and (
        len(settings) < 4 or constant_value(settings[3]) is None
    )


def searched(node: Node, _group: RecordedGroup) -> list[Value]:
    """The tensors that are in order, and those that are looked for."""
    first, second = node.inputs[:2]
    return [second, first] if node.kind == "aten::bucketize" else [first, second]


def search_kernels(node: Node, group: RecordedGroup) -> list[Kernel]:
    """The one kernel of a search. Raises NotLowered."""
    of_order, of_values = searched(node, group)
    order, values, result = (group.array(each) for each in (of_order, of_values, node.output))
    if (
        result.dtype != LONG
        or order.dtype != values.dtype
        or order.dtype == BOOL
        or not result.size
    ):
        raise NotLowered
    is_right = group.value(node.named_input("right"))
    if node.has_named_input("side"):
        is_right |= group.value(node.named_input("side")) == "right"
    outer = order.strides[:-1] if order.ndim > 1 else (0,) * max(values.ndim - 1, 0)
    steps = [result.strides, values.strides, [*outer, 0][: values.ndim]]
    space = LoopSpace(values.shape, steps)
    text = search_text(space.rank, order.dtype, is_right=bool(is_right))
    extent = order.shape[-1]
    arrays = (node.output, result), (of_values, values), (of_order, order)
    words = [extent, order.strides[-1], extent.bit_length()]
    turns = values.size * max(extent.bit_length(), 1)
    return [strided_kernel(group, text, space, words, arrays, elements=turns)]


@functools.cache
def search_text(rank: int, dtype: np.dtype, *, is_right: bool) -> str:
    """Pointers to places, values, and the rows in order; the layout goes on with the extent of a row, its step, and how
    often it is halved. A value belongs in front of equal ones, or behind them.
    """
    code = StridedText(3, rank)
    extent, step, turns = (code.take() for _ in range(3))
    last = code.add(f"add i64 {extent}, -1")
    kind = "fcmp o" if is_floating(dtype) else f"icmp {'u' if is_unsigned(dtype) else 's'}"
    with code.places() as (place, at, row):
        value = code.load(at, dtype)
        refuse_nan(code, value)
        begin, length = code.slot("i64", "0"), code.slot("i64", extent)
        with code.loop("0", turns):
            first, left = (code.add(f"load i64, ptr {each}") for each in (begin, length))
            half = code.add(f"lshr i64 {left}, 1")
            middle = code.add(f"add i64 {first}, {half}")
            is_within = code.add(f"icmp slt i64 {middle}, {extent}")
            known = code.add(f"select i1 {is_within}, i64 {middle}, i64 {last}")
            other = code.load(code.moved(row, (known, step)), dtype)
            refuse_nan(code, other)
            is_before = code.compare(f"{kind}{'le' if is_right else 'lt'}", other, value)
            is_left = Element(code.add(f"icmp ne i64 {left}, 0"), BOOL)
            goes_on = code.binary("and", is_before, is_left).name
            behind = code.add(f"add i64 {middle}, 1")
            rest = code.add(f"sub i64 {left}, {code.add(f'add i64 {half}, 1')}")
            for slot, so, else_ in ((begin, behind, first), (length, rest, half)):
                chosen = code.add(f"select i1 {goes_on}, i64 {so}, i64 {else_}")
                code.lines.append(f"  store i64 {chosen}, ptr {slot}")
        code.store(Element(code.add(f"load i64, ptr {begin}"), LONG), place)
    return code.finished()
