"""Which parts of a graph may run as native code, as far as that is installed."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable

from tsc.compiler.ir import Function, Graph, prim
from tsc.compiler.pipelines import run_passes
from tsc.runtime.context.native_availability import is_available
from tsc.runtime.execution.fusion import fused
from tsc.runtime.execution.making import making
from tsc.runtime.execution.plan_keys import PlanKey
from tsc.runtime.execution.run_pass import find_pass


def best_plan() -> str:
    """The plan of a function of which nothing else is said: what looks on is to see every line."""
    is_watched = sys.gettrace() is not None or sys.getprofile() is not None
    return "native" if not is_watched and is_available() else "python"


def native_graph(
    function: Function, key: PlanKey, graph: Callable[[], Graph]
) -> Callable[[], Graph]:
    """What gives the graph for a plan of Python, with groups if the plan is to run native code; it is made once."""
    if key.plan != "native" or not key.optimized or not is_available():
        return graph

    @functools.cache
    def made() -> Graph:
        with making(function):
            found = graph() if key.with_types else _grouped(function, graph())
            return found if key.inference else fused(function, found, in_loops=key.in_loops)

    return made


def _grouped(function: Function, graph: Graph) -> Graph:
    """A copy of a graph with groups of what can be native, each with the name of its function; or the graph itself."""
    if graph.find_node(prim.Loop) is None:
        return graph
    copy = graph.copy()
    run_passes([find_pass("create_native_groups", {"whole": True})], function, copy)
    groups = copy.find_all_nodes(prim.NativeGroup)
    for group in groups:
        group.set_attribute("function", function.qualified_name)
    return copy if groups else graph
