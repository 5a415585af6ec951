"""A rule that a node breaks."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Violation:
    """`node` is a name, behind those of the graphs that it is in; `rule` says what is wrong with it."""

    node: str
    rule: str

    def __str__(self) -> str:
        return f"{self.node}: {self.rule}"
