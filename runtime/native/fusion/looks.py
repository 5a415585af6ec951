"""Whether what views within a group show is still there when somebody looks: writes make new tensors in the group.

A view, or a list, keeps showing the tensor that it was made of. A write to that tensor by another way than through the
view makes it stale; a write through it gives it a new name, and what it is a part of as well (`prim::with_part`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from tsc.compiler.ir import Graph, Node, Value, prim
from tsc.compiler.passes.name_writes import WrittenTensors
from tsc.runtime.native.expressions.instructions import NotLowered

_BASE, _VIEW, _WRITTEN = 1, 2, 3
_PLACES: Final = (_BASE, _VIEW)
"""Inputs of `prim::with_part` that tell by where they lie which part is meant: nobody reads their elements."""


def check_looks(graph: Graph, tensors: WrittenTensors, written: Mapping[Value, Value]) -> None:
    """Raises NotLowered for a view that is looked at after what it shows changed, for one that is written where nothing
    says of what it is a part, and for one that the group gives. `written` has the names before by those after writes.
    """
    looks = _Looks(graph, tensors, written)
    for node in graph.nodes():
        if is_view(node) or node.kind == prim.ListConstruct:
            looks.check(node)


def is_view(node: Node) -> bool:
    """Whether a node gives another look at what it is given, and is no operator that writes to it."""
    if node.kind in (prim.ListUnpack, prim.ConstantChunk):
        return True
    if node.schema is None or node.schema.is_mutable:
        return False
    return any(each.alias_info is not None for each in node.schema.returns)


class _Looks:
    """The names of tensors in a group, and the places of its nodes."""

    def __init__(
        self, graph: Graph, tensors: WrittenTensors, written: Mapping[Value, Value]
    ) -> None:
        self._tensors = tensors
        has_parts = any(each.node.kind == prim.with_part for each in written)
        self._refusal = NotLowered(prim.with_part_ if has_parts else None)
        self._places = {node: place for place, node in enumerate(graph.nodes())}
        self._names: dict[Value, list[Value]] = {}
        for after in written:
            self._names.setdefault(tensors.first_name(after), []).append(after)

    def check(self, view: Node) -> None:
        """Raises NotLowered."""
        names = [name for each in view.outputs for name in self._names.get(each, ())]
        if not all(map(_is_told, names)):
            raise self._refusal
        last = self._last_look([*view.outputs, *names])
        if names and last == len(self._places):
            raise self._refusal  # what the group gave would be a view no more
        for shown in dict.fromkeys(self._shown(view)):
            for name in self._names.get(shown, ()):
                place = self._places[name.node]
                if self._places[view] < place < last and not self._is_through(name.node, view):
                    raise self._refusal

    def _shown(self, view: Node) -> Iterator[Value]:
        """The tensors that a view or list shows, those that these are views of, and so on, by their first names."""
        pending = [view]
        while pending:
            node = pending.pop()
            for each in node.inputs if node.kind == prim.ListConstruct else node.inputs[:1]:
                first = self._tensors.first_name(each)
                yield first
                if is_view(first.node) or first.node.kind == prim.ListConstruct:
                    pending.append(first.node)

    def _is_through(self, write: Node, view: Node) -> bool:
        """Whether it is by a view, or one of it, that a node writes."""
        if write.kind != prim.with_part:
            return False
        through = write.inputs[_VIEW]
        return through.node is view or any(each.node is view for each in self._shown(through.node))

    def _last_look(self, values: list[Value]) -> int:
        """The place of the last node that reads one of them, or through a view; behind all others if the group gives
        it.
        """
        last, pending = 0, values
        while pending:
            for use in pending.pop().uses:
                if use.node.kind == prim.with_part and use.offset in _PLACES:
                    continue
                last = max(last, self._places.get(use.node, len(self._places)))
                if is_view(use.node) or use.node.kind == prim.ListConstruct:
                    pending += use.node.outputs
        return last


def _is_told(name: Value) -> bool:
    """Whether somebody says of what a written view is a part."""
    return any(use.node.kind == prim.with_part and use.offset == _WRITTEN for use in name.uses)
