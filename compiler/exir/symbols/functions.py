"""Functions of sizes that SymPy has not, or evaluates otherwise than Python does.

They have the names with which PyTorch writes them to files, and print as there: ``(s77//2)``, ``Mod(s77, 4)``.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final

from tsc.compiler.exir.symbols.sympy_module import sympy

_BELOW_ATOMS: Final = 999.5
"""Brackets around all but symbols, numbers and calls."""


class _OfTwoIntegers(sympy.Function):
    """What has a value that is whole, and stands in brackets like a sum."""

    nargs = (2,)
    precedence = 35
    is_integer = True


class FloorDiv(_OfTwoIntegers):
    """A quotient of integers, rounded down."""

    @classmethod
    def eval(cls, base: Any, divisor: Any) -> Any:
        if base.is_Integer and divisor.is_Integer and not divisor.is_zero:
            return sympy.Integer(int(base) // int(divisor))
        if base.is_zero or abs(divisor) == 1:
            return base * divisor
        if base == divisor:
            return sympy.Integer(1)
        if isinstance(base, FloorDiv) and divisor.is_positive and base.args[1].is_positive:
            return FloorDiv(base.args[0], base.args[1] * divisor)
        return _whole_terms_apart(base, divisor) or _reduced(base, divisor)

    def _sympystr(self, printer: Any) -> str:
        base, divisor = [printer.parenthesize(each, _BELOW_ATOMS) for each in self.args]
        return f"({base}//{divisor})"

    def _eval_is_nonnegative(self) -> bool | None:
        return True if all(each.is_nonnegative for each in self.args) else None


def _whole_terms_apart(base: Any, divisor: Any) -> Any:
    """``(4*s + t) // 4`` is ``s + t // 4``. None if no term is a multiple of the divisor."""
    if not divisor.is_Integer:
        return None
    terms = sympy.Add.make_args(base)
    whole = [each for each in terms if _is_multiple(each, divisor)]
    if not whole:
        return None
    rest = sympy.Add(*[each for each in terms if each not in whole])
    return sympy.Add(*[each / divisor for each in whole]) + FloorDiv(rest, divisor)


def _is_multiple(term: Any, divisor: Any) -> bool:
    coefficient, others = term.as_coeff_Mul()
    return bool(coefficient % divisor == 0 and others.is_integer)


def _reduced(base: Any, divisor: Any) -> Any:
    """Without the factors that both have. None if there are none."""
    common = _common_factor(base, divisor)
    if common == 1:
        return None
    return FloorDiv(_without(base, common), _without(divisor, common))


def _without(expression: Any, factor: Any) -> Any:
    return sympy.Add(*[each / factor for each in sympy.Add.make_args(expression)])


def _common_factor(base: Any, divisor: Any) -> Any:
    """Of all terms: an integer times the positive symbols that stand in each of them."""
    terms = [*sympy.Add.make_args(base), *sympy.Add.make_args(divisor)]
    if not all(each.as_coeff_Mul()[0].is_Integer for each in terms):
        return sympy.Integer(1)
    number = math.gcd(*[int(each.as_coeff_Mul()[0]) for each in terms])
    factors = [set(sympy.Mul.make_args(each)) for each in terms]
    shared = [each for each in set[Any].intersection(*factors) if each.is_positive]
    return number * sympy.Mul(*[each for each in shared if not each.is_number])


class CleanDiv(FloorDiv):
    """A quotient that is known to be whole."""


class _Remainder(_OfTwoIntegers):
    """What is left of a division, with the sign of the divisor."""

    @classmethod
    def eval(cls, base: Any, divisor: Any) -> Any:
        if base.is_Integer and divisor.is_Integer and not divisor.is_zero:
            return sympy.Integer(int(base) % int(divisor))
        if base.is_zero or divisor == 1 or base in [divisor, -divisor]:
            return sympy.Integer(0)
        if divisor.is_positive and (base / divisor).is_integer:
            return sympy.Integer(0)
        if divisor.is_Symbol and divisor.is_positive and _common_factor(base, divisor) == divisor:
            return sympy.Integer(0)
        terms = sympy.Add.make_args(base)
        if divisor.is_Integer and all(_is_multiple(each, divisor) for each in terms):
            return sympy.Integer(0)
        return None


class Mod(_Remainder):
    """A remainder of numbers that are not negative."""

    is_nonnegative = True


class PythonMod(_Remainder):
    """A remainder as Python computes it."""

    def _eval_is_nonnegative(self) -> bool | None:
        return True if self.args[1].is_positive else None


class PowByNatural(sympy.Function):
    """An integer to the power of one that is not negative."""

    nargs = (2,)
    precedence = 50
    is_integer = True

    @classmethod
    def eval(cls, base: Any, exponent: Any) -> Any:
        if exponent.is_Integer and 0 <= int(exponent) <= 64:
            return sympy.Pow(base, exponent)
        return None


def _number_function(
    name: str, compute: Callable[..., Any], gives_integer: bool, precedence: int | None = None
) -> Any:
    """A function that stays as it is while it is applied to symbols, and is computed for numbers."""

    def evaluated(cls: Any, *arguments: Any) -> Any:
        if not all(each.is_Number for each in arguments):
            return None
        plain = [int(each) if each.is_Integer else float(each) for each in arguments]
        return sympy.Integer(compute(*plain)) if gives_integer else sympy.Float(compute(*plain))

    kind: dict[str, Any] = {"is_integer": True} if gives_integer else {"is_real": True}
    if precedence is not None:
        kind["precedence"] = precedence
    return type(name, (sympy.Function,), {"eval": classmethod(evaluated), **kind})


def _quotient(number: float, divisor: float) -> float:
    return number / divisor


IntTrueDiv: Any = _number_function("IntTrueDiv", _quotient, gives_integer=False, precedence=35)
FloatTrueDiv: Any = _number_function("FloatTrueDiv", _quotient, gives_integer=False, precedence=35)
FloatPow: Any = _number_function("FloatPow", math.pow, gives_integer=False, precedence=60)
ToFloat: Any = _number_function("ToFloat", float, gives_integer=False)
TruncToFloat: Any = _number_function("TruncToFloat", math.trunc, gives_integer=False)
RoundDecimal: Any = _number_function("RoundDecimal", round, gives_integer=False)
TruncToInt: Any = _number_function("TruncToInt", math.trunc, gives_integer=True)
CeilToInt: Any = _number_function("CeilToInt", math.ceil, gives_integer=True)
FloorToInt: Any = _number_function("FloorToInt", math.floor, gives_integer=True)
RoundToInt: Any = _number_function("RoundToInt", round, gives_integer=True)
SquareRoot: Any = _number_function("OpaqueUnaryFn_sqrt", math.sqrt, gives_integer=False)

Max: Any = sympy.Max
Min: Any = sympy.Min
