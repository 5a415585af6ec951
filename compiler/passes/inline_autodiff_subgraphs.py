"""Takes groups (`prim::DifferentiableGraph`) of fewer than `threshold` nodes apart again; without a threshold, all."""

from __future__ import annotations

from typing import cast

from tsc.compiler.ir import Graph, Node, prim
from tsc.compiler.ir.inline import insert_graph


def inline_autodiff_subgraphs(graph: Graph, *, threshold: int | None = None) -> bool:
    """Returns whether there was one."""
    groups = [node for node in graph.all_nodes() if node.kind == prim.DifferentiableGraph]
    small = [each for each in groups if threshold is None or size_of(each) < threshold]
    for group in small:
        inline_subgraph(group)
    return bool(small)


def inline_subgraph(group: Node) -> list[Node]:
    """Puts the content of a node's subgraph in its place; returns it."""
    body = subgraph_of(group)
    before = group.previous
    with group.graph.insert_at(group):
        outputs = insert_graph(group.graph, body, list(group.inputs))
    for old, new in zip(group.outputs, outputs):
        old.replace_all_uses_with(new)
    inserted: list[Node] = []
    node = before.next
    while node is not group:
        inserted.append(node)
        node = node.next
    group.destroy()
    return inserted


def subgraph_of(group: Node) -> Graph:
    return cast(Graph, group.attribute("Subgraph"))


def size_of(group: Node) -> int:
    """How many nodes are in a group, without constants."""
    return sum(node.kind != prim.Constant for node in subgraph_of(group).nodes())
