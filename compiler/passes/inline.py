"""Calls of functions give way to the bodies of what they call, in which nothing is called any more.

Inlined nodes remember the calls they came through, for the stack of an error. Functions that have
no definition stay called, and so do those that call themselves. The constants that stood for
functions are left behind.

Each node of the result is copied a bounded number of times. A body is simplified before it is put
into another, as in PyTorch, where few calls lie one in the other below it; above that height only
what the graph itself calls is simplified, once all is in its place. (Link by link, the first of a
chain of a thousand functions would be looked at a thousand times.) A result that would be too large
is refused before it is made.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Final

from tsc.compiler.budget import charge_nodes
from tsc.compiler.ir import CALLS, Function, Graph, Node, callee_of, inline_function_call
from tsc.compiler.ir.inline import nested_nodes
from tsc.compiler.source import CompileError, SourceRange, codes

Simplify = Callable[[Function, Graph], None]
"""Makes the body of a function ready to be inlined. It is called at most once a function, with a copy."""

MOST_NODES: Final = 100_000
"""Of a result: more than the graphs of large models have, less than a machine can hold."""

_SHRINKING: Final = 4
"""How much smaller bodies may get when they are simplified, for a result to be tried at all."""

_UNMEASURED: Final = sys.maxsize
"""The order of a function whose callees are still looked at."""

_SIMPLIFIED_HEIGHT: Final = 32
"""How many calls may lie one in the other below a body that is simplified by itself."""


def leave(_callee: Function, _body: Graph) -> None:
    """For bodies that are inlined as they are."""


def inline(graph: Graph, *, simplify: Simplify = leave, most_nodes: int = MOST_NODES) -> bool:
    """Returns whether a call was inlined.

    Raises CompileError if the graph, or a body in it, would have more than ``most_nodes`` nodes.
    """
    inlining = _Inlining(simplify, most_nodes)
    inlining.measure(graph)
    inlining.make_bodies(graph)
    return inlining.inline_calls(graph)


class _Callee:
    """A function that a graph calls, directly or not.

    ``order`` is its place among those that are measured: a function that calls back those who call it is
    measured before them. ``height`` is that of the calls below it. ``raw_size`` and ``size`` are its
    numbers of nodes when all is inlined: as it was written, and with simplified bodies below it.
    """

    __slots__ = ("body", "calls", "function", "height", "order", "own_size", "raw_size", "size")

    def __init__(self, function: Function) -> None:
        self.function = function
        self.calls = _callees(_calls(function.graph))
        self.order = _UNMEASURED
        self.height = 0
        self.own_size = sum(1 for _ in function.graph.all_nodes())
        self.raw_size = self.size = self.own_size
        self.body: Function | None = None


class _Inlining:
    def __init__(self, simplify: Simplify, most_nodes: int) -> None:
        self._simplify = simplify
        self._most_nodes = most_nodes
        self._callees: dict[Function, _Callee] = {}
        self._measured: list[_Callee] = []

    def measure(self, graph: Graph) -> None:
        """Looks at all functions that a graph calls, the callees first, and at how large it all gets."""
        pending = _callees(_calls(graph))[::-1]
        while pending:
            callee = self._callees.get(pending[-1])
            if callee is None:
                callee = self._callees[pending[-1]] = _Callee(pending[-1])
                pending += [each for each in callee.calls[::-1] if each not in self._callees]
                continue
            pending.pop()
            if callee.order == _UNMEASURED:
                self._measure(callee)

    def _measure(self, callee: _Callee) -> None:
        below = self._below(callee.calls, len(self._measured))
        callee.height = 1 + max((each.height for each in below), default=-1)
        callee.raw_size += sum(each.raw_size for each in below)
        callee.order = len(self._measured)
        self._measured.append(callee)
        if callee.raw_size > _SHRINKING * self._most_nodes:
            raise self._too_large(callee.function.range, callee.function.name)

    def _below(self, calls: list[Function], order: int) -> list[_Callee]:
        """The callees, once a call, whose bodies take the place of calls in what has that order."""
        found = (self._callees.get(each) for each in calls)
        return [each for each in found if each and each.order < order]

    def make_bodies(self, graph: Graph) -> None:
        """Simplified bodies for what is not high above its last callee, and for what a graph calls itself."""
        direct = set(_callees(_calls(graph)))
        for callee in self._measured:
            below = self._below(callee.calls, callee.order)
            callee.size = callee.own_size + sum(each.size for each in below)
            if callee.height <= _SIMPLIFIED_HEIGHT or callee.function in direct:
                self._make_body(callee)

    def _make_body(self, callee: _Callee) -> None:
        function = callee.function
        if callee.size > self._most_nodes:
            raise self._too_large(function.range, function.name)
        charge_nodes(callee.size)
        graph = function.graph.copy()
        self._inline(_calls(graph), callee.order)
        self._simplify(function, graph)
        callee.body = Function(function.qualified_name, graph=graph, range=function.range)
        callee.size = sum(1 for _ in graph.all_nodes())

    def inline_calls(self, graph: Graph) -> bool:
        """Puts bodies in the place of a graph's calls."""
        calls = _calls(graph)
        size = sum(1 for _ in graph.all_nodes())
        for call in calls:
            size += sum(each.size for each in self._below(_callees([call]), len(self._measured)))
            if size > self._most_nodes:
                raise self._too_large(call.range)
        charge_nodes(size + len(self._measured))
        return self._inline(calls, len(self._measured))

    def _inline(self, calls: list[Node], order: int) -> bool:
        """Inlines until no call is left that can be; ``calls`` are those of a function of that order."""
        changed = False
        pending = [(call, order) for call in reversed(calls)]
        while pending:
            call, order = pending.pop()
            below = self._below(_callees([call]), order)
            if not below:
                continue
            (callee,) = below
            before, after = call.previous, call.next
            inline_function_call(call, callee.body or callee.function)
            changed = True
            if callee.body is None:
                pending += [(each, callee.order) for each in _calls_between(before, after)[::-1]]
        return changed

    def _too_large(self, range: SourceRange, name: str | None = None) -> CompileError:
        what = "this call" if name is None else f"function '{name}'"
        return CompileError(
            f"{what} leads to more than {self._most_nodes} nodes when all calls are inlined",
            range,
            code=codes.NESTED_TOO_DEEPLY,
            hint="look at the graph with the calls in it, or inline one of the functions it calls",
        )


def _calls(graph: Graph) -> list[Node]:
    return [node for node in graph.all_nodes() if node.kind in CALLS]


def _calls_between(before: Node, after: Node) -> list[Node]:
    """The calls among the nodes between two, and in their blocks."""
    found: list[Node] = []
    node = before.next
    while node is not after:
        found += [each for each in [node, *nested_nodes(node)] if each.kind in CALLS]
        node = node.next
    return found


def _callees(calls: list[Node]) -> list[Function]:
    """What can be inlined of that which is called, once a call."""
    called = map(callee_of, calls)
    return [each for each in called if each is not None and each.has_definition]
