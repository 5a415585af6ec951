"""What cannot become ONNX: every node of a program at once, with its place, the reason and a way out.

The reasons have codes, in the table of all refusals (`tsc.compiler.exir.refusals`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tsc.compiler.exir.node import Node
from tsc.compiler.exir.refusals import ONNX_VARIANT, Refusal
from tsc.compiler.exir.targets import Target
from tsc.compiler.source import Error


class Refused(Exception):
    """Raised by the conversion of one node; what is raised to users is `OnnxExportError`."""

    def __init__(self, reason: str, way_out: str = "", refusal: Refusal = ONNX_VARIANT) -> None:
        super().__init__(reason)
        self.reason = reason
        self.refusal = refusal
        self.way_out = way_out or refusal.rewrite


class RefusedWithin(Refused):
    """Of a node with a graph in which a node was refused, which is told of itself."""


@dataclass(frozen=True, slots=True)
class RefusedNode:
    """A node that has no form in ONNX."""

    node: str
    operator: str
    place: str
    reason: str
    way_out: str
    code: str
    """Of the refusal: TX501, …"""
    qualified_name: str = ""
    """Of the operator, ``aten::add.Tensor``."""

    @classmethod
    def of(cls, node: Node, error: Refused) -> RefusedNode:
        """What an error says of a node; its place is the last line of its stack trace."""
        lines = str(node.meta.get("stack_trace", "")).strip().splitlines()
        places = [each.strip() for each in lines if each.strip().startswith("File ")]
        place = places[-1] if places else ""
        target, code = node.target, error.refusal.code
        name = target.qualified_name if isinstance(target, Target) else ""
        return cls(node.name, str(target), place, error.reason, error.way_out, code, name)

    def __str__(self) -> str:
        place = f" ({self.place})" if self.place else ""
        return f"{self.code} {self.node}: {self.operator}{place}: {self.reason}; {self.way_out}"


class OnnxExportError(Error):
    """A program, or an option, that has no form in ONNX; `refusals` are its nodes."""

    def __init__(self, message: str, refusals: Sequence[RefusedNode] = ()) -> None:
        super().__init__("\n  ".join([message, *map(str, refusals)]))
        self.refusals = tuple(refusals)

    @classmethod
    def of(cls, refusal: Refusal, message: str) -> OnnxExportError:
        """Of the program as a whole."""
        return cls(f"{refusal.code}: {message}; {refusal.rewrite}")
