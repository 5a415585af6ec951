"""Nodes of one graph made again in another."""

from __future__ import annotations

from collections.abc import Mapping

from tsc.compiler.exir.arguments import Argument, Leaf, map_argument
from tsc.compiler.exir.graph import Graph, GraphModule
from tsc.compiler.exir.node import Node


def mapped(argument: Argument, nodes: Mapping[Node, Node]) -> Argument:
    """An argument with the nodes that stand for its own."""

    def changed(leaf: Leaf) -> Argument:
        return nodes[leaf] if isinstance(leaf, Node) else leaf

    return map_argument(argument, changed)


def copy_node(node: Node, graph: Graph, nodes: dict[Node, Node]) -> Node:
    """The same at the end of another graph, under its name; `nodes` are those that stand for its arguments."""
    args = [mapped(each, nodes) for each in node.args]
    kwargs = {key: mapped(each, nodes) for key, each in node.kwargs.items()}
    made = graph.create_node(node.op, node.target, args, kwargs, node.name)
    made.meta.update(node.meta)
    nodes[node] = made
    return made


def copy_module(module: GraphModule) -> GraphModule:
    """A module with a graph of its own; the graphs that it branches to are the same."""
    graph, nodes = Graph(), dict[Node, Node]()
    for each in module.graph.nodes:
        copy_node(each, graph, nodes)
    return GraphModule(graph, module.modules)
