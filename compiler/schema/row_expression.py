"""What an operator computes of rows: all elements that differ only in some dimensions."""

from __future__ import annotations

from typing import Final

from tsc.compiler.schema.scalar_terms import Term, parse_term
from tsc.compiler.value_classes import value_class

REDUCTIONS: Final = frozenset({"sum", "prod", "amax", "amin"})
"""Operators that stand for a number of a whole row where they are applied in a `RowExpression`."""


@value_class
class RowExpression:
    """One value for each row, or for each of its elements, computed from the arguments of an operator.

    ``text`` is as that of a `ScalarExpression`, with `REDUCTIONS` of rows, and ``count``, the number of elements in
    one: ``torch.sum(self) / count``. All is computed in the dtype of the result, in half precision in float32. ``axes``
    names the argument that tells which dimensions a row has, the sizes of the last ones, or how many rows the channels
    of an image are divided into; without it, a row has all dimensions.
    """

    text: str
    axes: str = ""

    @property
    def term(self) -> Term:
        """The text as a tree; it is read once."""
        return parse_term(self.text)
