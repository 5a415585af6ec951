"""Cheaper ways to run some operators, chosen when the types and constants of a node allow it.

Python's own operators, which are written in C, stand in for kernels whose special cases cannot
occur. What they raise, `runtime.execution.tracebacks` translates.
"""

from __future__ import annotations

import operator
from collections.abc import Callable

from tsc.compiler.ir import NOT_CONSTANT, Node, constant_value
from tsc.runtime.execution.node_kernels import Kernel, kernel_of

_EXACT = 2**53  # ints up to here are floats, too

_COMPARISONS = {
    "aten::lt": operator.lt,
    "aten::gt": operator.gt,
    "aten::le": operator.le,
    "aten::ge": operator.ge,
    "aten::eq": operator.eq,
    "aten::ne": operator.ne,
}


RESULTLESS = frozenset({list.append, operator.setitem})
"""Functions that return None where the operator returns its first argument."""


def fast_kernel(node: Node) -> Kernel:
    """The cheapest callable that does what a node does."""
    name = "" if node.operator is None else node.operator.qualified_name
    choose = _CHOICES.get(name)
    chosen = None if choose is None else choose(node)
    return chosen or kernel_of(node)


def _divided_by_constant(function: Kernel) -> Callable[[Node], Kernel | None]:
    """A positive divisor: nothing overflows, and nothing is divided by zero."""

    def choose(node: Node) -> Kernel | None:
        divisor = constant_value(node.inputs[1])
        return function if isinstance(divisor, int) and divisor > 0 else None

    return choose


def _compared_exactly(function: Kernel) -> Callable[[Node], Kernel | None]:
    """A constant int that is a float, too: rounding it changes nothing."""

    def choose(node: Node) -> Kernel | None:
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


def _without_result(function: Kernel) -> Callable[[Node], Kernel | None]:
    """A method that returns nothing, for an operator whose result is not used."""

    def choose(node: Node) -> Kernel | None:
        return None if node.output.has_uses else function

    return choose


def _always(function: Kernel) -> Callable[[Node], Kernel | None]:
    return lambda _node: function


_CHOICES: dict[str, Callable[[Node], Kernel | None]] = {
    "aten::floordiv.int": _divided_by_constant(operator.floordiv),
    "aten::remainder.int": _divided_by_constant(operator.mod),
    "aten::append.t": _without_result(list.append),
    "aten::_set_item.t": _without_result(operator.setitem),
    "aten::__getitem__.t": _always(operator.getitem),
    **{f"{name}.int_float": _compared_exactly(f) for name, f in _COMPARISONS.items()},
    **{f"{name}.float_int": _compared_exactly(f) for name, f in _COMPARISONS.items()},
}
"""By the qualified name of the operator."""
