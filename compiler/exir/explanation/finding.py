"""A refusal at a place of a program."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tsc.compiler.exir.refusals import Refusal
from tsc.compiler.ir import Block, Node, prim
from tsc.compiler.source import UNKNOWN_RANGE, Code, CompileError, SourceRange

Severity = Literal["error", "warning"]
_LIBRARY = "torch/"


@dataclass(frozen=True, slots=True)
class Finding:
    """A node that cannot be exported; a warning if it may be one that is never reached."""

    refusal: Refusal
    message: str
    range: SourceRange
    severity: Severity = "error"

    @property
    def error(self) -> CompileError:
        """The finding in the form that diagnostics have, with its place and a hint."""
        return CompileError(
            self.message, self.range, code=Code(self.refusal.code), hint=self.refusal.rewrite
        )


def at_node(refusal: Refusal, node: Node, message: str | None = None) -> Finding:
    """A refusal of a node, at the place in the user's text that led to it."""
    severity: Severity = "error" if _is_always_reached(node) else "warning"
    return Finding(refusal, message or refusal.summary, place_of(node), severity)


def place_of(node: Node) -> SourceRange:
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


def _is_always_reached(node: Node) -> bool:
    """Whether no branch leads past a node, except one that raises."""
    block: Block = node.owning_block
    while block.owning_node is not None:
        owner = block.owning_node
        others = [each for each in owner.blocks if each is not block]
        if owner.kind == prim.If and not all(map(_raises, others)):
            return False
        block = owner.owning_block
    return True


def _raises(block: Block) -> bool:
    return any(node.kind == prim.RaiseException for node in block.nodes())
