"""Nodes of groups that put elements where they are not yet: concatenation, and shapes that no view shows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from tsc.compiler.ir import Node, Value, prim
from tsc.runtime.arrays.array import Array
from tsc.runtime.execution.part_operators import part_of
from tsc.runtime.native.expressions.instructions import NotLowered
from tsc.runtime.native.fusion.recorded_group import RecordedGroup, is_within

_JOINING: Final = frozenset({"aten::cat", "aten::stack"})


def joins(node: Node) -> bool:
    """Whether a node joins the tensors of a list that is made for it alone, or a tensor and a part of it."""
    if node.kind == prim.with_part_:
        return True
    made = node.inputs[0] if node.kind in _JOINING else None
    return made is not None and made.node.kind == prim.ListConstruct and len(made.uses) == 1


def is_copy(node: Node, group: RecordedGroup) -> bool:
    """Whether a node copied elements in this run."""
    return node.kind in _JOINING or node.kind == prim.with_part or group.is_copy(node)


def copied(node: Node) -> list[Value]:
    """The tensors that are copied."""
    if node.kind == prim.with_part:
        return [node.inputs[0], node.inputs[3]]
    return list(node.inputs[0].node.inputs) if node.kind in _JOINING else [node.inputs[0]]


def parts_of(node: Node, group: RecordedGroup) -> Iterator[tuple[Value, Array]]:
    """Each tensor that is copied, and the part of the result that it goes to. Raises NotLowered."""
    result = group.array(node.output)
    for value, part in zip(copied(node), _parts(node, group, result), strict=True):
        array = group.array(value)
        if array.dtype != result.dtype or part.shape != array.shape or not is_within(part, result):
            raise NotLowered
        if array.size:
            yield value, part


def _parts(node: Node, group: RecordedGroup, result: Array) -> Iterator[Array]:
    if node.kind == prim.with_part:
        yield result
        yield part_of(result, group.array(node.inputs[1]), group.array(node.inputs[2]))
        return
    if node.kind not in _JOINING:
        yield result.reshape(group.array(node.inputs[0]).shape)
        return
    axis = group.value(node.inputs[1]) % max(result.ndim, 1)
    before = (slice(None),) * axis
    begin = 0
    for place, value in enumerate(copied(node)):
        if node.kind == "aten::stack":
            yield result[(*before, place, ...)]
            continue
        array = group.array(value)
        extent = array.shape[axis] if array.ndim == result.ndim else 0
        yield result[(*before, slice(begin, begin + extent))]
        begin += extent
