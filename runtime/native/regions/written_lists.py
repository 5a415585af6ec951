"""Which of the lists that a graph is given it may write to: lists that it makes are told apart by where they are made.

Finer than an AliasDb, for which all that is put into a list is one with what is in the lists that were given. A place
stands for all lists that a node makes, or for an input with all lists in it; what may be in a list is told by place.
After Andersen: sets only grow, until nothing changes any more.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Final

from tsc.compiler.ir import Graph, LoopView, Node, Value, is_constant, prim
from tsc.compiler.types import ANY, ClassType, DictType, ListType, OptionalType, TupleType, Type

_PASSING: Final = frozenset(
    {prim.TupleConstruct, prim.TupleUnpack, prim.TupleIndex}
    | {prim.unchecked_cast, prim.unchecked_unwrap_optional}
)
"""What gives what it is given, or a part of it."""
_GETTING: Final = frozenset({"aten::__getitem__", "aten::pop"})
"""What gives what is in a list."""
_COPYING: Final = frozenset(
    {"aten::slice", "aten::list", "aten::copy", "aten::add", "aten::mul", "aten::sorted"}
)
"""What makes a list of what is in others."""
_PUTTING: Final = frozenset({"aten::append", "aten::insert", "aten::_set_item"})
"""What puts something in a list."""
_TAKING_ALL: Final = frozenset({"aten::extend", "aten::add_"})
"""What puts what is in a list in another one."""

_ORDERING: Final = frozenset(
    {"aten::sort", "aten::reverse", "aten::clear", "aten::remove", "aten::Delete"}
)
"""What writes to a list and to nothing in it."""

_ANY: Final = ANY
"""The type of the lists that an object has."""

Place = Value
"""The input that has the list, or the output that it is made as."""


class WrittenLists:
    """Answers for the graph as it was."""

    def __init__(self, graph: Graph) -> None:
        self._may_be: defaultdict[Value, set[Place]] = defaultdict(set)
        self._inside: defaultdict[Place, set[Place]] = defaultdict(set)
        self._written: set[Place] = set()
        self._given = [value for value in graph.inputs if leads_to_lists(value.type)]
        for value in self._given:
            self._may_be[value] = {value}
            self._inside[value] = {value}
        nodes = [node for node in graph.all_nodes() if node.kind != prim.Constant]
        self._grew = True
        while self._grew:
            self._grew = False
            for node in nodes:
                self._visit(node)

    def may_write(self, value: Value) -> bool:
        """Whether anything may write to an input, or to a list in it: to any that could be the same."""
        written = [each for each in self._given if each in self._written]
        return any(_may_share(value.type, each.type) for each in written)

    # -- Nodes -------------------------------------------------------------------------------

    def _visit(self, node: Node) -> None:
        if node.kind == prim.If:
            for block in node.blocks:
                self._flow(block.outputs, node.outputs)
        elif node.kind == prim.Loop:
            self._visit_loop(LoopView(node))
        else:
            self._visit_operator(node)

    def _visit_loop(self, view: LoopView) -> None:
        for carried in (view.carried_inputs, view.body_carried_outputs):
            self._flow(carried, view.body_carried_inputs)
            self._flow(carried, view.carried_outputs)

    def _flow(self, some: Sequence[Value], others: Sequence[Value]) -> None:
        for one, other in zip(some, others):
            self._grow(self._may_be[other], self._places(one))

    def _visit_operator(self, node: Node) -> None:
        given: set[Place] = set().union(*map(self._places, node.inputs))
        if not given and not any(leads_to_lists(value.type) for value in node.outputs):
            return
        if node.kind in _PASSING:
            self._give(node, given)
        elif node.kind in _GETTING:
            self._write(node, given)
            self._give(node, self._content(given))
        elif node.kind == prim.ListConstruct:
            self._make(node, given)
        elif node.kind in _COPYING and not _is_mutable(node):
            self._make(node, self._content(given))
        elif node.kind in _PUTTING or node.kind in _TAKING_ALL:
            self._put(node)
        elif node.kind in _ORDERING:
            self._write(node, self._places(node.inputs[0]))
        else:
            self._visit_other(node, self._reached(given))

    def _put(self, node: Node) -> None:
        list, *others = map(self._places, node.inputs)
        put: set[Place] = set().union(*others)
        if node.kind in _TAKING_ALL:
            put = self._content(put)
        self._write(node, list)
        self._give(node, list)
        self._fill(list, put)

    def _visit_other(self, node: Node, reached: set[Place]) -> None:
        """What is not known may give, put anywhere and write to all that it reaches."""
        self._write(node, reached)
        self._make(node, reached)
        self._give(node, reached)
        if _is_mutable(node):
            self._fill(reached, reached)

    # -- Sets --------------------------------------------------------------------------------

    def _places(self, value: Value) -> set[Place]:
        return set() if is_constant(value) else self._may_be[value]

    def _content(self, places: Iterable[Place]) -> set[Place]:
        return set().union(*(self._inside[place] for place in places))

    def _reached(self, places: set[Place]) -> set[Place]:
        reached, new = set(places), set(places)
        while new:
            new = self._content(new) - reached
            reached |= new
        return reached

    def _make(self, node: Node, content: set[Place]) -> None:
        for value in _lists_of(node):
            self._grow(self._may_be[value], {value})
            self._fill([value], content)

    def _give(self, node: Node, places: set[Place]) -> None:
        for value in _lists_of(node):
            self._grow(self._may_be[value], places)

    def _write(self, node: Node, places: set[Place]) -> None:
        if _is_mutable(node):
            self._grow(self._written, places)

    def _fill(self, places: Iterable[Place], content: set[Place]) -> None:
        for place in list(places):
            self._grow(self._inside[place], content)

    def _grow(self, known: set[Value], more: set[Value]) -> None:
        if not more <= known:
            known |= more
            self._grew = True


def _lists_of(node: Node) -> list[Value]:
    return [value for value in node.outputs if leads_to_lists(value.type)]


def leads_to_lists(type: Type) -> bool:
    """Whether there may be lists in a value of a type, or the value is one."""
    return bool(_lists_in(type))


def _may_share(one: Type, other: Type) -> bool:
    """Whether a list in a value of one type may be in one of the other, too; an object may have any."""
    mine, theirs = _lists_in(one), _lists_in(other)
    return _ANY in (*mine, *theirs) or not set(mine).isdisjoint(theirs)


def _lists_in(type: Type) -> list[Type]:
    """The types of the lists in a value of a type, its own among them; for objects and dictionaries any."""
    if isinstance(type, ClassType) or (isinstance(type, DictType) and _lists_in(type.value)):
        return [_ANY]
    if isinstance(type, ListType):
        return [type, *_lists_in(type.element)]
    if isinstance(type, OptionalType):
        return _lists_in(type.element)
    if isinstance(type, TupleType):
        return [each for item in type.elements for each in _lists_in(item)]
    return []


def _is_mutable(node: Node) -> bool:
    return node.operator is not None and node.operator.is_mutable
