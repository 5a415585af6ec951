"""The trees of comprehensions: what they have in common, and one class for each sort."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from tsc.compiler.frontend.tree import Children, Expr, Tree, listed, unless_empty


@dataclass(slots=True, eq=False, repr=False)
class CompFor(Tree):
    """``for target in iter if condition ...`` inside of a comprehension."""

    KIND: ClassVar[str] = "comprehension"

    target: Expr
    iter: Expr
    conditions: list[Expr] = field(default_factory=list[Expr])

    @property
    def children(self) -> Children:
        return self.target, self.iter, listed(self.conditions)


@dataclass(slots=True, eq=False, repr=False)
class Comprehension(Expr):
    """What the comprehensions have in common: clauses, the first of which has accessors.

    Conditions and further clauses print as additional lists; PyTorch has neither.
    """

    clauses: Sequence[CompFor]

    @property
    def target(self) -> Expr:
        return self.clauses[0].target

    @property
    def iter(self) -> Expr:
        return self.clauses[0].iter

    @property
    def conditions(self) -> Sequence[Expr]:
        return self.clauses[0].conditions

    def _clause_children(self) -> Children:
        more = unless_empty(self.conditions) + unless_empty(self.clauses[1:])
        return self.target, self.iter, *more


@dataclass(slots=True, eq=False, repr=False)
class ListComp(Comprehension):
    """``[elt for target in iter]``"""

    KIND: ClassVar[str] = "list comprehension"

    elt: Expr

    @property
    def children(self) -> Children:
        return self.elt, *self._clause_children()


@dataclass(slots=True, eq=False, repr=False)
class DictComp(Comprehension):
    """``{key: value for target in iter}``"""

    KIND: ClassVar[str] = "dict comprehension"

    key: Expr
    value: Expr

    @property
    def children(self) -> Children:
        return self.key, self.value, *self._clause_children()


@dataclass(slots=True, eq=False, repr=False)
class SetComp(ListComp):
    """``{elt for target in iter}``"""

    KIND: ClassVar[str] = "set comprehension"


@dataclass(slots=True, eq=False, repr=False)
class GeneratorExp(ListComp):
    """``(elt for target in iter)``"""

    KIND: ClassVar[str] = "generator expression"
