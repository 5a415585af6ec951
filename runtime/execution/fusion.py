"""Graphs whose pointwise operators are fused, for the plans that run native code."""

from __future__ import annotations

from tsc.compiler.ir import Function, Graph, prim
from tsc.compiler.pipelines import FUSION, run_passes
from tsc.compiler.schema import Promotion
from tsc.runtime.execution.run_pass import find_pass


def fused(function: Function, graph: Graph) -> Graph:
    """The graph with fusion groups in it; itself, where there are none."""
    if not _has_several_pointwise(graph):
        return graph
    made = graph.copy()
    run_passes(map(find_pass, FUSION), function, made)
    return made if any(node.kind == prim.FusionGroup for node in made.all_nodes()) else graph


def _has_several_pointwise(graph: Graph) -> bool:
    """Whether it may be worth to look for groups."""
    found = 0
    for node in graph.all_nodes():
        if node.operator is None:
            continue
        expression = node.operator.expression
        found += expression is not None and expression.promotion is not Promotion.NUMBERS
        found += 2 * (node.operator.rows is not None)
        if found > 1:
            return True
    return False
