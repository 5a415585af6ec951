"""Arithmetic on numbers: ints that wrap, floats that never raise, complex numbers.

Mixed operands are converted as C++ does it, an int to the nearest float. `Scalar` stands for a
number whose type is known only when the program runs.
"""

from __future__ import annotations

import math
import operator as python
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

from tsc.compiler.schema import Promotion, ScalarExpression
from tsc.runtime.arrays.integers import LARGEST, SMALLEST, wrap
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.operators.registration import operator
from tsc.runtime.operators.scalars import lowerings

Number = int | float | complex


def of_numbers(text: str) -> ScalarExpression:
    """What an operator on numbers computes, in terms of basic operators."""
    return ScalarExpression(Promotion.NUMBERS, text)


SUM, DIFFERENCE, PRODUCT = of_numbers("a + b"), of_numbers("a - b"), of_numbers("a * b")
QUOTIENT, OPPOSITE = of_numbers("a / b"), of_numbers("-a")

NAN = float("nan")
INFINITY = float("inf")


def real(value: Number) -> float:
    """A Scalar as a float; a complex one is refused."""
    if isinstance(value, complex):
        raise ScriptError("RuntimeError", "expected a real number, but found a complex one")
    return float(value)


Result = TypeVar("Result")


def meeting(
    a: Number,
    b: Number,
    ints: Callable[[int, int], Result],
    floats: Callable[[float, float], Result],
) -> Result:
    """What one of two functions gives for two Scalars: `ints` if both are. Complex ones are refused."""
    if isinstance(a, complex) or isinstance(b, complex):
        raise ScriptError("RuntimeError", "expected real numbers, but found a complex one")
    return ints(a, b) if isinstance(a, int) and isinstance(b, int) else floats(a, b)


# -- Addition, subtraction, multiplication -----------------------------------------------------


@operator("aten::add.int(int a, int b) -> int", expression=SUM)
def add_int(a: int, b: int) -> int:
    value = a + b
    return value if SMALLEST <= value <= LARGEST else wrap(value)


operator(
    "aten::add.complex(complex a, complex b) -> complex",
    "aten::add.int_complex(int a, complex b) -> complex",
    "aten::add.complex_int(complex a, int b) -> complex",
    "aten::add.float_complex(float a, complex b) -> complex",
    "aten::add.complex_float(complex a, float b) -> complex",
    expression=SUM,
    lowering=lowerings.by("sum_of_pairs"),
)(python.add)
operator(
    "aten::add.float(float a, float b) -> float",
    "aten::add.int_float(int a, float b) -> float",
    "aten::add.float_int(float a, int b) -> float",
    expression=SUM,
)(python.add)


@operator("aten::add(Scalar a, Scalar b) -> Scalar")
def add(a: Number, b: Number) -> Number:
    value = a + b
    return wrap(value) if type(value) is int else value


@operator("aten::sub.int(int a, int b) -> int", expression=DIFFERENCE)
def sub_int(a: int, b: int) -> int:
    value = a - b
    return value if SMALLEST <= value <= LARGEST else wrap(value)


@operator(
    "aten::sub.complex(complex a, complex b) -> complex",
    lowering=lowerings.by("difference_of_pairs"),
)
def sub_complex(a: complex, b: complex) -> complex:
    return a - b


operator("aten::sub.float(float a, float b) -> float", expression=DIFFERENCE)(python.sub)


@operator(
    "aten::sub.int_complex(int a, complex b) -> complex",
    "aten::sub.complex_int(complex a, int b) -> complex",
    "aten::sub.float_complex(float a, complex b) -> complex",
    "aten::sub.complex_float(complex a, float b) -> complex",
    lowering=lowerings.by("difference_of_pairs"),
)
def sub_mixed(a: Number, b: Number) -> complex:
    """A real operand leaves the other's imaginary part alone, or negates it: zeros keep their
    signs.
    """
    if isinstance(a, complex):
        return complex(a.real - b, a.imag)
    return complex(a - b.real, -b.imag)


operator(
    "aten::sub.int_float(int a, float b) -> float",
    "aten::sub.float_int(float a, int b) -> float",
    expression=DIFFERENCE,
)(python.sub)


@operator("aten::sub(Scalar a, Scalar b) -> Scalar")
def sub(a: Number, b: Number) -> Number:
    value = a - b
    return wrap(value) if type(value) is int else value


@operator("aten::mul.int(int a, int b) -> int", expression=PRODUCT)
def mul_int(a: int, b: int) -> int:
    value = a * b
    return value if SMALLEST <= value <= LARGEST else wrap(value)


