"""The functions of Python's ``math`` on numbers, as C computes them: they return infinities and
NaN, and raise nothing.

Ints become floats first. A Scalar that is real gives a result of 32 bits of precision, as in
PyTorch.
"""

from __future__ import annotations

import cmath
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from tsc.runtime.arrays.integers import LARGEST, SMALLEST, truncate, wrap
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.operators.registration import operator
from tsc.runtime.operators.scalars import lowerings
from tsc.runtime.operators.scalars.scalars import (
    INFINITY,
    NAN,
    Number,
    divide,
    of_numbers,
    real,
    single,
)

Real = Callable[[float], float]
Complex = Callable[[complex], complex]


COMPOSED = {"degrees": f"a * {180 / math.pi}", "radians": f"a * {math.pi / 180}"}
"""What is computed, where it is not a basic operator."""


def total(exact: Real, beyond: Callable[[Any], Any]) -> Real:
    """`exact` where it has a result, and what `beyond` says at poles, outside of the domain and
    past the largest float.
    """

    def function(a: float) -> float:
        try:
            return exact(a)
        except (ValueError, OverflowError):
            with np.errstate(all="ignore"):
                return float(beyond(float(a)))

    return function


def on_complex(function: Callable[[Any], Any]) -> Complex:
    """A NumPy function on one complex number, without warnings."""

    def complex_function(a: complex) -> complex:
        with np.errstate(all="ignore"):
            return complex(function(np.complex128(a)))

    return complex_function


def on_scalar(
    function: Real, complex_function: Callable[[complex], Any] | None
) -> Callable[[Number], Number]:
    """The overload for a Scalar."""

    def scalar_function(a: Number) -> Number:
        if isinstance(a, complex) and complex_function is not None:
            return complex_function(a)
        return single(function(real(a)))

    return scalar_function


def declare(name: str, function: Real, complex_function: Complex | None = None) -> Real:
    """A function of one number, in all its overloads."""
    operator(
        f"aten::{name}.int(int a) -> float",
        f"aten::{name}.float(float a) -> float",
        expression=of_numbers(COMPOSED.get(name, f"torch.{name}(a)")),
    )(function)
    if complex_function is not None:
        operator(f"aten::{name}.complex(complex a) -> complex")(complex_function)
    operator(f"aten::{name}.Scalar(Scalar a) -> Scalar")(on_scalar(function, complex_function))
    return function


# -- Exponentials and logarithms ---------------------------------------------------------------

declare("sqrt", total(math.sqrt, np.sqrt), on_complex(np.sqrt))
declare("exp", total(math.exp, np.exp), on_complex(np.exp))
declare("expm1", total(math.expm1, np.expm1))
log_of_complex = on_complex(np.log)
log = declare("log", total(math.log, np.log), log_of_complex)
_LN10 = math.log(10)


def log10_of_complex(a: complex) -> complex:
    value = log_of_complex(a)
    return complex(value.real / _LN10, value.imag / _LN10)


declare("log10", total(math.log10, np.log10), log10_of_complex)
declare("log1p", total(math.log1p, np.log1p))


@operator(
    "aten::log.int_int(int a, int b) -> float",
    "aten::log.float_float(float a, float b) -> float",
    lowering=lowerings.logarithm_to_base,
)
def log_to_base(a: float, b: float) -> float:
    return divide(log(a), log(b))


@operator(
    "aten::log.complex_complex(complex a, complex b) -> complex",
)
def log_to_complex_base(a: Number, b: Number) -> complex:
    with np.errstate(all="ignore"):
        return complex(logarithm(a) / logarithm(b))


def logarithm(a: Number) -> Any:
    """A real number stays real, so the logarithm of a negative one is NaN."""
    return np.log(np.complex128(a)) if isinstance(a, complex) else np.complex128(log(a))


operator(
    "aten::log.int_float(int a, float b) -> float",
    "aten::log.float_int(float a, int b) -> float",
    lowering=lowerings.logarithm_to_base,
)(log_to_base)

operator("aten::log.int_complex(int a, complex b) -> complex")(log_to_complex_base)


@operator("aten::log.complex_int(complex a, int b) -> complex")
def log_to_real_base(a: complex, b: float) -> complex:
    value, base = log_of_complex(a), log(b)
    return complex(divide(value.real, base), divide(value.imag, base))


