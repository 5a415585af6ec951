"""What holds of a function because of what it calls, directly or not."""

from __future__ import annotations

from collections.abc import Callable

from tsc.compiler.ir import Function, Node
from tsc.runtime.execution.optimization import callees

Asks = Callable[[Node], bool]


def reached_without(
    asks: Asks, function: Function, known: Callable[[Function], bool | None]
) -> set[Function] | None:
    """All functions that a call may reach, if in none of them there is a node of which `asks` holds.

    None if there is one. `known` tells of a function that was looked at before whether it, or one that it
    calls, has such a node; what that one calls is not looked at again.
    """
    reached: set[Function] = set()
    pending = [function]
    while pending:
        current = pending.pop()
        if current in reached:
            continue
        reached.add(current)
        answer = known(current)
        if answer is False:
            continue
        if answer or any(map(asks, current.graph.all_nodes())):
            return None
        pending += callees(current.graph)
    return reached