@operator(
    "aten::mul.complex(complex a, complex b) -> complex",
    lowering=lowerings.by("product_of_pairs"),
)
def mul_complex(a: complex, b: complex) -> complex:
    return a * b


operator("aten::mul.float(float a, float b) -> float", expression=PRODUCT)(python.mul)


@operator(
    "aten::mul.int_complex(int a, complex b) -> complex",
    "aten::mul.complex_int(complex a, int b) -> complex",
    "aten::mul.float_complex(float a, complex b) -> complex",
    "aten::mul.complex_float(complex a, float b) -> complex",
    lowering=lowerings.by("product_of_pairs"),
)
def mul_mixed(a: Number, b: Number) -> complex:
    """Both parts times the real operand, without the cross terms."""
    if isinstance(a, complex):
        return complex(a.real * b, a.imag * b)
    return complex(a * b.real, a * b.imag)


operator(
    "aten::mul.int_float(int a, float b) -> float",
    "aten::mul.float_int(float a, int b) -> float",
    expression=PRODUCT,
)(python.mul)


@operator("aten::mul(Scalar a, Scalar b) -> Scalar")
def mul(a: Number, b: Number) -> Number:
    value = a * b
    return wrap(value) if type(value) is int else value


# -- Division ----------------------------------------------------------------------------------


@operator("aten::div.int(int a, int b) -> float", lowering=lowerings.quotient)
def div_int(a: int, b: int) -> float:
    return divide(float(a), float(b))


@operator(
    "aten::div.complex(complex a, complex b) -> complex", lowering=lowerings.by("quotient_of_pairs")
)
def div_complex(a: complex, b: complex) -> complex:
    with np.errstate(all="ignore"):
        return complex(np.complex128(a) / np.complex128(b))


@operator("aten::div.float(float a, float b) -> float", expression=QUOTIENT)
def divide(a: float, b: float) -> float:
    """IEEE division: nothing raises."""
    if b:
        return a / b
    if a == 0 or a != a or b != b:
        return NAN
    return math.copysign(INFINITY, math.copysign(1.0, a) * math.copysign(1.0, b))


@operator("aten::div(Scalar a, Scalar b) -> float", lowering=lowerings.quotient)
def div(a: Number, b: Number) -> float:
    return divide(real(a), real(b))


@operator("aten::floordiv.int(int a, int b) -> int", expression=of_numbers("a // b"))
def floordiv_int(a: int, b: int) -> int:
    if b == 0:
        raise ScriptError("RuntimeError", "division by 0")
    value = a // b
    return value if value <= LARGEST else wrap(value)


@operator(
    "aten::floordiv.float(float a, float b) -> float",
    "aten::floordiv.int_float(int a, float b) -> float",
    "aten::floordiv.float_int(float a, int b) -> float",
    expression=of_numbers("torch.floor(a / b)"),
)
def floordiv_float(a: float, b: float) -> float:
    """The quotient, rounded down: unlike Python's it is rounded twice."""
    quotient = divide(float(a), float(b))
    return float(np.floor(quotient))


@operator("aten::floordiv(Scalar a, Scalar b) -> Scalar")
def floordiv(a: Number, b: Number) -> Number:
    return meeting(a, b, floordiv_int, floordiv_float)


@operator("aten::__round_to_zero_floordiv.int(int a, int b) -> int")
def round_to_zero_floordiv(a: int, b: int) -> int:
    if b == 0:
        raise ScriptError("RuntimeError", "division by 0")
    quotient = abs(a) // abs(b)
    return wrap(quotient if (a < 0) == (b < 0) else -quotient)


@operator("aten::remainder.int(int a, int b) -> int", expression=of_numbers("a % b"))
def remainder_int(a: int, b: int) -> int:
    if b == 0:  # PyTorch dies of it
        raise ScriptError("RuntimeError", "ZeroDivisionError: integer modulo by zero")
    return a % b


@operator(
    "aten::remainder.float(float a, float b) -> float",
    "aten::remainder.int_float(int a, float b) -> float",
    "aten::remainder.float_int(float a, int b) -> float",
    expression=of_numbers("torch.fmod(torch.fmod(a, b) + b, b)"),
)
def remainder_float(a: float, b: float) -> float:
    """The remainder that has the divisor's sign, taken twice as PyTorch does."""
    b = float(b)
    return fmod(fmod(float(a), b) + b, b)


@operator("aten::remainder(Scalar a, Scalar b) -> Scalar")
def remainder(a: Number, b: Number) -> Number:
    return meeting(a, b, remainder_int, remainder_float)


