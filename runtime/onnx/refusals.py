"""What cannot become ONNX: every node of a program at once, with its place, the reason and a way out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tsc.compiler.exir.node import Node
from tsc.compiler.exir.targets import Target
from tsc.compiler.source import Error


class Refused(Exception):
    """Raised by the conversion of one node; what is raised to users is `OnnxExportError`."""

    def __init__(self, reason: str, way_out: str = "") -> None:
        super().__init__(reason)
        self.reason = reason
        self.way_out = way_out


class RefusedWithin(Refused):
    """Of a node with a graph in which a node was refused, which is told of itself."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """A node that has no form in ONNX."""

    node: str
    operator: str
    place: str
    reason: str
    way_out: str
    qualified_name: str = ""
    """Of the operator, ``aten::add.Tensor``."""

    @classmethod
    def of(cls, node: Node, error: Refused) -> Refusal:
        """What an error says of a node; its place is the last line of its stack trace."""
        lines = str(node.meta.get("stack_trace", "")).strip().splitlines()
        places = [each.strip() for each in lines if each.strip().startswith("File ")]
        place = places[-1] if places else ""
        target = node.target
        name = target.qualified_name if isinstance(target, Target) else ""
        return cls(node.name, str(target), place, error.reason, error.way_out, name)

    def __str__(self) -> str:
        place = f" ({self.place})" if self.place else ""
        way_out = f"; {self.way_out}" if self.way_out else ""
        return f"{self.node}: {self.operator}{place}: {self.reason}{way_out}"


class OnnxExportError(Error):
    """A program, or an option, that has no form in ONNX; `refusals` are its nodes."""

    def __init__(self, message: str, refusals: Sequence[Refusal] = ()) -> None:
        super().__init__("\n  ".join([message, *map(str, refusals)]))
        self.refusals = tuple(refusals)
