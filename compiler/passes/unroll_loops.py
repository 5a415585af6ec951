"""Small loops are unrolled: eight turns become one, and a second loop runs those that are left over.

A loop whose number of turns is a small constant gives way to its turns altogether. Only loops that nothing but
their trip count ends are unrolled, and only where the body is small.
"""

from __future__ import annotations

from typing import Final

from tsc.compiler.ir import Block, Graph, LoopKind, LoopView, Node, Value, constant_value, prim
from tsc.compiler.ir.clone import clone_node
from tsc.compiler.passes.eliminate_dead_code import eliminate_dead_code
from tsc.compiler.passes.operator_calls import insert_call
from tsc.compiler.schema import OperatorTable
from tsc.compiler.source.rewritings import may_rewrite
from tsc.compiler.types import INT

FACTOR: Final = 8
"""How many turns become one."""

MOST_NODES: Final = 32
"""In a body that is unrolled: constants are left aside, and each block counts as a node."""

MOST_TURNS: Final = 64
"""A loop with a constant number of turns below this one gives way to them."""


def unroll_loops(
    graph: Graph, *, operators: OperatorTable, factor: int = FACTOR, constant_only: bool = False
) -> bool:
    """Returns whether a loop was unrolled; if so, dead code is gone too.

    With ``constant_only``, loops whose number of turns is not known stay, and a body with few turns may be large.
    """
    unrolling = _Unrolling(operators, factor, constant_only)
    changed = unrolling.visit(graph.block)
    if changed:
        eliminate_dead_code(graph)
    return changed


_NOT_RUN: Final = (prim.Constant, prim.profile, prim.profile_ivalue)


class _Unrolling:
    def __init__(self, operators: OperatorTable, factor: int, constant_only: bool) -> None:
        self.operators = operators
        self.factor = factor
        self.constant_only = constant_only

    def visit(self, block: Block) -> bool:
        """Inner loops come first: unrolled, they may make the outer one too large."""
        changed = False
        node = block.return_node.next
        while node is not block.return_node:
            following = node.next
            for nested in node.blocks:
                changed |= self.visit(nested)
            if node.kind == prim.Loop and LoopView(node).kind is LoopKind.FOR:
                changed |= self.unroll(LoopView(node))
            node = following
        return changed

    def unroll(self, loop: LoopView) -> bool:
        turns = constant_value(loop.max_trip_count)
        if self.constant_only and not isinstance(turns, int):
            return False
        gives_way = isinstance(turns, int) and turns < MOST_TURNS
        if not (self.constant_only and gives_way) and not _is_small(loop.body_block):
            return False
        name = "unroll_constant_loops" if self.constant_only else "unroll_loops"
        if not may_rewrite(name, loop.node):
            return False
        if loop.current_trip_count.has_uses:
            self.count_by_variable(loop)
        if isinstance(turns, int) and gives_way:
            _give_way(loop, turns)
            return True
        self.unroll_in_steps(loop)
        return True

    def count_by_variable(self, loop: LoopView) -> None:
        """A carried variable counts the turns, so that it can go on in a second loop."""
        node, body, graph = loop.node, loop.body_block, loop.node.graph
        with graph.insert_at(node):
            node.insert_input(2, graph.insert_constant(0))
        node.insert_output(0, INT)
        count = body.insert_input(1, type=INT)
        body.inputs[0].replace_all_uses_with(count)
        with graph.insert_at(body):
            one = graph.insert_constant(1)
            following = insert_call(graph, self.operators, "aten::add.int", [count, one])
        body.insert_output(1, following)

    def unroll_in_steps(self, loop: LoopView) -> None:
        node, graph = loop.node, loop.node.graph
        rest = clone_node(node, graph, lambda value: value).insert_after(node)
        for offset, output in enumerate(node.outputs):
            output.replace_all_uses_with(rest.outputs[offset])
        for offset, output in enumerate(node.outputs):
            rest.replace_input(offset + 2, output)
        _repeat(node, self.factor)
        with graph.insert_at(node):
            count = loop.max_trip_count
            steps = self.call("aten::__round_to_zero_floordiv.int", [count, self.number(node)])
            node.replace_input(0, steps)
            done = self.call("aten::mul.int", [steps, self.number(node)])
            rest.replace_input(0, self.call("aten::sub.int", [count, done]))

    def number(self, node: Node) -> Value:
        return node.graph.insert_constant(self.factor)

    def call(self, name: str, inputs: list[Value]) -> Value:
        return insert_call(inputs[0].graph, self.operators, name, inputs)


def _is_small(body: Block) -> bool:
    """Counts nodes that do something, and blocks."""
    count = 1
    for node in body.all_nodes():
        count += len(node.blocks) + (node.kind not in _NOT_RUN)
        if count > MOST_NODES:
            return False
    return True


def _give_way(loop: LoopView, turns: int) -> None:
    """The turns, one after the other, before the loop, which goes."""
    node = loop.node
    values = list(loop.carried_inputs)
    for _ in range(turns):
        values = _copy_turn(loop.body_block, [node.inputs[0], *values], node)[1:]
    for output, value in zip(node.outputs, values):
        output.replace_all_uses_with(value)
    node.destroy()


def _repeat(node: Node, times: int) -> None:
    """The body becomes ``times`` copies of itself."""
    body = node.blocks[0]
    repeated = node.add_block()
    for value in body.inputs:
        repeated.add_input().copy_metadata(value)
    values: list[Value] = list(repeated.inputs)
    for _ in range(times):
        values = _copy_turn(body, [repeated.inputs[0], *values[1:]], repeated.return_node)
    for value in values:
        repeated.register_output(value)
    node.erase_block(0)


def _copy_turn(body: Block, inputs: list[Value], place: Node) -> list[Value]:
    """A copy of the body before ``place``, for these inputs; returns what its outputs became."""
    copies = dict(zip(body.inputs, inputs))

    def known(value: Value) -> Value:
        return copies.get(value, value)

    for node in body.nodes():
        copy = clone_node(node, body.graph, known).insert_before(place)
        copies.update(zip(node.outputs, copy.outputs))
    return [known(value) for value in body.outputs]
