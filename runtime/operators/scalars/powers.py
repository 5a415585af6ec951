"""Powers of numbers, as C computes them."""

from __future__ import annotations

import math

import numpy as np

from tsc.runtime.arrays.integers import wrap
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.operators.registration import operator
from tsc.runtime.operators.scalars import lowerings
from tsc.runtime.operators.scalars.scalars import INFINITY, NAN, Number, real


@operator("aten::pow.int(int a, int b) -> float", lowering=lowerings.power)
def pow_int(a: int, b: int) -> float:
    return pow_float(float(a), float(b))


@operator("aten::pow.complex(complex a, complex b) -> complex")
def pow_complex(a: complex, b: complex) -> complex:
    with np.errstate(all="ignore"):
        return complex(np.exp(np.complex128(b) * np.log(np.complex128(a))))


@operator(
    "aten::pow.float(float a, float b) -> float",
    "aten::pow.int_float(int a, float b) -> float",
    "aten::pow.float_int(float a, int b) -> float",
    lowering=lowerings.power,
)
def pow_float(a: float, b: float) -> float:
    if a == 0 and b < 0:
        raise ScriptError("RuntimeError", "0.0 cannot be raised to a negative power")
    return power(a, b)


def power(a: float, b: float) -> float:
    """C's pow: infinite where it overflows, NaN where there is no result."""
    try:
        return math.pow(a, b)
    except OverflowError:
        return -INFINITY if a < 0 and float(b) % 2 == 1 else INFINITY
    except ValueError:
        return NAN if a else INFINITY


def polar(radius: float, angle: float) -> complex:
    with np.errstate(all="ignore"):
        return complex(radius * float(np.cos(angle)), radius * float(np.sin(angle)))


@operator("aten::pow.float_complex(float a, complex b) -> complex")
def pow_float_complex(a: float, b: complex) -> complex:
    """A positive base turns by the imaginary part, as in C++."""
    if not a > 0:
        return pow_complex(complex(a), b)
    return polar(power(a, b.real), b.imag * float(np.log(a)))


@operator("aten::pow.complex_float(complex a, float b) -> complex")
def pow_complex_float(a: complex, b: float) -> complex:
    """A positive base is real, any other is taken by its radius and angle, as in C++."""
    if a.imag == 0 and a.real > 0:
        return complex(power(a.real, b))
    with np.errstate(all="ignore"):
        logarithm = np.log(np.complex128(a))
        return polar(float(np.exp(b * logarithm.real)), float(b * logarithm.imag))


@operator("aten::pow.Scalar_Scalar(Scalar a, Scalar b) -> float")
def pow_scalar(a: Number, b: Number) -> float:
    return power(real(a), real(b))


@operator("aten::pow.int_to_int(int a, int b) -> int", lowering=lowerings.power_of_ints)
def pow_int_to_int(a: int, b: int) -> int:
    if b < 0:
        if a == 0:
            raise ScriptError("RuntimeError", "0.0 cannot be raised to a negative power")
        return (a if b % 2 else 1) if abs(a) == 1 else 0
    return wrap(pow(a, b, 2**64)) if abs(a) > 1 else a**b
