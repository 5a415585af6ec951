"""Which parts of a graph may run as native code, as far as that is installed."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable

from tsc.compiler.ir import Function, Graph, prim
from tsc.compiler.passes.create_native_groups import create_native_groups
from tsc.compiler.pipelines import stage
from tsc.runtime.context.hooks import fusion_groups, native_code
from tsc.runtime.execution.making import making
from tsc.runtime.execution.plan_keys import PlanKey


def is_native(graph: Graph) -> bool:
    """Whether a graph can be native code here."""
    return fusion_groups().are_possible() and native_code().is_native(graph)


def best_plan() -> str:
    """The plan of a function of which nothing else is said: what looks on is to see every line."""
    is_watched = sys.gettrace() is not None or sys.getprofile() is not None
    return "native" if not is_watched and fusion_groups().are_possible() else "python"


def grouped_graph(
    function: Function, key: PlanKey, graph: Callable[[], Graph]
) -> Callable[[], Graph]:
    """What gives the graph for a plan of Python, with groups if the plan is to run native code; it is made once."""
    if key.plan != "native" or not key.optimized or key.with_types:
        return graph

    @functools.cache
    def made() -> Graph:
        with making(function), stage("create_native_groups", function):
            return grouped(graph(), function.qualified_name)

    return made


def grouped(graph: Graph, function: str) -> Graph:
    """A copy of a graph with groups of what can be native, each with the name of its function; or the graph itself."""
    if graph.find_node(prim.Loop) is None:
        return graph
    copy = graph.copy()
    if not create_native_groups(copy, is_native=is_native, whole=True):
        return graph
    for group in copy.find_all_nodes(prim.NativeGroup):
        group.set_attribute("function", function)
    return copy
