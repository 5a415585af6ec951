"""Calls of functions give way to the bodies of what they call, and the calls in these, too.

Inlined nodes remember the calls they came through, for the stack of an error. Functions that have
no definition stay called, and so do those that call themselves; and nothing is inlined any more
when the graph has become larger than a machine can hold. The constants that stood for functions are
left behind.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from compiler.ir import CALLS, Function, Graph, Node, callee_of, inline_function_call
from compiler.ir.inline import nested_nodes

MOST_NODES: Final = 1_000_000


def inline(graph: Graph, *, most_nodes: int = MOST_NODES) -> bool:
    """Returns whether a call was inlined; at most ``most_nodes`` are copied for it."""
    return _Inlining(most_nodes).run(graph)


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
