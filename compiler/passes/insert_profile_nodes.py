"""Every use of a tensor goes through a `prim::profile` node, which notes what comes through when the program runs.

Tensors whose metadata may change while it runs are left out: what is seen of them would not hold.
"""

from __future__ import annotations

from collections.abc import Iterator

from tsc.compiler.analysis.metadata import UnsteadyTensors
from tsc.compiler.ir import Graph, Node, prim
from tsc.compiler.types import TensorType

_NO_USES = (prim.profile, prim.BailOut)


def insert_profile_nodes(graph: Graph) -> bool:
    """Returns whether there was a tensor in use."""
    changed = False
    unsteady = UnsteadyTensors(graph)
    for node in list(_users(graph)):
        for offset, value in enumerate(node.inputs):
            if not isinstance(value.type, TensorType) or value.node.kind == prim.profile:
                continue
            if value in unsteady:
                continue
            profile = graph.create(prim.profile, [value], range=node.range).insert_before(node)
            profile.output.set_type(value.type)
            profile.call_stack = node.call_stack
            node.replace_input(offset, profile.output)
            changed = True
    return changed


def _users(graph: Graph) -> Iterator[Node]:
    """The nodes that compute with values, and the end of the graph."""
    for node in graph.all_nodes():
        if node.kind not in _NO_USES:
            yield node
    yield graph.return_node
