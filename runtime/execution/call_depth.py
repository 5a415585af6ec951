"""How deep the functions of a program call each other."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from tsc.compiler.ir import CALLS, Function, Graph, callee_of
from tsc.runtime.execution.optimization import callees

ENDLESS: Final = 1 << 40
"""The depth of functions that may call themselves, or call what only the run decides."""


def depth_of_calls(
    function: Function, graph_of: Callable[[Function], Graph], known: dict[Function, int]
) -> int:
    """How many calls may be open in one of `function`. What is found out of others is added to `known`."""
    pending = [function]
    opened: set[Function] = set()
    while pending:
        current = pending[-1]
        if current in known:
            pending.pop()
            continue
        graph = graph_of(current)
        called = callees(graph)
        waiting = [callee for callee in called if callee not in known]
        if current not in opened and waiting and not opened.intersection(waiting):
            opened.add(current)
            pending += waiting
            continue
        pending.pop()
        known[current] = _depth(graph, [known.get(callee, ENDLESS) for callee in called])
    return known[function]


def _depth(graph: Graph, depths: list[int]) -> int:
    for node in graph.all_nodes():
        if node.kind in CALLS and callee_of(node) is None:
            return ENDLESS
    return min(1 + max(depths, default=0), ENDLESS)