operator("aten::log.float_complex(float a, complex b) -> complex")(log_to_complex_base)
operator("aten::log.complex_float(complex a, float b) -> complex")(log_to_real_base)


@operator("aten::log.Scalar_Scalar(Scalar a, Scalar b) -> float")
def log_of_scalars(a: Number, b: Number) -> float:
    return log_to_base(real(a), real(b))


# -- Trigonometry ------------------------------------------------------------------------------

sine = declare("sin", total(math.sin, np.sin), on_complex(np.sin))
cosine = declare("cos", total(math.cos, np.cos), on_complex(np.cos))
declare("tan", total(math.tan, np.tan), on_complex(np.tan))
declare("asin", total(math.asin, np.arcsin), on_complex(np.arcsin))
declare("acos", total(math.acos, np.arccos), on_complex(np.arccos))
declare("atan", math.atan, on_complex(np.arctan))
declare("sinh", total(math.sinh, np.sinh), on_complex(np.sinh))
declare("cosh", total(math.cosh, np.cosh), on_complex(np.cosh))
declare("tanh", math.tanh, on_complex(np.tanh))
declare("asinh", math.asinh, on_complex(np.arcsinh))
declare("acosh", total(math.acosh, np.arccosh), on_complex(np.arccosh))
declare("atanh", total(math.atanh, np.arctanh), on_complex(np.arctanh))
declare("degrees", math.degrees)
declare("radians", math.radians)


@operator(
    "aten::atan2.int(int a, int b) -> float",
    "aten::atan2.float(float a, float b) -> float",
    "aten::atan2.int_float(int a, float b) -> float",
    "aten::atan2.float_int(float a, int b) -> float",
    lowering=lowerings.function("atan2"),
)
def atan2(a: float, b: float) -> float:
    return math.atan2(a, b)


@operator("aten::atan2.Scalar_Scalar(Scalar a, Scalar b) -> float")
def atan2_of_scalars(a: Number, b: Number) -> float:
    return math.atan2(real(a), real(b))


@operator("aten::angle.int(int a) -> float", "aten::angle.float(float a) -> float")
def angle(a: float) -> float:
    """0 or π: the sign decides, NaN counts as positive."""
    return math.pi if a == a and math.copysign(1.0, a) < 0 else 0.0


@operator("prim::abs.complex(complex a) -> float", lowering=lowerings.by("size_of_pair"))
def abs_complex(a: complex) -> float:
    """Infinite where it is too large for a float; Python may say so of a NaN, too."""
    try:
        return abs(a)
    except OverflowError:
        return NAN if a != a else INFINITY


@operator("aten::angle.complex(complex a) -> float")
def angle_of_complex(a: complex) -> float:
    return cmath.phase(a)


@operator("aten::angle.Scalar(Scalar a) -> Scalar")
def angle_of_scalar(a: Number) -> float:
    return single(angle_of_complex(a) if isinstance(a, complex) else angle(a))


@operator(
    "aten::polar.int(int a, int b) -> complex",
    "aten::polar.float(float a, float b) -> complex",
    "aten::polar.int_float(int a, float b) -> complex",
    "aten::polar.float_int(float a, int b) -> complex",
)
def polar(a: float, b: float) -> complex:
    return complex(a * cosine(b), a * sine(b))


@operator("aten::polar.Scalar_Scalar(Scalar a, Scalar b) -> Scalar")
def polar_of_scalars(a: Number, b: Number) -> complex:
    return polar(real(a), real(b))


# -- Special functions -------------------------------------------------------------------------

declare("erf", math.erf)
declare("erfc", math.erfc)
declare("lgamma", total(math.lgamma, lambda _: INFINITY))


def gamma_beyond(a: float) -> float:
    """Infinite at zero and past the largest float, undefined at negative integers."""
    if a == 0:
        return math.copysign(INFINITY, a)
    return INFINITY if a > 0 else NAN


declare("gamma", total(math.gamma, gamma_beyond))


@operator("aten::factorial.int(int a) -> int")
def factorial(a: int) -> int:
    if a < 0:
        raise ScriptError("RuntimeError", "factorial() not defined for negative values")
    return wrap(math.factorial(min(a, 66)))  # from 66! on, the lowest 64 bits are zero


# -- Signs, parts and rounding -----------------------------------------------------------------


