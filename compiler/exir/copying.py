"""Nodes of one graph made again in another."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from tsc.compiler.exir.arguments import Argument, Leaf, map_argument
from tsc.compiler.exir.graph import Graph, GraphModule
from tsc.compiler.exir.node import Node, Op


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


def read_outside(nodes: Iterable[Node]) -> list[Node]:
    """What these nodes read that is none of them, in the order in which it is read."""
    inside = set(nodes)
    return list(dict.fromkeys(e for n in nodes for e in n.input_nodes if e not in inside))


def graph_of_nodes(
    module: GraphModule, nodes: Sequence[Node], operands: Sequence[Node], results: Sequence[Node]
) -> GraphModule:
    """A graph of the same nodes, which takes `operands` and returns `results`; the graphs that they call are moved."""
    graph, copies = Graph(), dict[Node, Node]()
    for each in operands:
        made = copies[each] = graph.placeholder(each.name)
        made.target = made.name
        made.meta = dict(each.meta)
    for each in nodes:
        copy_node(each, graph, copies)
    graph.output(tuple([copies[each] for each in results]))
    called = [str(each.target) for each in nodes if each.op is Op.GET_ATTR]
    return GraphModule(graph, {name: module.modules.pop(name) for name in dict.fromkeys(called)})
