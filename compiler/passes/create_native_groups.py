"""Makes `prim::NativeGroup` nodes of the outermost loops that can become native code; the loop is the subgraph.

What can, the caller tells. Where a loop cannot, the loops in it are tried. With `whole`, lists that are made in front
of a loop are in the group with what is between: they are the group's own, and may hold lists that the loop makes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from tsc.compiler.ir import Block, Graph, Node, Value, is_constant, prim
from tsc.compiler.ir.clone import clone_node
from tsc.compiler.types import ListType, OptionalType, TupleType, Type, TypeKind

_PLAIN: Final = frozenset(
    {TypeKind.IntType, TypeKind.FloatType, TypeKind.BoolType, TypeKind.ComplexType}
    | {TypeKind.StringType, TypeKind.NoneType}
)


def create_native_groups(
    graph: Graph, *, is_native: Callable[[Graph], bool], whole: bool = False
) -> bool:
    """Returns whether there is a group. With `whole`, a graph with a loop that is native altogether becomes one, or
    else loops with the lists in front of them do.
    """
    if whole and graph.find_node(prim.Loop) is not None and is_native(graph):
        _group_all(graph)
        return True
    return _visit(graph.block, is_native, with_lists=whole)


def _group_all(graph: Graph) -> None:
    body = graph.copy()
    outputs, range = list(graph.outputs), graph.find_all_nodes(prim.Loop)[0].range
    group = graph.create(prim.NativeGroup, list(graph.inputs), len(outputs), range)
    group.set_attribute("Subgraph", body)
    group.insert_before(graph.return_node)
    for place, (old, new) in enumerate(zip(outputs, group.outputs)):
        new.copy_metadata(old)
        graph.replace_output(place, new)
    for node in list(graph.nodes_reversed()):
        if node is not group:
            node.destroy()


def _visit(block: Block, is_native: Callable[[Graph], bool], *, with_lists: bool = False) -> bool:
    changed = False
    for run in _runs(block) if with_lists else ():
        changed |= _try_group(run, is_native)
    for node in list(block.nodes()):
        if node.kind == prim.Loop and _try_group([node], is_native):
            changed = True
            continue
        for inner in node.blocks:
            changed |= _visit(inner, is_native)
    return changed


def _runs(block: Block) -> list[list[Node]]:
    """Nodes that follow each other and have no tensors or objects as results: from one that makes a list to a loop."""
    runs: list[list[Node]] = []
    run: list[Node] = []
    for node in (*block.nodes(), None):
        if node is not None and _is_constant(node):
            continue
        if node is not None and (run or _makes_list(node)) and _gives_plain_values(node):
            run.append(node)
        else:
            runs.append(run)
            run = []
    return [each for each in map(_to_last_loop, runs) if len(each) > 1]


def _is_constant(node: Node) -> bool:
    return node.kind in (prim.Constant, prim.Uninitialized)


def _to_last_loop(run: Sequence[Node]) -> list[Node]:
    places = [place for place, node in enumerate(run) if node.kind == prim.Loop]
    return list(run[: places[-1] + 1]) if places else []


def _makes_list(node: Node) -> bool:
    return any(isinstance(value.type, ListType) for value in node.outputs)


def _gives_plain_values(node: Node) -> bool:
    return all(_is_plain(value.type) for value in node.outputs)


def _is_plain(type: Type) -> bool:
    if isinstance(type, ListType | OptionalType):
        return _is_plain(type.element)
    if isinstance(type, TupleType):
        return all(map(_is_plain, type.elements))
    return type.kind in _PLAIN


def _try_group(nodes: Sequence[Node], is_native: Callable[[Graph], bool]) -> bool:
    body, inputs, outputs = _body_of(nodes)
    if not is_native(body):
        return False
    _group(nodes, body, inputs, outputs)
    return True


def _body_of(nodes: Sequence[Node]) -> tuple[Graph, list[Value], list[Value]]:
    """A graph that does what nodes do, the values that are its inputs, and those that are used behind the nodes."""
    body = Graph(nodes[0].graph.operators)
    inside: dict[Value, Value] = {}
    inputs: list[Value] = []

    def value_in(value: Value) -> Value:
        if value not in inside:
            if is_constant(value) or value.node.kind == prim.Uninitialized:
                inside[value] = body.prepend_node(clone_node(value.node, body, value_in)).output
            else:
                inputs.append(value)
                inside[value] = body.add_input().copy_metadata(value)
        return inside[value]

    for node in nodes:
        copy = body.append_node(clone_node(node, body, value_in))
        inside.update(zip(node.outputs, copy.outputs))
    outputs = _results(nodes)
    for output in outputs:
        body.register_output(inside[output])
    return body, inputs, outputs


def _results(nodes: Sequence[Node]) -> list[Value]:
    """All that a single loop gives; of several nodes, what is used elsewhere."""
    if len(nodes) == 1:
        return list(nodes[0].outputs)
    within = {inner for node in nodes for inner in (node, *_nodes_in(node))}
    outputs = [value for node in nodes for value in node.outputs]
    return [value for value in outputs if any(use.node not in within for use in value.uses)]


def _nodes_in(node: Node) -> Iterator[Node]:
    for block in node.blocks:
        yield block.return_node
        for inner in block.nodes():
            yield inner
            yield from _nodes_in(inner)


def _group(nodes: Sequence[Node], body: Graph, inputs: list[Value], outputs: list[Value]) -> None:
    last = nodes[-1]
    group = last.graph.create(prim.NativeGroup, inputs, len(outputs), last.range)
    group.set_attribute("Subgraph", body)
    group.insert_before(last)
    for old, new in zip(outputs, group.outputs):
        new.copy_metadata(old)
        old.replace_all_uses_with(new)
    for node in reversed(nodes):
        node.destroy()