@operator(
    "aten::fabs.int(int a) -> float",
    "aten::fabs.float(float a) -> float",
    lowering=lowerings.function("fabs"),
)
def fabs(a: float) -> float:
    return math.fabs(a)


operator("aten::fabs.Scalar(Scalar a) -> Scalar")(on_scalar(fabs, None))


@operator(
    "aten::copysign.int(int a, int b) -> float",
    "aten::copysign.float(float a, float b) -> float",
    "aten::copysign.int_float(int a, float b) -> float",
    "aten::copysign.float_int(float a, int b) -> float",
    lowering=lowerings.function("copysign"),
)
def copysign(a: float, b: float) -> float:
    return math.copysign(a, b)


@operator("aten::copysign(Scalar a, Scalar b) -> float")
def copysign_of_scalars(a: Number, b: Number) -> float:
    return math.copysign(real(a), real(b))


@operator("aten::modf(float a) -> (float, float)")
def modf(a: float) -> tuple[float, float]:
    return math.modf(a)


@operator("aten::frexp(float a) -> (float, int)")
def frexp(a: float) -> tuple[float, int]:
    return math.frexp(a)


@operator("aten::ldexp(float x, int i) -> float")
def ldexp(x: float, i: int) -> float:
    try:
        return math.ldexp(x, i)
    except OverflowError:
        return math.copysign(INFINITY, x)


@operator(
    "aten::mathremainder.int(int a, int b) -> float",
    "aten::mathremainder.float(float a, float b) -> float",
    "aten::mathremainder.int_float(int a, float b) -> float",
    "aten::mathremainder.float_int(float a, int b) -> float",
)
def mathremainder(a: float, b: float) -> float:
    """The remainder of IEEE 754: what is left of the nearest multiple."""
    try:
        return math.remainder(a, b)
    except ValueError:
        return NAN


@operator("aten::mathremainder(Scalar a, Scalar b) -> float")
def mathremainder_of_scalars(a: Number, b: Number) -> float:
    return mathremainder(real(a), real(b))


def to_integer(value: float, rounded: Callable[[float], int]) -> int:
    """A float rounded to an int; refused where there is none of 64 bits."""
    if math.isfinite(value):
        number = rounded(value)
        if SMALLEST <= number <= LARGEST:
            return number
    raise ScriptError("RuntimeError", f"Cannot convert float {value:f} to integer")


@operator("aten::floor.int(int a) -> int", lowering=lowerings.floor_of_int)
def floor_int(a: int) -> int:
    """By way of a float, which large ints do not survive."""
    return truncate(float(a))


@operator("aten::floor.float(float a) -> int", lowering=lowerings.rounded("floor"))
def floor(a: float) -> int:
    return to_integer(a, math.floor)


@operator("aten::floor.Scalar(Scalar a) -> Scalar")
def floor_scalar(a: Number) -> int:
    return floor_int(a) if isinstance(a, int) else floor(real(a))


@operator("aten::ceil.int(int a) -> int", lowering=lowerings.identity)
def ceil_int(a: int) -> int:
    return a


@operator("aten::ceil.float(float a) -> int", lowering=lowerings.rounded("ceil"))
def ceil(a: float) -> int:
    return to_integer(a, math.ceil)


@operator("aten::ceil.Scalar(Scalar a) -> Scalar")
def ceil_scalar(a: Number) -> int:
    return a if isinstance(a, int) else ceil(real(a))


@operator(
    "aten::round.int(int a) -> float",
    "aten::round.float(float a) -> float",
    lowering=lowerings.function("rint"),
)
def round_(a: float) -> float:
    """Halves go to the even neighbour."""
    a = float(a)
    if not math.isfinite(a):
        return a
    return math.copysign(float(round(a)), a)


operator("aten::round.Scalar(Scalar a) -> Scalar")(on_scalar(round_, None))

# -- Questions ---------------------------------------------------------------------------------

operator("aten::isnan.float(float a) -> bool", lowering=lowerings.not_a_number)(math.isnan)
operator("aten::isnan.complex(complex a) -> bool")(cmath.isnan)
operator("aten::isinf.float(float a) -> bool", lowering=lowerings.infinite)(math.isinf)
operator("aten::isinf.complex(complex a) -> bool")(cmath.isinf)
operator("aten::isfinite.float(float a) -> bool", lowering=lowerings.finite)(math.isfinite)
operator("aten::isfinite.complex(complex a) -> bool")(cmath.isfinite)
