"""Calls of functions give way to the bodies of what they call, and the calls in these, too.

Inlined nodes remember the calls they came through, for the stack of an error. Functions that have
no definition stay called, and so do those that call themselves; and nothing is inlined any more
when the graph has become larger than a machine can hold. The constants that stood for functions are
left behind.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from tsc.compiler.ir import (
    CALLS,
    Function,
    Graph,
    Node,
    aten,
    callee_of,
    inline_function_call,
    prim,
)
from tsc.compiler.ir.inline import nested_nodes
from tsc.compiler.passes.peephole import peephole
from tsc.compiler.passes.pool_constants import pool_constants

MOST_NODES: Final = 1_000_000


def inline(graph: Graph, *, most_nodes: int = MOST_NODES) -> bool:
    """Returns whether a call was inlined; at most ``most_nodes`` are copied for it."""
    return _Inlining(most_nodes).run(graph)


def inline_simplified(graph: Graph, *, most_nodes: int = MOST_NODES) -> bool:
    """The same with bodies that are simplified before, as those of PyTorch's ``inlined_graph`` are."""
    return _SimplifiedInlining(most_nodes).run(graph)


class _Inlining:
    """Calls still to be looked at are on a stack; those in an inlined body are put on top of it."""

    def __init__(self, room: int) -> None:
        self.room = room
        self.sizes: dict[Graph, int] = {}

    def run(self, graph: Graph) -> bool:
        changed = False
        pending = _calls(graph.all_nodes())
        while pending:
            call = pending.pop()
            callee = callee_of(call)
            if callee is None or not callee.has_definition or _calls_itself(call, callee):
                continue
            if not self.has_room_for(callee.graph):
                continue
            last_before, first_after = call.previous, call.next
            inline_function_call(call, callee)
            pending += _calls(_between(last_before, first_after))
            changed = True
        return changed

    def has_room_for(self, graph: Graph) -> bool:
        """Takes the room if there is enough of it."""
        size = self.sizes.get(graph)
        if size is None:
            size = self.sizes[graph] = sum(1 for _ in graph.all_nodes())
        if size > self.room:
            return False
        self.room -= size
        return True


class _SimplifiedInlining:
    """Bodies are made ready, with nothing left to inline in them, when they are first called."""

    def __init__(self, room: int) -> None:
        self.room = room
        self.bodies: dict[Function, Function] = {}
        self.opened: set[Function] = set()

    def run(self, graph: Graph) -> bool:
        changed = False
        for call in reversed(_calls(graph.all_nodes())):
            callee = callee_of(call)
            if callee is None or not callee.has_definition or callee in self.opened:
                continue
            body = self.body(callee)
            size = sum(1 for _ in body.graph.all_nodes())
            if size > self.room:
                continue
            self.room -= size
            inline_function_call(call, body)
            changed = True
        return changed

    def body(self, callee: Function) -> Function:
        known = self.bodies.get(callee)
        if known is None:
            self.opened.add(callee)
            graph = callee.graph.copy()
            self.run(graph)
            peephole(graph)
            _drop_unused_conversions(graph)
            pool_constants(graph)
            self.opened.remove(callee)
            known = Function(callee.qualified_name, graph=graph, range=callee.range)
            self.bodies[callee] = known
        return known


def _drop_unused_conversions(graph: Graph) -> None:
    """Numbers that were taken out of the tensors that they had been put into."""
    for node in list(graph.all_nodes()):
        is_conversion = node.kind in (aten.Int, aten.Float, aten.ScalarImplicit)
        if is_conversion and not node.has_uses and node.input.node.kind == prim.NumToTensor:
            tensor = node.input.node
            node.destroy()
            if not tensor.has_uses:
                tensor.destroy()


def _calls(nodes: Iterator[Node]) -> list[Node]:
    """The first one last: it is taken first."""
    return [node for node in nodes if node.kind in CALLS][::-1]


def _between(last_before: Node, first_after: Node) -> Iterator[Node]:
    node = last_before.next
    while node is not first_after:
        yield node
        yield from nested_nodes(node)
        node = node.next


def _calls_itself(call: Node, callee: Function) -> bool:
    """Whether the call is in a body of ``callee`` that was inlined."""
    stack = call.call_stack
    return stack is not None and any(
        outer.callee == callee.qualified_name for outer in stack.outwards()
    )
