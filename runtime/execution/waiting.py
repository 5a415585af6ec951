"""Whether a function may have to wait for a future on its way."""

from __future__ import annotations

from collections.abc import Callable

from tsc.compiler.ir import CALLS, Function, Graph, Node, callee_of
from tsc.compiler.ir.symbols import aten
from tsc.runtime.execution.optimization import callees


def may_wait(function: Function, graph_of: Callable[[Function], Graph]) -> bool:
    """Whether it, or what it calls, waits; the methods of an interface may do anything."""
    reached: set[Function] = set()
    pending = [function]
    while pending:
        current = pending.pop()
        if current in reached:
            continue
        reached.add(current)
        graph = graph_of(current)
        if any(map(_may_wait, graph.all_nodes())):
            return True
        pending += callees(graph)
    return False


def _may_wait(node: Node) -> bool:
    return node.kind == aten.wait or (node.kind in CALLS and callee_of(node) is None)
