"""Which nodes go together: as few groups as their dependencies allow, none of which waits for itself.

Kahn's algorithm (1962) with two queues: what a backend does not take comes first as long as there is any, then all that
it takes and that waits for nothing else is one group.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from tsc.compiler.exir.graph import Graph
from tsc.compiler.exir.node import Node, Op
from tsc.compiler.exir.targets import GETITEM


@dataclass(frozen=True, slots=True)
class Stage:
    """Nodes that stand together: those of a group that is handed over, or a single other one."""

    nodes: tuple[Node, ...]
    is_handed_over: bool


def stages(
    graph: Graph, is_taken: Callable[[Node], bool], acts: Callable[[Node], bool]
) -> Iterator[Stage]:
    """All nodes but the output, in an order in which they can run.

    Nodes that act (they write, or are random) stay in their order, and all others on their side of each of them.
    """
    nodes = [each for each in graph.nodes if each.op is not Op.OUTPUT]
    needs = dict(_dependencies(nodes, acts))
    users = _users(needs)
    places = {node: place for place, node in enumerate(nodes)}
    waiting = {node: len(needed) for node, needed in needs.items()}
    queues: dict[bool, list[int]] = {True: [], False: []}

    def release(node: Node) -> None:
        if waiting[node] == 0:
            heapq.heappush(queues[is_taken(node) and not acts(node)], places[node])

    def taken_from(queue: list[int]) -> Node:
        node = nodes[heapq.heappop(queue)]
        for user in users.get(node, ()):
            waiting[user] -= 1
            release(user)
        return node

    for node in nodes:
        release(node)
    while queues[True] or queues[False]:
        while queues[False]:
            yield Stage((taken_from(queues[False]),), False)
        group: list[Node] = []
        while queues[True]:
            group.append(taken_from(queues[True]))
        if group:
            yield Stage(tuple(group), True)


def _dependencies(
    nodes: list[Node], acts: Callable[[Node], bool]
) -> Iterator[tuple[Node, set[Node]]]:
    """What each node has to wait for: its arguments, and what acts before it; what acts waits for all before it.

    Elements of a result go with it: they are what it gave, whatever acts afterwards.
    """
    fence: Node | None = None
    since: list[Node] = []
    for node in nodes:
        needed = set(node.input_nodes)
        if fence is not None and node.op is Op.CALL_FUNCTION and node.target != GETITEM:
            needed.add(fence)
        if acts(node):
            needed.update(since)
            fence, since = node, []
        else:
            since.append(node)
        yield node, needed


def _users(needs: Mapping[Node, set[Node]]) -> dict[Node, list[Node]]:
    users: dict[Node, list[Node]] = {}
    for node, needed in needs.items():
        for each in needed:
            users.setdefault(each, []).append(node)
    return users
