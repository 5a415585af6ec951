"""Graphs whose pointwise operators are fused, for the plans that run native code."""

from __future__ import annotations

from tsc.compiler.ir import Function, Graph, prim
from tsc.compiler.pipelines import FUSION, run_passes
from tsc.compiler.types import TensorType
from tsc.runtime.execution.run_pass import find_pass


def fused(function: Function, graph: Graph) -> Graph:
    """The graph with fusion groups in it; itself, where there are none."""
    if not may_have_groups(graph):
        return graph
    made = graph.copy()
    run_passes(map(find_pass, FUSION), function, made)
    return made if any(node.kind == prim.FusionGroup for node in made.all_nodes()) else graph


def may_have_groups(graph: Graph) -> bool:
    """Whether it may be worth to look for groups: whether an operator gives a tensor."""
    return any(
        node.operator is not None
        and any(isinstance(each.type, TensorType) for each in node.outputs)
        for node in graph.all_nodes()
    )
