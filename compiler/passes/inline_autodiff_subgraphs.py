"""Takes groups (`prim::DifferentiableGraph`) of fewer than `threshold` nodes apart again; without a threshold, all."""

from __future__ import annotations

from tsc.compiler.ir import Graph, prim
from tsc.compiler.passes.subgraphs import inline_subgraph, size_of


def inline_autodiff_subgraphs(graph: Graph, *, threshold: int | None = None) -> bool:
    """Returns whether there was one."""
    groups = [node for node in graph.all_nodes() if node.kind == prim.DifferentiableGraph]
    small = [each for each in groups if threshold is None or size_of(each) < threshold]
    for group in small:
        inline_subgraph(group)
    return bool(small)
