"""The condition block of every Loop is asked before the first round and at the end of each.

The emitter gives a Loop two blocks, body and condition. Here the second goes: a copy of it before
the loop computes the initial condition, and its nodes at the end of the body the one to go on.
"""

from __future__ import annotations

from tsc.compiler.ir.block import Block
from tsc.compiler.ir.graph import Graph
from tsc.compiler.ir.node import Node
from tsc.compiler.ir.symbols import prim
from tsc.compiler.ir.value import Value


def inline_loop_conditions(graph: Graph) -> None:
    """Leaves every Loop with its body as the only block."""
    _inline_in_block(graph.block)


def _inline_in_block(block: Block) -> None:
    for node in block.nodes():
        for nested in node.blocks:
            _inline_in_block(nested)
        if node.kind == prim.Loop:
            _inline_condition(node)


def _inline_condition(loop: Node) -> None:
    body, condition = loop.blocks
    loop.insert_input(1, ask_condition_before(loop, loop))
    for node in condition.nodes():
        node.move_before(body.return_node)
    body.insert_output(0, condition.outputs[0])
    loop.erase_block(1)


def ask_condition_before(place: Node, loop: Node) -> Value:
    """Inserts a copy of the loop's condition block before ``place``, and returns its outcome."""
    copy = loop.add_block()
    copy.clone_from(loop.blocks[1], _same)
    outcome = copy.outputs[0]
    for node in copy.nodes():
        node.move_before(place)
    loop.erase_block(len(loop.blocks) - 1)
    return outcome


def _same(value: Value) -> Value:
    return value
