"""Takes all groups that `create_functional_graphs` makes apart again."""

from __future__ import annotations

from tsc.compiler.ir import Graph, prim
from tsc.compiler.passes.subgraphs import inline_subgraph


def inline_functional_graphs(graph: Graph) -> bool:
    """Returns whether there was one."""
    groups = [node for node in graph.all_nodes() if node.kind == prim.FunctionalGraph]
    for group in groups:
        inline_subgraph(group)
    return bool(groups)
