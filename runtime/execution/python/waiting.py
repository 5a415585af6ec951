"""Expressions that wait for the one node that uses them, so that they can stand in its place.

They are a stack in the order of the program: a node takes those that it uses from the top, in the order of its
inputs. All others become statements first, so that everything happens in the program's order.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Final, NamedTuple

from tsc.compiler.ir import Node, Value

DEEPEST: Final = 16
"""Expressions within each other."""


class Waiting(NamedTuple):
    """A node and its expression; a wide one is an int that is not wrapped yet."""

    node: Node
    value: Value
    expression: ast.expr
    is_wide: bool
    depth: int


class Stack:
    """The expressions that wait."""

    __slots__ = ("waiting",)

    def __init__(self) -> None:
        self.waiting: list[Waiting] = []

    def push(self, waiting: Waiting) -> None:
        self.waiting.append(waiting)

    def take(self, inputs: Sequence[Value]) -> dict[Value, Waiting]:
        """The expressions on top that compute `inputs`, as far as they are there in this order."""
        offsets = {value: offset for offset, value in enumerate(inputs)}
        start, following = len(self.waiting), len(inputs)
        while start:
            offset = offsets.get(self.waiting[start - 1].value, following)
            if offset >= following:
                break
            start, following = start - 1, offset
        taken = self.waiting[start:]
        del self.waiting[start:]
        return {each.value: each for each in taken}

    def take_all(self) -> list[Waiting]:
        """Everything, the first first."""
        taken, self.waiting = self.waiting, []
        return taken


def depth_of(taken: dict[Value, Waiting]) -> int:
    """How deep the deepest of some expressions is."""
    return max(each.depth for each in taken.values()) if taken else 0
