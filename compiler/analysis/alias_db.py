"""AliasDb: which values of a graph may share memory, and who writes to it.

One walk over the graph, in any order: every node adds edges to the AliasTracker according to the
alias annotations of its schema, or to its kind. What comes from outside, or goes into a container
out of sight, belongs to the wildcard set of its type: it may alias anything else there.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from tsc.compiler.analysis.alias_builder import AliasBuilder
from tsc.compiler.analysis.alias_report import graphviz_text, report
from tsc.compiler.analysis.alias_tracker import NOWHERE, AliasTracker, Locations
from tsc.compiler.analysis.effects import never_fails
from tsc.compiler.analysis.node_motion import Side, can_move, move
from tsc.compiler.ir import Graph, Node, Value, aten, prim
from tsc.compiler.ir.graph import set_alias_db_maker
from tsc.compiler.source.jit_log import LOG, Level

_COURSE: Final[Locations] = frozenset({-1})
"""A location that stands for how far the program got: what may fail reads it, and writes that are seen after an error
write to it.
"""


class AliasDb:
    """Answers for the graph as it was when the database was made, and as nodes are moved through it."""

    def __init__(self, graph: Graph, *, errors_matter: bool = False) -> None:
        """With `errors_matter`, no node is moved so that an error would leave other things written than before."""
        builder = AliasBuilder()
        builder.analyze_graph(graph)
        self.graph = graph
        self._errors_matter = errors_matter
        self._tracker = builder.settle()
        self._elements = builder.elements
        self._wildcard_elements = builder.wildcard_elements
        self._wildcards: Locations = builder.wildcard_locations()
        self._writes: dict[Node, Locations] = {}
        self._written: set[int] = set()
        for write in builder.writes:
            find = self._tracker.reachable if write.to_contents else self._tracker.locations
            locations = find(write.element)
            self._writes[write.node] = self._writes.get(write.node, NOWHERE) | locations
            self._written |= locations
        if LOG.active and LOG.wants("alias_db", Level.DEBUG):
            LOG.write(
                "alias_db", Level.DEBUG, self.dump(), AliasDb.__init__.__code__.co_firstlineno
            )

    # -- Values ------------------------------------------------------------------------------

    def locations(self, value: Value) -> Locations:
        """The memory locations that ``value`` may be; none if it cannot be written to."""
        element = self._elements.get(value)
        return NOWHERE if element is None else self._tracker.locations(element)

    def reachable_locations(self, value: Value) -> Locations:
        """The memory locations that ``value`` may be or contain."""
        element = self._elements.get(value)
        return NOWHERE if element is None else self._tracker.reachable(element)

    def take_over(self, old: Value, new: Value) -> None:
        """`new`, which the database does not know, stands for what `old` stood for."""
        if old in self._elements:
            self._elements[new] = self._elements[old]

    def take_over_writes(self, old: Node, new: Node) -> None:
        """`new` writes, from now on, what `old` wrote, too."""
        if old in self._writes:
            self._writes[new] = self._writes.get(new, NOWHERE) | self._writes[old]

    def may_alias(self, a: Value, b: Value) -> bool:
        """Whether the two may be the same memory."""
        return not self.locations(a).isdisjoint(self.locations(b))

    def may_contain_alias(self, a: Value, b: Value) -> bool:
        """Whether the two, or anything in them, may be the same memory."""
        return not self.reachable_locations(a).isdisjoint(self.reachable_locations(b))

    def are_wildcards(self, locations: Locations) -> bool:
        """Whether any of the locations may be visible outside of the graph."""
        return not self._wildcards.isdisjoint(locations)

    def escapes(self, values: Iterable[Value]) -> bool:
        """Whether any of the values itself may be visible outside of the graph, or is returned by it."""
        outside = self._wildcards.union(*map(self.reachable_locations, self.graph.outputs))
        return any(not outside.isdisjoint(self.locations(value)) for value in values)

    def escapes_within(self, values: Iterable[Value]) -> bool:
        """Whether any of the values, or anything in them, may be visible outside of the graph, or is returned by it."""
        return self.is_returned(values) or self.are_wildcards(self._all_locations(values))

    def is_returned(self, values: Iterable[Value]) -> bool:
        """Whether any of the values may be found in what the graph returns."""
        returned = self._all_locations(self.graph.outputs)
        return any(not returned.isdisjoint(self.reachable_locations(value)) for value in values)

    def has_writers(self, value: Value) -> bool:
        """Whether anything in the graph may write to ``value`` itself, its contents left aside."""
        return not self._written.isdisjoint(self.locations(value))

    def has_writers_within(self, value: Value) -> bool:
        """Whether anything in the graph may write to ``value``, or to what it contains."""
        return not self._written.isdisjoint(self.reachable_locations(value))

    # -- Nodes -------------------------------------------------------------------------------

    def written_locations(self, node: Node) -> Locations:
        """The memory locations that the node itself may write to, its blocks left aside."""
        return self._writes.get(node, NOWHERE)

    def is_mutable(self, node: Node) -> bool:
        """Whether the node, or one in its blocks, writes."""
        return any(inner in self._writes for inner in _with_nested(node))

    def has_input_writers(self, node: Node) -> bool:
        return any(map(self.has_writers_within, node.inputs))

    def has_output_writers(self, node: Node) -> bool:
        return any(map(self.has_writers_within, node.outputs))

    def node_has_writers(self, node: Node) -> bool:
        """Whether an input or an output of the node is ever written to."""
        return self.has_input_writers(node) or self.has_output_writers(node)

    def writes_to_wildcard(self, node: Node) -> bool:
        """Whether the node, or one in its blocks, may write to what is visible elsewhere."""
        return any(
            not self._wildcards.isdisjoint(self.written_locations(inner))
            for inner in _with_nested(node)
        )

    def writes_to_alias(self, node: Node, values: Iterable[Value]) -> bool:
        """Whether the node, or one in its blocks, may write to one of the values."""
        locations = self._all_locations(values)
        return any(
            not locations.isdisjoint(self.written_locations(inner)) for inner in _with_nested(node)
        )

    # -- Moves -------------------------------------------------------------------------------

    def move_before_topologically_valid(self, node: Node, place: Node) -> bool:
        """Moves ``node`` right before ``place``, in its block, with whatever depends on it in between.

        False, and nothing is moved, where that might change what the program does.
        """
        return move(node, place, Side.BEFORE, self._read_by, self._written_by)

    def move_after_topologically_valid(self, node: Node, place: Node) -> bool:
        """Moves ``node`` right after ``place``; see `move_before_topologically_valid`."""
        return move(node, place, Side.AFTER, self._read_by, self._written_by)

    def could_move_before_topologically(self, node: Node, place: Node) -> bool:
        """Whether `move_before_topologically_valid` would succeed."""
        return can_move(node, place, Side.BEFORE, self._read_by, self._written_by)

    def could_move_after_topologically(self, node: Node, place: Node) -> bool:
        """Whether `move_after_topologically_valid` would succeed."""
        return can_move(node, place, Side.AFTER, self._read_by, self._written_by)

    def _read_by(self, node: Node) -> Locations:
        """What the node may read, by itself or by failing."""
        read = self._read_as_inputs(node)
        may_fail = self._errors_matter and not all(map(_only_makes, _with_nested(node)))
        return read | _COURSE if may_fail else read

    def _read_as_inputs(self, node: Node) -> Locations:
        """The inputs and what they contain, those of nodes in its blocks too."""
        if node.kind == aten.getitem:  # looks into a container, not at what it finds
            return self.locations(node.inputs[0])
        inside = list(_with_nested(node))
        ends = [block.return_node for each in inside for block in each.blocks]
        return self._all_locations(value for each in (*inside, *ends) for value in each.inputs)

    def _written_by(self, node: Node) -> Locations:
        written = NOWHERE.union(*map(self.written_locations, _with_nested(node)))
        return written | _COURSE if self._errors_matter and self.are_wildcards(written) else written

    # -- Reports -----------------------------------------------------------------------------

    def dump(self) -> str:
        """The graph, what its values may be and contain, and who writes where."""
        return report(self.graph, self.tracker, self._named_elements(), self._writes)

    def to_graphviz_str(self) -> str:
        """The same edges as a drawing for Graphviz; dashed ones lead to contents."""
        return graphviz_text(self.tracker, self._named_elements())

    @property
    def tracker(self) -> AliasTracker:
        return self._tracker

    def _named_elements(self) -> dict[int, str]:
        named = {
            element: f"WILDCARD for {type}" for type, element in self._wildcard_elements.items()
        }
        return named | {element: f"%{each.debug_name}" for each, element in self._elements.items()}

    def _all_locations(self, values: Iterable[Value]) -> Locations:
        return NOWHERE.union(*map(self.reachable_locations, values))


def _only_makes(node: Node) -> bool:
    """Whether a node cannot fail; lists and branches are made of what was computed before."""
    return never_fails(node) or node.kind in (prim.ListConstruct, prim.If)


def _with_nested(node: Node) -> Iterable[Node]:
    yield node
    for block in node.blocks:
        yield from block.all_nodes()


set_alias_db_maker(AliasDb)
