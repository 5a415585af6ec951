"""Groups: nodes that hold a graph of their own, into which the nodes before them are merged."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, cast

from tsc.compiler.analysis.alias_db import AliasDb
from tsc.compiler.ir import Graph, Node, Value, aten, prim
from tsc.compiler.ir.clone import clone_node
from tsc.compiler.ir.inline import insert_graph
from tsc.compiler.types import INT, EnumType, FunctionType, IntType, ListType, Type

_LEAVES: Final = (prim.Constant, prim.Param, prim.GetAttr)
"""Of what a number that is computed once more is computed of."""


def create_group(graph: Graph, kind: str) -> Node:
    """A group with nothing in it, which stands nowhere yet."""
    group = graph.create(kind, [], 0)
    group.set_attribute("Subgraph", Graph(graph.operators))
    return group


def subgraph_of(group: Node) -> Graph:
    return cast(Graph, group.attribute("Subgraph"))


def size_of(group: Node) -> int:
    """How many nodes are in a group, without constants."""
    return sum(node.kind != prim.Constant for node in subgraph_of(group).nodes())


def inline_subgraph(group: Node) -> list[Node]:
    """Puts the content of a node's subgraph in its place; returns it."""
    body = subgraph_of(group)
    before = group.previous
    with group.graph.insert_at(group):
        outputs = insert_graph(group.graph, body, list(group.inputs))
    for old, new in zip(group.outputs, outputs):
        old.replace_all_uses_with(new)
    inserted: list[Node] = []
    node = before.next
    while node is not group:
        inserted.append(node)
        node = node.next
    group.destroy()
    return inserted


def taken_apart(group: Node, aliases: AliasDb) -> list[Node]:
    """The nodes of a group in its place; what the database knows of their results is known as before."""
    body = subgraph_of(group)
    nodes = inline_subgraph(group)
    for inner, node in zip(body.nodes(), nodes, strict=True):
        for old, new in zip(inner.outputs, node.outputs):
            aliases.take_over(old, new)
    return nodes


def never(*_asked: Value | Node) -> bool:
    """Nothing but constants is computed once more in a group, and no groups are merged that do not need each other."""
    return False


def merge_into_group(
    node: Node, group: Node, aliases: AliasDb, repeats: Callable[[Value], bool] = never
) -> None:
    """Moves a node, or the content of another group of its kind, to the beginning of the group behind it.

    What the node reads of which `repeats` holds, and what that is computed from, is computed in the group once more.
    """
    aliases.take_over_writes(node, group)
    if node.kind == group.kind:
        for inner in reversed(taken_apart(node, aliases)):
            if not inner.is_attached:
                continue  # what it computed is computed once more
            if inner.kind != prim.Constant:
                merge_into_group(inner, group, aliases, repeats)
            elif not inner.output.has_uses:
                inner.destroy()
        return
    body = subgraph_of(group)
    known = dict(zip(group.inputs, body.inputs))
    body.set_insertion_point(next(body.nodes(), body.return_node))
    repeated = [each for each in node.inputs if repeats(each)]
    for each in repeated:
        _repeat(each, group, body, known)
    copy = clone_node(node, body, lambda value: _inside(value, group, body, known))
    body.insert_node(copy)
    for old, new in zip(node.outputs, copy.outputs):
        aliases.take_over(old, new)
        if old in known:
            _replace_input(group, body, list(group.inputs).index(old), new)
        if old.has_uses:
            body.register_output(new)
            made = group.add_output().copy_metadata(old)
            aliases.take_over(old, made)
            old.replace_all_uses_with(made)
    node.destroy()
    for each in repeated:
        _destroy_unused(each, group, aliases)


def _repeat(value: Value, group: Node, body: Graph, known: dict[Value, Value]) -> None:
    """Computes a value in a group; tensors that it is computed from become inputs."""
    node = value.node
    if node.kind == prim.ListUnpack:  # of a shape: one of its sizes is asked for
        tensor = _inside(node.inputs[0].node.inputs[0], group, body, known)
        place = body.insert_constant(node.outputs.index(value))
        asked = body.create(aten.size, [tensor, place], range=node.range)
        known[value] = body.insert_node(asked).output.set_type(INT)
        return
    for each in node.inputs:
        if isinstance(each.type, IntType) and each.node.kind not in _LEAVES:
            _repeat(each, group, body, known)
    copy = clone_node(node, body, lambda each: _inside(each, group, body, known))
    known[value] = body.insert_node(copy).output


def _destroy_unused(value: Value, group: Node, aliases: AliasDb) -> None:
    """Destroys what computes a value that nothing uses any more, and what that alone was computed for.

    What might fail in front of a write that stays there still does so.
    """
    pending = [value]
    while pending:
        node = pending.pop().node
        if node.kind in (prim.Param, prim.Constant) or any(each.has_uses for each in node.outputs):
            continue
        if node.kind == prim.ListUnpack:
            continue  # it checks how many sizes there are
        if not aliases.could_move_before_topologically(node, group):
            continue
        if node.outputs and all(isinstance(each.type, IntType | ListType) for each in node.outputs):
            pending += dict.fromkeys(node.inputs)
            node.destroy()


def copy_into_group(node: Node, group: Node) -> None:
    """A copy of a node, with the constants that it uses, in an empty group, whose subgraph returns what it gives."""
    body = subgraph_of(group)
    known: dict[Value, Value] = {}
    for value in node.inputs:
        if value.node.kind == prim.Constant:
            known[value] = _copy_of_constant(value, body)
    copy = clone_node(node, body, lambda value: _inside(value, group, body, known))
    body.insert_node(copy)
    for output in copy.outputs:
        body.register_output(output)


def _inside(value: Value, group: Node, body: Graph, known: dict[Value, Value]) -> Value:
    """What a value from outside is in a group: constants are copied, others become inputs."""
    if value not in known:
        if value.node.kind == prim.Constant and not _is_shared(value.type):
            known[value] = _copy_of_constant(value, body)
        else:
            group.add_input(value)
            known[value] = body.add_input().copy_metadata(value)
    return known[value]


def _copy_of_constant(value: Value, body: Graph) -> Value:
    return body.insert_node(clone_node(value.node, body, lambda used: used)).output


def _is_shared(type: Type) -> bool:
    """Whether there is only one constant of the kind: a function, or the members of an enum."""
    element = type.element if isinstance(type, ListType) else None
    return isinstance(type, FunctionType) or isinstance(element, EnumType)


def _replace_input(group: Node, body: Graph, offset: int, value: Value) -> None:
    body.inputs[offset].replace_all_uses_with(value)
    body.erase_input(offset)
    group.remove_input(offset)
