"""A ``for`` with a ``break`` becomes a ``while``: no Loop has both a trip count and a condition.

The trip counter joins the carried variables, and the trip count the condition. What then remains to
be told apart are loops that run a number of times and loops that run while a condition holds.
"""

from __future__ import annotations

from tsc.compiler.ir.block import Block
from tsc.compiler.ir.constants import constant_value
from tsc.compiler.ir.graph import Graph
from tsc.compiler.ir.node import Node
from tsc.compiler.ir.symbols import prim
from tsc.compiler.ir.value import Value
from tsc.compiler.ir.views import MAX_TRIP_COUNT, LoopKind, LoopView
from tsc.compiler.passes.operator_calls import insert_call
from tsc.compiler.schema import OperatorTable


def canonicalize_modified_loops(graph: Graph, *, operators: OperatorTable) -> bool:
    """Returns whether there was such a loop. ``operators`` has the scalar arithmetic inserted."""
    return _canonicalize_block(graph.block, operators)


def _canonicalize_block(block: Block, operators: OperatorTable) -> bool:
    changed = False
    for node in block.nodes():
        for nested in node.blocks:
            changed |= _canonicalize_block(nested, operators)
        if node.kind == prim.Loop and LoopView(node).kind is LoopKind.MODIFIED:
            _canonicalize(node, operators)
            changed = True
    return changed


def _canonicalize(node: Node, operators: OperatorTable) -> None:
    graph, loop = node.graph, LoopView(node)
    trip_count = loop.max_trip_count
    with graph.insert_at(node):
        zero = graph.insert_constant(0)
        one = graph.insert_constant(1)
        condition = insert_call(graph, operators, "aten::gt.int", [trip_count, zero])
        loop.replace_max_trip_count(graph.insert_constant(MAX_TRIP_COUNT))
        if constant_value(loop.input_condition) is not True:
            condition = _both(graph, operators, condition, loop.input_condition)
    loop.replace_input_condition(condition)
    with graph.insert_at(loop.body_block):
        _count_rounds(loop, operators, trip_count, zero, one)


def _count_rounds(
    loop: LoopView, operators: OperatorTable, trip_count: Value, zero: Value, one: Value
) -> None:
    """Carries the trip counter around the loop, and asks of it whether the loop goes on."""
    graph, body = loop.node.graph, loop.body_block
    counter = loop.add_carried(zero)
    loop.current_trip_count.set_debug_name("").replace_all_uses_with(counter)
    next_counter = insert_call(graph, operators, "aten::add.int", [counter, one])
    body.register_output(next_counter)
    is_less = insert_call(graph, operators, "aten::lt.int", [next_counter, trip_count])
    body.replace_output(0, _both(graph, operators, is_less, loop.next_condition))


def _both(graph: Graph, operators: OperatorTable, a: Value, b: Value) -> Value:
    return insert_call(graph, operators, "aten::__and__.bool", [a, b])
