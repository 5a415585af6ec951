"""Makes `prim::NativeGroup` nodes of the outermost loops that can become native code; the loop is the subgraph.

What can, the caller tells. Where a loop cannot, the loops in it are tried.
"""

from __future__ import annotations

from collections.abc import Callable

from tsc.compiler.ir import Block, Graph, Node, Value, is_constant, prim
from tsc.compiler.ir.clone import clone_node


def create_native_groups(
    graph: Graph, *, is_native: Callable[[Graph], bool], whole: bool = False
) -> bool:
    """Returns whether there is a group. With `whole`, a graph with a loop that is native altogether becomes one."""
    if whole and graph.find_node(prim.Loop) is not None and is_native(graph):
        _group_all(graph)
        return True
    return _visit(graph.block, is_native)


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


def _visit(block: Block, is_native: Callable[[Graph], bool]) -> bool:
    changed = False
    for node in list(block.nodes()):
        body = _body_of(node) if node.kind == prim.Loop else None
        if body is not None and is_native(body[0]):
            _group(node, *body)
            changed = True
            continue
        for inner in node.blocks:
            changed |= _visit(inner, is_native)
    return changed


def _body_of(loop: Node) -> tuple[Graph, list[Value]]:
    """A graph that does what a loop does, and the values that are its inputs."""
    body = Graph(loop.graph.operators)
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

    copy = body.append_node(clone_node(loop, body, value_in))
    for output in copy.outputs:
        body.register_output(output)
    return body, inputs


def _group(loop: Node, body: Graph, inputs: list[Value]) -> None:
    group = loop.graph.create(prim.NativeGroup, inputs, len(loop.outputs), loop.range)
    group.set_attribute("Subgraph", body)
    group.insert_before(loop)
    for old, new in zip(loop.outputs, group.outputs):
        new.copy_metadata(old)
        old.replace_all_uses_with(new)
    loop.destroy()
