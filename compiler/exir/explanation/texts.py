"""Texts that go nowhere but into exceptions and prints."""

from __future__ import annotations

from tsc.compiler.exir.data_numbers import TEXTS
from tsc.compiler.ir import Node, prim


def is_only_told(node: Node) -> bool:
    """Whether a text that a node makes is raised or printed, or part of one that is: data may decide such a text."""
    return all(_tells(use.node) for use in node.output.uses)


def _tells(node: Node) -> bool:
    if node.kind in (prim.RaiseException, "prim::Print"):
        return True
    return (node.kind in TEXTS or node.kind == "aten::add") and is_only_told(node)
