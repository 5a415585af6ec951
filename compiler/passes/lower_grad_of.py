"""A `prim::GradOf` is an If: where one of its gradients is defined, what is in its block runs; otherwise none is.

So graphs of gradients consist of what plans run, whatever is known of their inputs.
"""

from __future__ import annotations

from tsc.compiler.ir import Graph, Node, prim
from tsc.compiler.ir.clone import clone_block
from tsc.compiler.types import BOOL


def lower_grad_of(graph: Graph) -> bool:
    """Returns whether there was a `prim::GradOf`."""
    nodes = [node for node in graph.all_nodes() if node.kind == prim.GradOf]
    for node in nodes:
        _lower(node)
    return bool(nodes)


def _lower(node: Node) -> None:
    graph = node.graph
    asking = graph.create(prim.AutogradAnyNonZero, node.inputs, range=node.range)
    condition = asking.insert_before(node).output.set_type(BOOL)
    chosen = graph.create(prim.If, [condition], len(node.outputs), node.range).insert_before(node)
    clone_block(node.blocks[0], chosen.add_block(), lambda value: value)
    otherwise = chosen.add_block()
    for old, new in zip(node.outputs, chosen.outputs):
        zero = otherwise.append_node(graph.create(prim.AutogradZero, [], 1))
        otherwise.register_output(zero.output.set_type(old.type))
        old.replace_all_uses_with(new.copy_metadata(old))
    node.destroy()
