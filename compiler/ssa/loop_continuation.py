"""Break and continue become ``LoopContinuation(condition, *carried variables)``.

The first input says whether the loop goes on: constant false for a break, the loop's condition,
asked again on the spot, for a continue. The others are the variables that the innermost loop
carries around, as they stand at the statement.
"""

from __future__ import annotations

from tsc.compiler.ir.block import Block
from tsc.compiler.ir.graph import Graph
from tsc.compiler.ir.node import Node
from tsc.compiler.ir.symbols import prim
from tsc.compiler.ir.value import Value
from tsc.compiler.ssa.inline_loop_condition import ask_condition_before
from tsc.compiler.ssa.load_store import create_load, variable_name


def assign_loop_continuations(graph: Graph) -> None:
    """Replaces every BreakStmt and ContinueStmt."""
    _assign_in_function(graph.block)


def _assign_in_function(block: Block) -> None:
    """In the block of a graph or a closure: loops around it are none of its business."""
    with block.graph.insert_at(block.return_node.next):
        false = block.graph.insert_constant(False)
    _assign(block, None, false)


def _assign(block: Block, loop: Node | None, false: Value) -> None:
    for node in block.nodes():
        if node.kind == prim.BreakStmt:
            _replace(node, loop, false)
        elif node.kind == prim.ContinueStmt:
            _replace(node, loop, None)
        elif node.kind == prim.Loop:
            _assign(node.blocks[0], node, false)
        elif node.kind == prim.Closure:
            _assign_in_function(node.blocks[0])
        else:
            for nested in node.blocks:
                _assign(nested, loop, false)


def _replace(statement: Node, loop: Node | None, condition: Value | None) -> None:
    """Without a ``condition``, it is the loop's own."""
    assert loop is not None, "the emitter refuses break and continue outside of loops"
    if condition is None:
        condition = ask_condition_before(statement, loop)
    graph = statement.graph
    continuation = graph.create(
        prim.LoopContinuation, [condition], outputs=0, range=statement.range
    )
    continuation.insert_before(statement)
    for carried in loop.blocks[0].outputs:
        load = create_load(graph, variable_name(carried.node), carried.type)
        continuation.add_input(load.insert_before(continuation).output)
    statement.destroy()
