"""A value gives way to another behind a node, and keeps its uses before it."""

from __future__ import annotations

from tsc.compiler.ir import Node, Value
from tsc.compiler.ir.node_order import enclosing_in_common_block


def replace_uses_after(value: Value, node: Node, replacement: Value) -> None:
    """Uses of ``value`` that come after ``node``, in blocks behind it too, become uses of ``replacement``."""
    for use in value.uses:
        user, place = enclosing_in_common_block(use.node, node)
        if user is not place and user.is_after(place):
            use.node.replace_input(use.offset, replacement)
