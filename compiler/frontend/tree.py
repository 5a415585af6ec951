"""Trees, the form between source text and IR: a kind, a range of the source, and sub-trees.

Every kind of tree is a class of its own (see ``tree_views``), whose fields name the sub-trees.
Independently of the class, ``children`` gives them in the shape of an s-expression, in which a
sequence is a ``(list ...)``, an optional tree an ``(option ...)`` and a leaf a string.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from tsc.compiler.printing.tree_printer import print_tree
from tsc.compiler.source import SourceRange
from tsc.compiler.value_classes import value_class


@dataclass(slots=True, eq=False, repr=False)
class Tree:
    """What all trees have in common."""

    KIND: ClassVar[str]

    range: SourceRange

    @property
    def kind(self) -> str:
        """The name of the construct, as in PyTorch's lexer (``apply``, ``+``, ``if`` ...)."""
        return self.KIND

    @property
    def children(self) -> Children:
        return ()

    def __str__(self) -> str:
        return print_tree(self)

    def __repr__(self) -> str:
        """Short: trees may be deeper than Python's stack."""
        return f"{type(self).__name__}({self.range})"


@dataclass(slots=True, eq=False, repr=False)
class Expr(Tree):
    """A tree that stands for a value."""


@dataclass(slots=True, eq=False, repr=False)
class Stmt(Tree):
    """A tree that does something."""


@value_class
class Group:
    """A ``(list ...)`` or ``(option ...)`` among the children of a tree, or a bare ``(kind)``."""

    kind: str
    children: Children = ()


Children = tuple[Tree | Group | str, ...]


def listed(trees: Sequence[Tree]) -> Group:
    return Group("list", tuple(trees))


def option(tree: Tree | None) -> Group:
    return Group("option", () if tree is None else (tree,))


def unless_empty(trees: Sequence[Tree]) -> tuple[Group, ...]:
    return (listed(trees),) if trees else ()
