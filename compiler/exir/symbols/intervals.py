"""Between which numbers an expression lies, if that is known of its symbols."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from tsc.compiler.exir.symbols.sympy_module import sympy


@dataclass(frozen=True, slots=True)
class Interval:
    """From a least to a greatest number, both included; infinite where nothing is known."""

    lower: float
    upper: float

    def __contains__(self, value: float) -> bool:
        return self.lower <= value <= self.upper

    def __and__(self, other: Interval) -> Interval:
        return Interval(max(self.lower, other.lower), min(self.upper, other.upper))

    def __add__(self, other: Interval) -> Interval:
        return Interval(self.lower + other.lower, self.upper + other.upper)

    def __mul__(self, other: Interval) -> Interval:
        corners = [
            _product(a, b) for a in (self.lower, self.upper) for b in (other.lower, other.upper)
        ]
        return Interval(min(corners), max(corners))

    @property
    def single(self) -> int | None:
        """The only number in it, if it is one integer."""
        return int(self.lower) if self.lower == self.upper and math.isfinite(self.lower) else None


ANYTHING: Final = Interval(-math.inf, math.inf)


def _product(first: float, second: float) -> float:
    """With infinity as a bound that is not reached: nothing times it is nothing."""
    return 0 if 0 in (first, second) else first * second


def bounds(expression: Any, ranges: Mapping[Any, Interval]) -> Interval:
    """An interval that holds all values of an expression, perhaps more."""
    if expression.is_Symbol:
        return ranges.get(expression, ANYTHING)
    if expression.is_Integer:
        return Interval(int(expression), int(expression))
    if expression.is_Number:
        return Interval(float(expression), float(expression))
    rule = _RULES.get(expression.func.__name__)
    if rule is None:
        return ANYTHING
    return rule(*[bounds(each, ranges) for each in expression.args])


def _sum(*terms: Interval) -> Interval:
    return Interval(sum(each.lower for each in terms), sum(each.upper for each in terms))


def _multiplied(*factors: Interval) -> Interval:
    return math.prod(factors, start=Interval(1, 1))


def _power(base: Interval, exponent: Interval) -> Interval:
    if exponent.single is None or exponent.single < 0 or base.lower < 0:
        return ANYTHING
    return Interval(base.lower**exponent.single, base.upper**exponent.single)


def _quotient(base: Interval, divisor: Interval) -> Interval:
    if divisor.lower <= 0:
        return ANYTHING
    least = base.lower / (divisor.lower if base.lower < 0 else divisor.upper)
    most = base.upper / (divisor.upper if base.upper < 0 else divisor.lower)
    return Interval(_number(least), _number(most))


def _number(value: float) -> float:
    return 0.0 if math.isnan(value) else value


def _quotient_rounded_down(base: Interval, divisor: Interval) -> Interval:
    if divisor.lower <= 0:
        return ANYTHING
    least = _floor_quotient(base.lower, divisor.lower if base.lower < 0 else divisor.upper)
    most = _floor_quotient(base.upper, divisor.upper if base.upper < 0 else divisor.lower)
    return Interval(least, most)


def _floor_quotient(base: float, divisor: float) -> float:
    if math.isinf(base):
        return base
    return (-1 if base < 0 else 0) if math.isinf(divisor) else base // divisor


def _remainder(base: Interval, divisor: Interval) -> Interval:
    if divisor.lower <= 0:
        return ANYTHING
    most = divisor.upper - 1
    return Interval(0, min(most, base.upper) if base.lower >= 0 else most)


def _largest(*each: Interval) -> Interval:
    return Interval(max(one.lower for one in each), max(one.upper for one in each))


def _smallest(*each: Interval) -> Interval:
    return Interval(min(one.lower for one in each), min(one.upper for one in each))


def _same(number: Interval, *_: Interval) -> Interval:
    return number


def _rounded(function: Callable[[float], int]) -> Callable[[Interval], Interval]:
    def rule(number: Interval) -> Interval:
        ends = [end if math.isinf(end) else function(end) for end in (number.lower, number.upper)]
        return Interval(*ends)

    return rule


_RULES: Final[dict[str, Callable[..., Interval]]] = {
    "Add": _sum,
    "Mul": _multiplied,
    "Pow": _power,
    "PowByNatural": _power,
    "FloorDiv": _quotient_rounded_down,
    "CleanDiv": _quotient_rounded_down,
    "IntTrueDiv": _quotient,
    "FloatTrueDiv": _quotient,
    "Mod": _remainder,
    "PythonMod": _remainder,
    "Max": _largest,
    "Min": _smallest,
    "ToFloat": _same,
    "TruncToInt": _rounded(math.trunc),
    "CeilToInt": _rounded(math.ceil),
    "FloorToInt": _rounded(math.floor),
    "RoundToInt": _rounded(round),
}


def decided(condition: Any, ranges: Mapping[Any, Interval]) -> bool | None:
    """Whether a condition holds for all values of its symbols, or for none. None if that is not known."""
    if condition in (sympy.true, sympy.false):
        return bool(condition)
    if isinstance(condition, sympy.And | sympy.Or):
        return _junction(condition, ranges)
    if isinstance(condition, sympy.Not):
        opposite = decided(condition.args[0], ranges)
        return None if opposite is None else not opposite
    if not condition.is_Relational:
        return None
    return _relation(condition.rel_op, difference(condition, ranges))


def _junction(condition: Any, ranges: Mapping[Any, Interval]) -> bool | None:
    parts = [decided(each, ranges) for each in condition.args]
    deciding = isinstance(condition, sympy.Or)
    if deciding in parts:
        return deciding
    return None if None in parts else not deciding


def difference(relation: Any, ranges: Mapping[Any, Interval]) -> Interval:
    """Where the left side less the right side lies.

    Symbols are counted from their least value on, so that ``s*t - s`` is seen to be positive.
    """
    whole = relation.lhs - relation.rhs
    moved, counted = dict(ranges), dict[Any, Any]()
    for symbol in whole.free_symbols:
        interval = ranges.get(symbol, ANYTHING)
        if math.isfinite(interval.lower) and symbol.is_integer:
            from_zero = sympy.Dummy(integer=True, nonnegative=True)
            counted[symbol] = from_zero + int(interval.lower)
            moved[from_zero] = Interval(0, interval.upper - int(interval.lower))
    return bounds(sympy.expand(whole), ranges) & bounds(
        sympy.expand(whole.xreplace(counted)), moved
    )


def _relation(operator: str, where: Interval) -> bool | None:
    if operator in ("==", "!="):
        if 0 in where:
            return (operator == "==") if where.single == 0 else None
        return operator == "!="
    if operator in ("<", ">="):
        less = True if where.upper < 0 else False if where.lower >= 0 else None
        return less if operator == "<" or less is None else not less
    more = True if where.lower > 0 else False if where.upper <= 0 else None
    return more if operator == ">" or more is None else not more
