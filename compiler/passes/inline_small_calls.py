"""Calls of small functions give way to their bodies, which are simplified already.

A large callee stays called, and so does one into which calls were inlined through many others: so code,
and the time to make it, grow in proportion to the number of calls, however deep they go.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from tsc.compiler.ir import CALLS, Function, Graph, callee_of, inline_function_call
from tsc.compiler.source.rewritings import may_rewrite

Optimized = Callable[[Function], Graph | None]
"""The graph of a callee as it runs; None for one that was not optimized yet."""

_LARGEST_INLINED: Final = 200  # nodes
_DEEPEST_INLINED: Final = 8  # calls, one in the other


def inline_small_calls(graph: Graph, *, optimized: Optimized) -> bool:
    """Returns whether a call was inlined."""
    changed = False
    bodies: dict[Function, Function | None] = {}
    for call in [node for node in graph.all_nodes() if node.kind in CALLS]:
        callee = callee_of(call)
        if callee is None:
            continue
        if callee not in bodies:
            bodies[callee] = _body(callee, optimized(callee))
        body = bodies[callee]
        if body is not None and may_rewrite("inline_small_calls", call):
            inline_function_call(call, body)
            changed = True
    return changed


def _body(callee: Function, graph: Graph | None) -> Function | None:
    """A function in the form in which it is inlined, or None if it is not."""
    if graph is None or not _is_small(graph):
        return None
    return Function(callee.qualified_name, graph=graph, range=callee.range)


def _is_small(graph: Graph) -> bool:
    for count, node in enumerate(graph.all_nodes()):
        stack = node.call_stack
        if count >= _LARGEST_INLINED or (stack is not None and stack.depth >= _DEEPEST_INLINED):
            return False
    return True
