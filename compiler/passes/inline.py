"""Calls of functions give way to the bodies of what they call, in which nothing is called any more.

Inlined nodes remember the calls they came through, for the stack of an error. Functions that have
no definition stay called, and so do those that call themselves; and nothing is inlined any more
when more has been copied than a machine can hold. The constants that stood for functions are left
behind.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from tsc.compiler.ir import CALLS, Function, Graph, Node, callee_of, inline_function_call

Simplify = Callable[[Function, Graph], None]
"""Makes the body of a function ready to be inlined. It is called once a function, with a copy."""

MOST_NODES: Final = 1_000_000


def leave(_callee: Function, _body: Graph) -> None:
    """For bodies that are inlined as they are."""


def inline(graph: Graph, *, simplify: Simplify = leave, most_nodes: int = MOST_NODES) -> bool:
    """Returns whether a call was inlined; at most ``most_nodes`` are copied for it, and as many for bodies."""
    inlining = _Inlining(simplify, most_nodes)
    inlining.make_bodies(graph)
    inlining.room = most_nodes
    return inlining.inline_calls(graph)


class _Inlining:
    """Bodies are made ready before those in which they are inlined."""

    def __init__(self, simplify: Simplify, room: int) -> None:
        self._simplify = simplify
        self.room = room
        self._bodies: dict[Function, Function] = {}
        self._sizes: dict[Function, int] = {}

    def make_bodies(self, graph: Graph) -> None:
        """For all functions that a graph calls, directly or not, the callees first."""
        opened: set[Function] = set()
        pending = _callees(graph)[::-1]
        while pending:
            callee = pending[-1]
            if callee in opened:
                pending.pop()
                if callee not in self._bodies:
                    self._make_body(callee)
                continue
            opened.add(callee)
            pending += [each for each in _callees(callee.graph)[::-1] if each not in opened]

    def _make_body(self, callee: Function) -> None:
        graph = callee.graph.copy()
        self.inline_calls(graph)
        self._simplify(callee, graph)
        self._bodies[callee] = Function(callee.qualified_name, graph=graph, range=callee.range)
        self._sizes[callee] = sum(1 for _ in graph.all_nodes())

    def inline_calls(self, graph: Graph) -> bool:
        """Inlines the bodies that were made, as long as there is room for them."""
        changed = False
        for call in _calls(graph):
            callee = callee_of(call)
            if callee is None or callee not in self._bodies or self._sizes[callee] > self.room:
                continue
            self.room -= self._sizes[callee]
            inline_function_call(call, self._bodies[callee])
            changed = True
        return changed


def _calls(graph: Graph) -> list[Node]:
    return [node for node in graph.all_nodes() if node.kind in CALLS]


def _callees(graph: Graph) -> list[Function]:
    """What can be inlined of that which a graph calls, each once."""
    called = map(callee_of, _calls(graph))
    return list(dict.fromkeys(each for each in called if each is not None and each.has_definition))
