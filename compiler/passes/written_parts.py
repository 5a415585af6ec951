"""Names for tensors that are written in part, through views, as ``x[0] = y`` and ``x[:, 1].mul_(2)`` do.

Behind such a write stands `prim::with_part_`, which gives the whole tensor again: who reads that later reads the
result, so edges of the graph say what comes after the write. A number that is stored is one node, `prim::number_as`.
Where no group takes such nodes, they are taken out again.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from tsc.compiler.ir import Graph, Node, Value, aten, constant_value, is_constant, prim
from tsc.compiler.passes.name_writes import WrittenTensors
from tsc.compiler.passes.operator_calls import insert_call
from tsc.compiler.schema import Operator, OperatorTable
from tsc.compiler.types import BOOL, FLOAT, INT
from tsc.compiler.value_classes import value_class

_PART_VIEWS: Final = frozenset(
    f"aten::{name}"
    for name in (
        *("select", "slice", "narrow", "unsqueeze", "squeeze", "transpose", "permute", "t"),
        *("diagonal", "swapaxes", "movedim", "view"),
    )
)
"""They show elements where they lie, each one once, and never copy."""


@value_class
class PartOperators:
    """What nodes are made of that only groups have: ``prim::with_part_`` and ``prim::number_as``."""

    with_part_: Operator
    number_as: Operator


def name_wholes(
    node: Node, written: WrittenTensors, operator: Operator, is_known: Callable[[Node], bool]
) -> None:
    """Names what the tensor that a node has written is a view of, from the inside out; `is_known` tells which views
    are made by numbers that are known when a group is called.
    """
    view = inner = written.first_name(node.inputs[0])
    result, last = node.output, node
    while inner.node.kind in _PART_VIEWS and inner.node.block is node.block:
        if not is_known(inner.node):
            return
        base = inner.node.inputs[0]
        is_passed = base.node.kind in _PART_VIEWS and _is_seen_only_by(base, inner.node)
        inner = written.first_name(base)
        if is_passed:
            continue
        names = [written.last_name(base), base, view, result]
        last = node.graph.create(operator, names, range=node.range).insert_after(last)
        written.write(base, last.output)
        view, result = inner, last.output


def _is_seen_only_by(value: Value, node: Node) -> bool:
    return all(use.node is node for use in value.uses)


def join_number(node: Node, operator: Operator) -> None:
    """Where a node stores a tensor that was made of a number for that alone, makes it by one node."""
    if node.kind != aten.copy_:
        return
    target, source = node.inputs[0], node.inputs[1].node
    if source.kind != aten.tensor or source.inputs[0].type not in (FLOAT, INT, BOOL):
        return
    number, *options, requires_grad = source.inputs
    asked = [each.node for each in options]
    if [each.kind for each in asked] != [prim.dtype, prim.device]:
        return
    if any(each.inputs[0] is not target for each in asked) or not is_constant(requires_grad):
        return
    if constant_value(requires_grad):
        return
    made = node.graph.create(operator, [number, target], range=source.range).insert_before(source)
    source.output.replace_all_uses_with(made.output)
    _destroy_unused([source, *asked])


def _destroy_unused(nodes: list[Node]) -> None:
    for node in nodes:
        if not node.output.has_uses:
            node.destroy()


def take_parts_out(graph: Graph, operators: OperatorTable) -> None:
    """Of the graph itself; its groups keep their nodes."""
    for node in list(graph.all_nodes()):
        if node.kind == prim.with_part_:
            node.output.replace_all_uses_with(node.inputs[0])
            node.destroy()
        elif node.kind == prim.number_as:
            _take_apart(node, operators)


def _take_apart(node: Node, operators: OperatorTable) -> None:
    graph, (number, target) = node.graph, node.inputs
    with graph.insert_at(node):
        dtype = insert_call(graph, operators, prim.dtype, [target])
        device = insert_call(graph, operators, prim.device, [target])
        options = [number, dtype, device, graph.insert_constant(False)]
        made = insert_call(graph, operators, f"{aten.tensor}.{number.type}", options)
    made.node.range = node.range
    node.output.replace_all_uses_with(made)
    node.destroy()
