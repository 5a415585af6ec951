"""What a pointwise operator computes of single elements, as data: cheaper and fused kernels, native
code and gradients can be made from it.
"""

from __future__ import annotations

import re
from dataclasses import replace
from enum import Enum

from tsc.compiler.schema.scalar_terms import Term, parse_term
from tsc.compiler.value_classes import value_class


class Promotion(Enum):
    """The dtype in which elements are computed; half precision is computed in float32, and rounded then."""

    MEETING = "meeting"
    """The one in which the operands meet, which is that of the result, too."""
    FLOATING = "floating"
    """The same, but integers are taken to the default dtype first."""
    TRUTH = "truth"
    """They are computed in the dtype in which they meet; the result is a truth value."""
    NUMBERS = "numbers"
    """They are no tensors, but values of Python: ints are exact first, and wrap around to 64 bits."""


@value_class
class ScalarExpression:
    """One value computed from the arguments of an operator.

    ``text`` is TorchScript over the names of the schema's arguments, in terms of basic operators:
    ``torch.where(self > 0, self, self * negative_slope)``. It says what real elements become; numbers in
    it are of the dtype in which elements are computed. Without a text it is the operator itself.
    Arguments that are ``channels`` have a number for each channel, which is the second dimension. ``halved_along``
    names the argument that tells along which dimension the operand has two halves, ``first`` and ``second`` in it.
    Where operands meet in half precision, numbers are of float32, or rounded to half precision if ``rounds_numbers``.
    """

    promotion: Promotion
    text: str = ""
    channels: tuple[str, ...] = ()
    halved_along: str = ""
    rounds_numbers: bool = False

    @property
    def term(self) -> Term:
        """The text as a tree; it is read once."""
        return parse_term(self.text)

    def of(self, schema_text: str) -> ScalarExpression:
        """The expression for an operator that has this schema, where nothing else is said."""
        return self if self.text else replace(self, text=_call(schema_text))


def _call(schema_text: str) -> str:
    """A call of an operator with its own arguments: ``torch.pow(self, exponent)``."""
    head = schema_text.partition("(")[0]
    names = argument_names(schema_text)
    return f"torch.{head.partition('::')[2].partition('.')[0]}({', '.join(names)})"


_DEFAULT = re.compile(r"=(?:\[[^]]*\]|[^,]*)")


def argument_names(schema_text: str) -> list[str]:
    """The names of the arguments of an operator on tensors and numbers, without its schema being parsed."""
    arguments = schema_text.partition("(")[2].rpartition(") -> ")[0]
    declarations = _DEFAULT.sub("", arguments).split(", ")
    return [each.rpartition(" ")[2] for each in declarations if each != "*"]
