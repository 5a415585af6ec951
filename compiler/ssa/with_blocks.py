"""With-statements as blocks, for the time of the exit transform.

Outside of it, a with-statement is an Enter, the nodes of its body, and an Exit. During it, a With
node after the Enter holds the body in its first block and the Exit in its second: so an exit from
the body cannot skip the Exit node.
"""

from __future__ import annotations

from tsc.compiler.ir.graph import Graph
from tsc.compiler.ir.node import Node
from tsc.compiler.ir.symbols import prim


def make_with_blocks(graph: Graph) -> None:
    """Moves what stands between each Enter and its Exit into a With node, innermost first."""
    for enter, exit in _enter_exit_pairs(graph):
        _wrap(enter, exit)


def remove_with_blocks(graph: Graph) -> None:
    """Moves the nodes of each With node back into its place."""
    for node in [node for node in graph.all_nodes() if node.kind == prim.With]:
        _unwrap(node)


def _enter_exit_pairs(graph: Graph) -> list[tuple[Node, Node]]:
    """In the order of the Exit nodes."""
    open_enters: list[Node] = []
    pairs: list[tuple[Node, Node]] = []
    for node in graph.all_nodes():
        if node.kind == prim.Enter:
            open_enters.append(node)
        elif node.kind == prim.Exit:
            pairs.append((open_enters.pop(), node))
    assert not open_enters, "the emitter closes every with-statement"
    return pairs


def _wrap(enter: Node, exit: Node) -> None:
    statement = enter.graph.create(prim.With, outputs=0, range=enter.range)
    body, after = statement.add_block(), statement.add_block()
    while enter.next is not exit:
        enter.next.move_before(body.return_node)
    exit.move_before(after.return_node)
    statement.insert_after(enter)


def _unwrap(statement: Node) -> None:
    for block in statement.blocks:
        for node in block.nodes():
            node.move_before(statement)
    statement.destroy()
