"""Graphs whose pointwise operators are fused, for the plans that run them."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable

from tsc.compiler.ir import Function, Graph, prim
from tsc.compiler.pipelines import FUSION, run_passes
from tsc.compiler.schema import Promotion
from tsc.runtime.context.hooks import fusion_groups
from tsc.runtime.execution.making import making
from tsc.runtime.execution.plan_keys import PlanKey
from tsc.runtime.execution.run_pass import find_pass


def fused_graph(
    function: Function, key: PlanKey, graph: Callable[[], Graph]
) -> Callable[[], Graph]:
    """What gives the graph for a plan of Python, fused if that is wanted; it is made once."""
    if not (key.fused and key.optimized) or key.inference:
        return graph

    @functools.cache
    def made() -> Graph:
        with making(function):
            return fused(function, graph())

    return made


def fused(function: Function, graph: Graph) -> Graph:
    """The graph with fusion groups in it; itself, where there are none.

    Under a debugger or coverage nothing is fused: they look for the operators.
    """
    if sys.gettrace() is not None or not _has_several_pointwise(graph):
        return graph
    if not fusion_groups().are_possible():
        return graph
    made = graph.copy()
    run_passes(map(find_pass, FUSION), function, made)
    return made if any(node.kind == prim.FusionGroup for node in made.all_nodes()) else graph


def _has_several_pointwise(graph: Graph) -> bool:
    """Whether it may be worth to look for groups."""
    found = 0
    for node in graph.all_nodes():
        expression = None if node.operator is None else node.operator.expression
        found += expression is not None and expression.promotion is not Promotion.NUMBERS
        if found > 1:
            return True
    return False
