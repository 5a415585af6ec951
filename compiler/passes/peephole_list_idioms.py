"""What is known of lists and dictionaries that are made in a graph and never changed there.

Their length is a number, and an element is the value that was put in. Part of `peephole`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from tsc.compiler.analysis.alias_db import AliasDb
from tsc.compiler.ir import Graph, Node, Value, aten, constant_value, prim
from tsc.compiler.ir.constants import NOT_CONSTANT
from tsc.compiler.source.rewritings import may_rewrite

_CONTAINERS: Final = (prim.ListConstruct, prim.DictConstruct)
_GETITEM: Final = "aten::__getitem__"

Idiom = Callable[[Node], Sequence[Value] | None]
"""What values stand for the outputs of a node whose containers nobody writes to."""

_LONGEST_MADE: Final = 1024
"""Elements of a list that is made of others: lists that are joined again and again double each time."""


def peephole_list_idioms(graph: Graph) -> bool:
    """Returns whether any output was replaced. Nodes that are of no use any more stay."""
    nodes = [node for node in graph.all_nodes() if node.kind in _IDIOMS]
    if not any(map(_takes_container, nodes)):
        return False
    made = [node.output for node in graph.all_nodes() if node.kind in _CONTAINERS]
    results = [output for node in nodes for output in node.outputs]
    aliases = AliasDb(graph)
    written = {value for value in (*made, *results) if aliases.has_writers(value)}
    changed = False
    for node in nodes:
        changed |= _replace(node, written)
    return changed


def _takes_container(node: Node) -> bool:
    return any(value.node.kind in _CONTAINERS for value in node.inputs)


def _replace(node: Node, written: set[Value]) -> bool:
    """What stands for a list that is written to, is written to as well."""
    in_use = any(output.has_uses for output in node.outputs)
    if not in_use or not _takes_container(node) or not written.isdisjoint(node.inputs):
        return False
    with node.graph.insert_at(node):
        values = _IDIOMS[node.kind](node)
    if values is None or not may_rewrite("peephole_list_idioms", node):
        return False
    for output, value in zip(node.outputs, values, strict=True):
        if output in written:
            written.add(value)
        output.replace_all_uses_with(value)
    return True


# -- Lists -----------------------------------------------------------------------------------


def _elements(value: Value) -> Sequence[Value] | None:
    return value.node.inputs if value.node.kind == prim.ListConstruct else None


def _length(node: Node) -> Sequence[Value] | None:
    elements = _elements(node.inputs[0])
    entries = _entries(node.inputs[0])
    known = elements if entries is None else entries
    return None if known is None else [node.graph.insert_constant(len(known), range=node.range)]


def _item(node: Node) -> Sequence[Value] | None:
    """The element at a constant place, or the value of a constant key."""
    key = constant_value(node.inputs[1])
    entries = _entries(node.inputs[0])
    if entries is not None:
        known = _hashable(key)
        return [entries[known]] if known in entries else None
    elements = _elements(node.inputs[0])
    if elements is None or not isinstance(key, int) or not -len(elements) <= key < len(elements):
        return None
    return [elements[key]]


def _unpacked(node: Node) -> Sequence[Value] | None:
    elements = _elements(node.inputs[0])
    known = elements is not None and len(elements) == len(node.outputs)
    return list(elements) if known and elements is not None else None


def _joined(node: Node) -> Sequence[Value] | None:
    """The sum of two lists, as a list of all elements."""
    first, second = map(_elements, node.inputs[:2])
    if first is None or second is None or len(node.inputs) != 2:
        return None
    if len(first) + len(second) > _LONGEST_MADE:
        return None
    return [_list(node, [*first, *second])]


def _slice(node: Node) -> Sequence[Value] | None:
    elements = _elements(node.inputs[0])
    bounds = [constant_value(value) for value in node.inputs[1:]]
    if elements is None or NOT_CONSTANT in bounds or bounds[-1] == 0:
        return None
    start, stop, step = (each if isinstance(each, int) else None for each in bounds)
    chosen = elements[start:stop:step]
    return [_list(node, chosen)] if len(chosen) <= _LONGEST_MADE else None


def _list(node: Node, elements: Sequence[Value]) -> Value:
    made = node.graph.insert_node(node.graph.create(prim.ListConstruct, elements, range=node.range))
    return made.output.set_type(node.output.type)


# -- Dictionaries ----------------------------------------------------------------------------


def _entries(value: Value) -> dict[tuple[type, object], Value] | None:
    """What a dictionary holds under constant keys; None if that is not known."""
    made = value.node
    if made.kind != prim.DictConstruct:
        return None
    keys = [_hashable(constant_value(key)) for key in made.inputs[::2]]
    entries = {key: each for key, each in zip(keys, made.inputs[1::2]) if key is not None}
    return entries if len(entries) == len(keys) else None


def _hashable(key: object) -> tuple[type, object] | None:
    """A key as one that is told from those of other types; None for what is not looked at."""
    return (type(key), key) if type(key) in (int, float, str) else None


_IDIOMS: Final[dict[str, Idiom]] = {
    "aten::len": _length,
    _GETITEM: _item,
    prim.ListUnpack: _unpacked,
    aten.add: _joined,
    "aten::slice": _slice,
}
