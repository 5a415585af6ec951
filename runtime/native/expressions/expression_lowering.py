"""What a pointwise operator computes of single elements, as instructions: the expression in its record is lowered.

Everything is computed in one dtype, in half precision in float32, and rounded to the dtype of the result at the end.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np

from tsc.compiler.schema import ScalarExpression
from tsc.compiler.schema.scalar_terms import Apply, Choice, Constant, Input, Term, operators_in
from tsc.runtime.arrays.dtypes import BOOL, FLOAT, HALF
from tsc.runtime.arrays.type_promotion import COMPUTE_DTYPE, LOW_PRECISION, number_array
from tsc.runtime.native.expressions.float_functions import FUNCTIONS, PAIRED
from tsc.runtime.native.expressions.instructions import (
    Element,
    Instructions,
    NotLowered,
    NumberElement,
    constant,
    is_floating,
    is_unsigned,
)
from tsc.runtime.native.expressions.logarithms import power

Operand = Element | float | str | None
"""Numbers and settings are known when code is made."""


def has_lowering(expression: ScalarExpression) -> bool:
    """Whether all that an expression applies has a lowering, for some dtypes at least."""
    return operators_in(expression.term) <= LOWERED


def lowered(
    code: Instructions,
    term: Term,
    operands: Mapping[str, Operand],
    dtype: np.dtype,
    *,
    rounds_numbers: bool = False,
) -> Element:
    """The instructions for a term computed in `dtype`, to which numbers are rounded or not. Raises NotLowered."""
    return _Lowering(code, operands, dtype, rounds_numbers=rounds_numbers).element(term)


def settled(term: Term, operands: Mapping[str, Operand]) -> Term:
    """A term without the choices that the numbers among its operands make."""
    match term:
        case Apply(name, parts):
            return Apply(name, tuple(settled(each, operands) for each in parts))
        case Choice(condition, chosen, other):
            try:
                is_so = _Lowering(Instructions(), operands, FLOAT).known(condition)
            except NotLowered:
                return Choice(condition, settled(chosen, operands), settled(other, operands))
            return settled(chosen if is_so else other, operands)
        case _:
            return term


class _Lowering:
    """Of one term; `meeting` is the dtype that operands are taken to, `dtype` that of registers."""

    def __init__(
        self,
        code: Instructions,
        operands: Mapping[str, Operand],
        dtype: np.dtype,
        *,
        rounds_numbers: bool = False,
    ) -> None:
        self.code, self._operands, self.meeting = code, operands, dtype
        self.dtype = COMPUTE_DTYPE.get(dtype, dtype)
        self._rounds_numbers = rounds_numbers and dtype in LOW_PRECISION

    def element(self, term: Term) -> Element:
        """A term as an element, of the dtype in which is computed or a truth value."""
        value = self._value(term)
        if isinstance(value, Element):
            return value
        if value is None or isinstance(value, str):
            raise NotLowered
        return constant(value, self.dtype)

    def number(self, term: Term) -> Element:
        """A term in the dtype in which is computed."""
        return self.code.cast(self.element(term), self.dtype)

    def _value(self, term: Term) -> Operand:
        match term:
            case Input(name):
                operand = self._operands[name]
                if isinstance(operand, Element):
                    return self._widened(operand)
                if self._rounds_numbers and isinstance(operand, int | float):
                    return float(number_array(operand, self.meeting))
                return operand
            case Constant(value):
                return value
            case Choice(condition, chosen, other):
                return self._value(chosen if self.known(condition) else other)
            case Apply(name, operands):
                return self._applied(name, operands)

    def _widened(self, operand: Element) -> Element:
        if operand.dtype == BOOL:
            return operand  # a condition, unless something is computed with it
        if self._rounds_numbers or not isinstance(operand, NumberElement):
            operand = self.code.cast(operand, self.meeting)
        return self.code.cast(operand, self.dtype)

    def known(self, term: Term) -> Any:
        """A number or setting. Raises NotLowered for what depends on elements."""
        value = self._value(term)
        if isinstance(value, Element):
            raise NotLowered
        return value

    def _applied(self, name: str, operands: tuple[Term, ...]) -> Operand:
        values = [self._value(each) for each in operands]
        if not any(isinstance(each, Element) for each in values):
            return _ON_NUMBERS[name](*values) if name in _ON_NUMBERS else self._refuse()
        if name == "__is__":
            return False  # no element is None
        if name == "pow":
            return _power(self, operands[0], values[1])
        if name not in _EMITTERS:
            return self._refuse()
        return _EMITTERS[name](self, *operands)

    def _refuse(self) -> Operand:
        raise NotLowered


def _power(lowering: _Lowering, base: Term, exponent: Operand) -> Element:
    """With the shortcuts for common exponents that the kernel takes."""
    a, code = lowering.number(base), lowering.code
    if not is_floating(a.dtype):
        raise NotLowered
    if exponent == 2:
        return code.binary("fmul", a, a)
    if exponent == 3:
        return code.binary("fmul", code.binary("fmul", a, a), a)
    if exponent == 0.5 and lowering.meeting != HALF:
        return code.intrinsic("sqrt", a)
    if exponent == -1:
        return code.binary("fdiv", constant(1.0, a.dtype), a)
    if exponent is None or isinstance(exponent, str):
        raise NotLowered
    given = exponent if isinstance(exponent, Element) else constant(exponent, a.dtype)
    return power(code, a, code.cast(given, a.dtype))


Emitter = Callable[..., Element]


def _arithmetic(of_floats: str, of_integers: str, of_truth: str = "") -> Emitter:
    def emit(lowering: _Lowering, left: Term, right: Term) -> Element:
        a, b = lowering.number(left), lowering.number(right)
        chosen = of_truth if a.dtype == BOOL else of_floats if is_floating(a.dtype) else of_integers
        if not chosen:
            raise NotLowered
        return lowering.code.binary(chosen, a, b)

    return emit


def _comparison(of_floats: str, of_integers: str) -> Emitter:
    def emit(lowering: _Lowering, left: Term, right: Term) -> Element:
        a, b = lowering.number(left), lowering.number(right)
        return _compared(lowering.code, of_floats, of_integers, a, b)

    return emit


def _compared(
    code: Instructions, of_floats: str, of_integers: str, a: Element, b: Element
) -> Element:
    if is_floating(a.dtype):
        return code.compare(f"fcmp {of_floats}", a, b)
    sign = "" if of_integers in ("eq", "ne") else "u" if is_unsigned(a.dtype) else "s"
    return code.compare(f"icmp {sign}{of_integers}", a, b)


def _extremum(of_floats: str, of_integers: str) -> Emitter:
    """The larger or the smaller one, NaN where one is. Of two zeros it is the first one, if equal ones are compared
    as true.
    """

    def emit(lowering: _Lowering, left: Term, right: Term) -> Element:
        a, b, code = lowering.number(left), lowering.number(right), lowering.code
        chosen = _compared(code, of_floats, of_integers, a, b)
        if is_floating(a.dtype):
            is_nan = code.compare("fcmp uno", a, a)
            chosen = Element(code.add(f"or i1 {chosen.name}, {is_nan.name}"), BOOL)
        return code.select(chosen, a, b)

    return emit


def _where(lowering: _Lowering, condition: Term, chosen: Term, other: Term) -> Element:
    truth = lowering.code.cast(lowering.element(condition), BOOL)
    return lowering.code.select(truth, lowering.number(chosen), lowering.number(other))


def _negative(lowering: _Lowering, operand: Term) -> Element:
    a, code = lowering.number(operand), lowering.code
    if is_floating(a.dtype):
        return code.element(f"fneg {_float(a)} {a.name}", a.dtype)
    return code.binary("sub", constant(0, a.dtype), a)


def _float(a: Element) -> str:
    return "double" if a.dtype.itemsize == 8 else "float"


def _absolute(lowering: _Lowering, operand: Term) -> Element:
    a, code = lowering.number(operand), lowering.code
    if is_floating(a.dtype):
        return code.intrinsic("fabs", a)
    if is_unsigned(a.dtype):
        return a
    zero = constant(0, a.dtype)
    return code.select(code.compare("icmp slt", a, zero), code.binary("sub", zero, a), a)


def _inverted(lowering: _Lowering, operand: Term) -> Element:
    a, code = lowering.number(operand), lowering.code
    if is_floating(a.dtype):
        raise NotLowered
    return code.binary("xor", a, constant(1 if a.dtype == BOOL else -1, a.dtype))


def _rounding(intrinsic: str) -> Emitter:
    def emit(lowering: _Lowering, operand: Term) -> Element:
        a = lowering.number(operand)
        return lowering.code.intrinsic(intrinsic, a) if is_floating(a.dtype) else a

    return emit


def _of_floats(function: Callable[..., Element]) -> Emitter:
    def emit(lowering: _Lowering, *operands: Term) -> Element:
        given = [lowering.number(each) for each in operands]
        if not is_floating(given[0].dtype):
            raise NotLowered
        return function(lowering.code, *given)

    return emit


def _floor_quotient(lowering: _Lowering, left: Term, right: Term) -> Element:
    quotient, is_below, _ = _division(lowering, left, right)
    return lowering.code.binary("sub", quotient, is_below)


def _remainder(lowering: _Lowering, left: Term, right: Term) -> Element:
    _, is_below, rest = _division(lowering, left, right)
    divisor = constant(lowering.known(right), rest.dtype)
    return lowering.code.binary("add", rest, lowering.code.binary("mul", is_below, divisor))


def _division(lowering: _Lowering, left: Term, right: Term) -> tuple[Element, Element, Element]:
    """The quotient of integers cut towards zero, one where it is above the exact one, and the rest. Raises NotLowered
    for divisors that are no numbers when code is made, and those that may not divide.
    """
    a, divisor, code = lowering.number(left), lowering.known(right), lowering.code
    if (
        not isinstance(divisor, int)
        or divisor in (0, -1)
        or a.dtype == BOOL
        or is_floating(a.dtype)
    ):
        raise NotLowered
    limits = np.iinfo(a.dtype)
    if not limits.min <= divisor <= limits.max:
        raise NotLowered
    b, sign = constant(divisor, a.dtype), "u" if is_unsigned(a.dtype) else "s"
    quotient = code.binary(f"{sign}div", a, b)
    rest = code.binary("sub", a, code.binary("mul", quotient, b))
    is_inexact = code.compare("icmp ne", rest, constant(0, a.dtype))
    if sign == "s":
        is_other = code.compare("icmp slt", code.binary("xor", rest, b), constant(0, a.dtype))
        is_inexact = code.binary("and", is_inexact, is_other)
        return quotient, code.cast(is_inexact, a.dtype), rest
    return quotient, constant(0, a.dtype), rest


def _square_root(code: Instructions, a: Element) -> Element:
    return code.intrinsic("sqrt", a)


_EMITTERS: Final[dict[str, Emitter]] = {
    "add": _arithmetic("fadd", "add", "or"),
    "sub": _arithmetic("fsub", "sub"),
    "mul": _arithmetic("fmul", "mul", "and"),
    "div": _arithmetic("fdiv", ""),
    "bitwise_and": _arithmetic("", "and", "and"),
    "bitwise_or": _arithmetic("", "or", "or"),
    "bitwise_xor": _arithmetic("", "xor", "xor"),
    "lt": _comparison("olt", "lt"),
    "le": _comparison("ole", "le"),
    "gt": _comparison("ogt", "gt"),
    "ge": _comparison("oge", "ge"),
    "eq": _comparison("oeq", "eq"),
    "ne": _comparison("une", "ne"),
    "maximum": _extremum("ogt", "gt"),
    "minimum": _extremum("olt", "lt"),
    "clamp_min": _extremum("oge", "ge"),
    "clamp_max": _extremum("ole", "le"),
    "where": _where,
    "floor_divide": _floor_quotient,
    "remainder": _remainder,
    "neg": _negative,
    "abs": _absolute,
    "bitwise_not": _inverted,
    "floor": _rounding("floor"),
    "ceil": _rounding("ceil"),
    "trunc": _rounding("trunc"),
    "round": _rounding("roundeven"),
    "sqrt": _of_floats(_square_root),
    **{name: _of_floats(function) for name, function in (FUNCTIONS | PAIRED).items()},
}

_ON_NUMBERS: Final[dict[str, Callable[..., Any]]] = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "div": operator.truediv,
    "pow": operator.pow,
    "neg": operator.neg,
    "maximum": max,
    "abs": abs,
    "lt": operator.lt,
    "le": operator.le,
    "gt": operator.gt,
    "ge": operator.ge,
    "eq": operator.eq,
    "ne": operator.ne,
    "__is__": operator.is_,
}
"""The same on numbers and settings, which are known when code is made."""

LOWERED: Final = frozenset((*_EMITTERS, *_ON_NUMBERS, "pow"))
COSTLY: Final = frozenset((*FUNCTIONS, *PAIRED, "pow", "div", "sqrt"))
"""What takes longer than to read an element: it is not done more often than the program does it."""
