"""Where in the user's text a node comes from."""

from __future__ import annotations

from typing import Final

from tsc.compiler.ir.node import Node
from tsc.compiler.source import UNKNOWN_RANGE, SourceRange

_LIBRARY: Final = "torch/"


def user_place(node: Node) -> SourceRange:
    """Where a node stands, or where the function of the library that has it was called.

    Assignments to attributes have no place of their own if they are augmented: that of the value stands for it.
    """
    if node.range.source is UNKNOWN_RANGE.source and node.inputs:
        return node.inputs[-1].node.range
    if not node.range.original.filename.startswith(_LIBRARY) or node.call_stack is None:
        return node.range
    calls = node.call_stack.outwards()
    own = (each.call for each in calls if not each.call.filename.startswith(_LIBRARY))
    return next(own, node.range)
