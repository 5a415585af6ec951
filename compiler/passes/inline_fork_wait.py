"""What is forked runs where it is forked, and a `wait` for it has its result already.

A Future that goes anywhere else than to a `wait` keeps its fork.
"""

from __future__ import annotations

from tsc.compiler.ir import Graph, Node, insert_graph, prim

_WAIT = "aten::wait"


def inline_fork_wait(graph: Graph) -> bool:
    """Returns whether a fork was inlined."""
    changed = False
    for node in [each for each in graph.all_nodes() if each.kind == prim.fork]:
        if all(use.node.kind == _WAIT for use in node.output.uses):
            _inline(node)
            changed = True
    return changed


def _inline(fork: Node) -> None:
    body = fork.attribute("Subgraph")
    assert isinstance(body, Graph)
    with fork.graph.insert_at(fork):
        [result] = insert_graph(fork.graph, body, list(fork.inputs))
    for use in fork.output.uses:
        use.node.output.replace_all_uses_with(result)
        use.node.destroy()
    fork.destroy()
