"""Moving a node within its block, together with what depends on it, so that the program stays the same.

What is to be moved is gone towards, node by node, from the mover on: whoever depends on the mover, or on one
who does, must move along. Writes to a memory location stay in their order, and no read is moved across a write
that it may see. Nodes with side effects stay where they are, and nothing moves past them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import Enum

from tsc.compiler.analysis.alias_tracker import NOWHERE, Locations
from tsc.compiler.analysis.effects import has_side_effects
from tsc.compiler.ir import Node

Touched = Callable[[Node], Locations]
"""The memory locations that a node, or one in its blocks, may read or write."""


class Side(Enum):
    """Where the mover is to stand beside the place."""

    BEFORE = "before"
    AFTER = "after"


def move(node: Node, place: Node, side: Side, reads: Touched, writes: Touched) -> bool:
    """Moves ``node`` next to ``place`` with all that must move along; False, and nothing moved, if it cannot be."""
    planned = _plan(node, place, side, reads, writes)
    if planned is None:
        return False
    for mover, target, where in planned:
        if where is Side.BEFORE:
            mover.move_before(target)
        else:
            mover.move_after(target)
    return True


def can_move(node: Node, place: Node, side: Side, reads: Touched, writes: Touched) -> bool:
    """Whether `move` would succeed."""
    return _plan(node, place, side, reads, writes) is not None


Step = tuple[Node, Node, Side]


def _plan(
    node: Node, place: Node, side: Side, reads: Touched, writes: Touched
) -> list[Step] | None:
    """Single moves, in their order; None if there is no way."""
    if node.block is not place.block or node.block is None:
        return None
    if node is place:
        return []
    forwards = node.is_before(place)
    stays_on_its_side = forwards is (side is Side.BEFORE)
    first = _following(node, forwards)
    if stays_on_its_side and first is place:
        return []
    if _is_fixed(node) or _is_fixed(place):
        return None
    moving = _WorkingSet(reads, writes)
    moving.add(node)
    current = first
    while current is not place:
        if _is_fixed(current):
            return None
        if moving.depends_on(current, forwards):
            moving.add(current)
        current = _following(current, forwards)
    others = moving.nodes[1:]
    if not stays_on_its_side:
        return None if moving.depends_on(place, forwards) else _steps([node, *others], place, side)
    along = _WorkingSet(reads, writes)
    for other in others:
        along.add(other)
    if along.depends_on(place, forwards):
        return None
    other_side = Side.AFTER if side is Side.BEFORE else Side.BEFORE
    return [(node, place, side), *_steps(others, place, other_side)]


def _steps(nodes: Iterable[Node], place: Node, side: Side) -> list[Step]:
    """Each next to the one before it, the first next to the place."""
    steps: list[Step] = []
    for node in nodes:
        steps.append((node, place, side))
        place = node
    return steps


def _following(node: Node, forwards: bool) -> Node:
    return node.next if forwards else node.previous


def _is_fixed(node: Node) -> bool:
    """Whether the node, or one in its blocks, does more than compute and write."""
    return has_side_effects(node) or any(
        has_side_effects(inner) for block in node.blocks for inner in block.all_nodes()
    )


class _WorkingSet:
    """Nodes that move together."""

    def __init__(self, reads: Touched, writes: Touched) -> None:
        self.nodes: list[Node] = []
        self._reads_of, self._writes_of = reads, writes
        self._reads: Locations = NOWHERE
        self._writes: Locations = NOWHERE
        self._members: set[Node] = set()
        self._users: set[Node] = set()
        self._sources: set[Node] = set()

    def add(self, node: Node) -> None:
        self.nodes.append(node)
        self._members.add(node)
        self._reads |= self._reads_of(node)
        self._writes |= self._writes_of(node)
        self._users |= _users_in_block(node)
        self._sources |= _sources_in_block(node)

    def depends_on(self, node: Node, forwards: bool) -> bool:
        """Whether the order of one of these nodes and ``node`` matters."""
        if not self.nodes:
            return False
        if node in (self._users if forwards else self._sources):
            return True
        writes = self._writes_of(node)
        if not writes.isdisjoint(self._reads | self._writes):
            return True
        return not self._writes.isdisjoint(self._reads_of(node) | writes)


def _users_in_block(node: Node) -> set[Node]:
    """The nodes of the same block that use an output, themselves or in their blocks."""
    users = (use.node for output in node.outputs for use in output.uses)
    return {found for user in users if (found := _in_block_of(user, node)) is not None}


def _sources_in_block(node: Node) -> set[Node]:
    """The nodes of the same block that define what the node, or one in its blocks, uses."""
    inside = [node, *(inner for block in node.blocks for inner in block.all_nodes())]
    ends = [block.return_node for each in inside for block in each.blocks]
    values = (value for each in (*inside, *ends) for value in each.inputs)
    return {value.node for value in values if value.node.block is node.block} - {node}


def _in_block_of(user: Node, node: Node) -> Node | None:
    current: Node | None = user
    while current is not None and current.block is not node.block:
        current = None if current.block is None else current.block.owning_node
    return current
