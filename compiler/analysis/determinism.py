"""Which nodes may give another result when they run again with the same inputs."""

from __future__ import annotations

from tsc.compiler.ir import Node
from tsc.compiler.schema import Effects


def is_nondeterministic(node: Node) -> bool:
    """Whether the node draws random numbers."""
    effects = None if node.operator is None else node.operator.effects
    if effects is Effects.RANDOM_IN_TRAINING:
        return not node.has_named_input("train") or node.get("train") is not False
    return effects is Effects.RANDOM
