"""The order of a block's nodes, as numbers, and the way outwards to where two nodes can be compared.

Who comes first in a block is answered in constant time: a node has a number, its position.
A node put at an end of its block goes one interval further, one put between two others halfway.
When there is no room left, a neighbourhood just wide enough is spread out again, so that a run of
insertions at one place costs O(log n) each.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from tsc.compiler.ir.errors import GraphError

if TYPE_CHECKING:
    from tsc.compiler.ir.node import Node

INTERVAL = 1 << 40
"""Room between neighbours: forty halvings."""


def assign_position(node: Node, sentinel: Node) -> None:
    """Numbers ``node``, already linked into the list that ``sentinel`` closes."""
    previous, following = node.previous, node.next
    if following is sentinel:
        node.position = previous.position + INTERVAL if previous is not sentinel else 0
    elif previous is sentinel:
        node.position = following.position - INTERVAL
    else:
        node.position = (previous.position + following.position) >> 1
        if node.position == previous.position:
            _spread_around(node, sentinel)


def _spread_around(node: Node, sentinel: Node) -> None:
    """Renumbers the smallest neighbourhood of ``node`` that is sparse enough."""
    first = last = node
    count = 1
    room = 16
    while True:
        for _ in range(count):
            if first.previous is not sentinel:
                first = first.previous
                count += 1
            if last.next is not sentinel:
                last = last.next
                count += 1
        at_start, at_end = first.previous is sentinel, last.next is sentinel
        if at_start or at_end or last.position - first.position > count * room:
            break
        room *= 2
    _renumber(first, last, count, sentinel)


def _renumber(first: Node, last: Node, count: int, sentinel: Node) -> None:
    """Spaces ``count`` nodes evenly; a neighbourhood at an end of the block may grow outwards."""
    if last.next is sentinel:
        start, step = first.position, INTERVAL
    elif first.previous is sentinel:
        start, step = last.position - (count - 1) * INTERVAL, INTERVAL
    else:
        start, step = first.position, (last.position - first.position) // (count - 1)
    node = first
    for index in range(count):
        node.position = start + index * step
        node = node.next


def enclosing_nodes(node: Node) -> Iterator[Node]:
    """The node, then the owners of the blocks around it, innermost first."""
    current: Node | None = node
    while current is not None:
        yield current
        current = None if current.block is None else current.block.owning_node


def enclosing_in_common_block(a: Node, b: Node) -> tuple[Node, Node]:
    """The outermost difference between where ``a`` and ``b`` stand: two nodes of one block."""
    by_block = {node.block: node for node in enclosing_nodes(a)}
    for node in enclosing_nodes(b):
        if node.block in by_block:
            return by_block[node.block], node
    raise GraphError("the two nodes have no block in common")
