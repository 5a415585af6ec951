"""Numbers: those that would take too much memory or time are refused before they are computed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from tsc.runtime.construction.host.host_value import HostValue
from tsc.runtime.construction.values.operators import Operator
from tsc.runtime.construction.values.protocol import Evaluator

_LARGEST_EXPONENT: Final = 100_000  # bits of an integer


class Complex(HostValue):
    """``complex``"""

    __slots__ = ()
    methods = frozenset(("conjugate",))
    fields = frozenset(("real", "imag"))


class Float(HostValue):
    """``float``"""

    __slots__ = ()
    methods = frozenset(("conjugate", "is_integer", "as_integer_ratio"))
    fields = frozenset(("real", "imag"))


class Int(HostValue):
    """``int`` and ``bool``"""

    __slots__ = ()
    methods = frozenset(("bit_length", "conjugate", "is_integer"))
    fields = frozenset(("real", "imag", "numerator", "denominator"))

    def combined(self, evaluator: Evaluator, operator: Operator, other: Any) -> Any:
        check = _CHECKS.get(operator.symbol)
        if check is not None:
            check(evaluator, self.host, other)
        return operator.apply(self.host, other)


def _check_product(evaluator: Evaluator, left: int, right: Any) -> None:
    if isinstance(right, str | list | tuple):
        evaluator.check_size(left * len(right), 1 if isinstance(right, str) else 8)
    elif isinstance(right, int) and left.bit_length() + right.bit_length() > _LARGEST_EXPONENT:
        raise OverflowError("the product of two integers is too large")


def _check_power(_evaluator: Evaluator, left: int, right: Any) -> None:
    if isinstance(right, int) and right > 0 and left.bit_length() * right > _LARGEST_EXPONENT:
        raise OverflowError("the result of a power is too large")


def _check_shift(_evaluator: Evaluator, _left: int, right: Any) -> None:
    if isinstance(right, int) and right > _LARGEST_EXPONENT:
        raise OverflowError("the result of a shift is too large")


_CHECKS: Final[dict[str, Callable[[Evaluator, int, Any], None]]] = {
    "*": _check_product,
    "**": _check_power,
    "<<": _check_shift,
}