@operator(
    "aten::fmod.int(int a, int b) -> float",
    "aten::fmod.float(float a, float b) -> float",
    "aten::fmod.int_float(int a, float b) -> float",
    "aten::fmod.float_int(float a, int b) -> float",
    expression=of_numbers("torch.fmod(a, b)"),
)
def fmod(a: float, b: float) -> float:
    """The remainder that has the dividend's sign; NaN where there is none."""
    try:
        return math.fmod(a, b)
    except ValueError:
        return NAN


@operator("aten::fmod(Scalar a, Scalar b) -> float")
def fmod_scalar(a: Number, b: Number) -> float:
    return fmod(real(a), real(b))


@operator("aten::divmod.int(int x, int y) -> (int, int)", lowering=lowerings.div_mod)
def divmod_int(x: int, y: int) -> tuple[int, int]:
    if y == 0:
        message = "ZeroDivisionError: integer division or modulo by zero"
        raise ScriptError("RuntimeError", message)
    quotient, rest = divmod(x, y)
    return wrap(quotient), rest


@operator("aten::divmod.float(float x, float y) -> (float, float)")
def divmod_float(x: float, y: float) -> tuple[float, float]:
    if y == 0:
        raise ScriptError("RuntimeError", "ZeroDivisionError: float divmod()")
    rest = fmod(x, y)
    if rest and (y < 0) != (rest < 0):
        rest += y
    return divide(x - rest, float(y)), rest


@operator(
    "aten::divmod.int_float(int x, float y) -> (float, float)",
    "aten::divmod.float_int(float x, int y) -> (float, float)",
)
def divmod_mixed(x: float, y: float) -> tuple[float, float]:
    """No zero is negative."""
    quotient, rest = divmod_float(x, y)
    return quotient + 0.0, rest + 0.0


# -- Signs, extremes, sums ---------------------------------------------------------------------


@operator("aten::neg.int(int a) -> int", expression=OPPOSITE)
def neg_int(a: int) -> int:
    return wrap(-a)


operator("aten::neg.float(float a) -> float", expression=OPPOSITE)(python.neg)
operator(
    "aten::neg.complex(complex a) -> complex",
    expression=OPPOSITE,
    lowering=lowerings.by("opposite_of_pair"),
)(python.neg)


def single(value: float) -> float:
    """A float rounded to 32 bits: so PyTorch computes with a Scalar that is a float."""
    with np.errstate(over="ignore"):
        return float(np.float32(value))


@operator("aten::neg.Scalar(Scalar a) -> Scalar")
def neg(a: Number) -> Number:
    if isinstance(a, int):
        return wrap(-a)
    return -a if isinstance(a, complex) else single(-a)


@operator("prim::abs.int(int a) -> int", expression=of_numbers("torch.abs(a)"))
def abs_int(a: int) -> int:
    return wrap(abs(a))


operator("prim::abs.float(float a) -> float", lowering=lowerings.function("fabs"))(abs)


@operator("prim::abs.Scalar(Scalar a) -> Scalar")
def abs_scalar(a: Number) -> Number:
    return wrap(abs(a)) if isinstance(a, int) else single(abs(a))


def larger(a: Any, b: Any) -> Any:
    return a if a > b else b


def smaller(a: Any, b: Any) -> Any:
    return a if a < b else b


def _declare_extreme(name: str, symbol: str, extreme: Callable[[Any, Any], Any]) -> None:
    """``prim::max`` or ``prim::min`` of two numbers, in all its overloads."""

    def on_floats(a: float, b: float) -> float:
        return extreme(float(a), float(b))

    def on_scalars(a: Number, b: Number) -> Number:
        return meeting(a, b, extreme, on_floats)

    expression = of_numbers(f"a if a {symbol} b else b")
    same = (
        f"prim::{name}.int(int a, int b) -> int",
        f"prim::{name}.float(float a, float b) -> float",
    )
    mixed = (
        f"prim::{name}.int_float(int a, float b) -> float",
        f"prim::{name}.float_int(float a, int b) -> float",
    )
    operator(*same, expression=expression)(extreme)
    operator(*mixed, expression=expression)(on_floats)
    operator(f"prim::{name}(Scalar a, Scalar b) -> Scalar")(on_scalars)


_declare_extreme("max", ">", larger)
_declare_extreme("min", "<", smaller)


@operator("aten::gcd.int(int a, int b) -> int", lowering=lowerings.by("gcd"))
def gcd(a: int, b: int) -> int:
    return wrap(math.gcd(a, b))
