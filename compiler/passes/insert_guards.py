"""Where a `prim::profile` node has seen tensors of one type, a `prim::Guard` says that they are of it.

What follows a guard may rely on the type of its output. Profile nodes that have seen nothing go.
"""

from __future__ import annotations

from typing import Final

from tsc.compiler.ir import Graph, Node, prim
from tsc.compiler.types import TensorType

PROFILED_TYPE: Final = "profiled_type"
"""The attribute of a profile node that tells the type, once the program ran."""


def insert_guards(graph: Graph) -> bool:
    """Returns whether there was a profile node."""
    profiles = [node for node in graph.all_nodes() if node.kind == prim.profile]
    for profile in profiles:
        type = _seen(profile)
        value = profile.input
        if type is not None:
            guard = graph.create(prim.Guard, [value], range=profile.range).insert_before(profile)
            guard.call_stack = profile.call_stack
            value = guard.output.set_type(type)
        profile.output.replace_all_uses_with(value)
        profile.destroy()
    return bool(profiles)


def _seen(profile: Node) -> TensorType | None:
    """The type of what came through; None if it tells no more than what is known anyway."""
    if not profile.has_attribute(PROFILED_TYPE):
        return None
    type = profile.attribute(PROFILED_TYPE)
    if not isinstance(type, TensorType) or profile.input.type.is_subtype_of(type):
        return None
    return type
