"""Cheaper kernels for some operators, chosen when the types and constants of a node allow it.

Python's own operators, which are written in C, stand in for kernels whose special cases cannot
occur. What they raise, `runtime.execution.tracebacks` translates. Those of numbers follow from what an
operator computes; others are declared with one of these as their ``fast_form``.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from tsc.compiler.ir import NOT_CONSTANT, Node, constant_value
from tsc.compiler.schema import Promotion, ScalarExpression, sole_operator

Function = Callable[..., Any]
FastForm = Callable[[Node], Function | None]

_EXACT = 2**53  # ints up to here are floats, too

RESULTLESS: frozenset[Callable[..., Any]] = frozenset({list.append, operator.setitem})
"""Functions that return None where the operator returns its first argument."""


_DIVISIONS: dict[str | None, Function] = {"floordiv": operator.floordiv, "remainder": operator.mod}
_COMPARISONS: dict[str | None, Function] = {
    name: getattr(operator, name) for name in ("lt", "le", "gt", "ge", "eq", "ne")
}


def form_on_numbers(expression: ScalarExpression) -> FastForm | None:
    """The fast form that what an operator computes of two numbers allows."""
    if expression.promotion is not Promotion.NUMBERS:
        return None
    name = sole_operator(expression.term)
    if name in _DIVISIONS:
        return divided_by_constant(_DIVISIONS[name])
    return compared_exactly(_COMPARISONS[name]) if name in _COMPARISONS else None


def divided_by_constant(function: Function) -> FastForm:
    """A positive divisor: nothing overflows, and nothing is divided by zero."""

    def choose(node: Node) -> Function | None:
        divisor = constant_value(node.inputs[1])
        return function if isinstance(divisor, int) and divisor > 0 else None

    return choose


def compared_exactly(function: Function) -> FastForm:
    """A constant int that is a float, too: rounding it changes nothing."""

    def choose(node: Node) -> Function | None:
        for value in node.inputs:
            constant = constant_value(value)
            if (
                constant is not NOT_CONSTANT
                and isinstance(constant, int)
                and abs(constant) < _EXACT
            ):
                return function
        return None

    return choose


def without_result(function: Function) -> FastForm:
    """A method that returns nothing, for an operator whose result is not used."""

    def choose(node: Node) -> Function | None:
        return None if node.output.has_uses else function

    return choose


def always(function: Function) -> FastForm:
    """A function whose errors are those of the operator once they are translated."""
    return lambda _node: function
