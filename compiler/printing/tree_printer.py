"""Prints trees as s-expressions, laid out as PyTorch does it: short ones on one line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from tsc.compiler.source import Error

_LINE_WIDTH = 40
_INDENTATION = 2


class Printable(Protocol):
    """What the printer needs to know of a tree; leaves are strings."""

    @property
    def kind(self) -> str: ...

    @property
    def children(self) -> Sequence[Printable | str]: ...


@dataclass(slots=True)
class _Measured:
    """A tree with the length of its text on one line."""

    kind: str
    children: list[_Measured | str] = field(default_factory=list["_Measured | str"])
    length: int = 0

    def flat(self) -> str:
        words = (child if isinstance(child, str) else child.flat() for child in self.children)
        return "(" + " ".join((self.kind, *words)) + ")"


def print_tree(tree: Printable, most_margins: int | None = None) -> str:
    """The s-expression of a tree, however deep, without recursion on its depth.

    Margins grow with the square of the depth: with more letters of them than `most_margins`, it is an `Error`.
    """
    lines: list[str] = []
    margins = 0
    pending: list[tuple[_Measured | str, int, str]] = [(_measure(tree), 0, "")]
    while pending:
        part, indentation, closing = pending.pop()
        margin = " " * indentation
        margins += indentation
        if most_margins is not None and margins > most_margins:
            raise Error(
                "a tree is nested too deeply to be printed: split the expression in several"
            )
        if isinstance(part, str):
            lines.append(margin + part + closing)
        elif not part.children or indentation + part.length < _LINE_WIDTH:
            lines.append(margin + part.flat() + closing)
        else:
            lines.append(f"{margin}({part.kind}")
            closings = [""] * (len(part.children) - 1) + [")" + closing]
            for child, end in zip(reversed(part.children), reversed(closings)):
                pending.append((child, indentation + _INDENTATION, end))
    return "\n".join(lines)


def _measure(tree: Printable) -> _Measured:
    root = _Measured(tree.kind)
    all_measured = [root]
    pending: list[tuple[Printable, _Measured]] = [(tree, root)]
    while pending:
        printable, measured = pending.pop()
        for child in printable.children:
            if isinstance(child, str):
                measured.children.append(child)
                continue
            measured_child = _Measured(child.kind)
            measured.children.append(measured_child)
            all_measured.append(measured_child)
            pending.append((child, measured_child))
    for measured in reversed(all_measured):  # children come after their parents
        measured.length = len(measured.kind) + 2 + sum(_width(part) for part in measured.children)
    return root


def _width(part: _Measured | str) -> int:
    return 1 + (len(part) if isinstance(part, str) else part.length)
