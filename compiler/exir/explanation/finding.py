"""A refusal at a place of a program."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tsc.compiler.exir.refusals import Refusal
from tsc.compiler.ir import Block, Node, prim, user_place
from tsc.compiler.source import Code, CompileError, SourceRange

Severity = Literal["error", "warning"]


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
    return Finding(refusal, message or refusal.summary, user_place(node), severity)


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
