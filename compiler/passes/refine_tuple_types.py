"""A tuple that is put together is of the types of its members, which may say more than was declared."""

from __future__ import annotations

from dataclasses import replace

from tsc.compiler.ir import Graph, Node, prim
from tsc.compiler.types import TupleType


def refine_tuple_types(graph: Graph) -> bool:
    """Returns whether a type changed."""
    changed = False
    for node in graph.all_nodes():
        if node.kind == prim.TupleConstruct:
            changed |= _refine(node)
    return changed


def _refine(node: Node) -> bool:
    type = node.output.type
    if not isinstance(type, TupleType):
        return False
    refined = replace(type, elements=tuple(value.type for value in node.inputs))
    if refined == type:
        return False
    node.output.set_type(refined)
    return True
