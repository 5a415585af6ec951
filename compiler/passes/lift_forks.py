"""Turns the body of a ``fork`` or ``_awaitable`` from a block into a graph of its own.

The values from outside that the block uses become inputs of the graph, and of the node.
"""

from __future__ import annotations

from tsc.compiler.ir import Graph, Node, Value, prim
from tsc.compiler.ir.clone import clone_block
from tsc.compiler.types import AwaitType, FutureType

_LIFTED = {
    prim.forkClosure: (prim.fork, FutureType),
    prim.awaitableClosure: (prim.awaitable, AwaitType),
}


def lift_forks(graph: Graph) -> bool:
    """Returns whether there was a ``prim::forkClosure`` or a ``prim::awaitableClosure``."""
    closures = [node for node in graph.all_nodes() if node.kind in _LIFTED]
    for closure in reversed(closures):  # the inner ones first
        _lift(closure)
    return bool(closures)


def _lift(closure: Node) -> None:
    body = Graph(closure.graph.operators)
    inputs: dict[Value, Value] = {}

    def input_for(value: Value) -> Value:
        if value not in inputs:
            inputs[value] = body.add_input().copy_metadata(value)
        return inputs[value]

    clone_block(closure.blocks[0], body.block, input_for)
    kind, type_of = _LIFTED[closure.kind]
    lifted = closure.graph.create(kind, list(inputs), 1, closure.range).insert_before(closure)
    lifted.set_attribute("Subgraph", body)
    lifted.output.copy_metadata(closure.output)
    lifted.output.set_type(type_of(body.outputs[0].type))
    closure.output.replace_all_uses_with(lifted.output)
    closure.destroy()
