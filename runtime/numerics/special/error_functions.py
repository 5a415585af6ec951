"""The error function, its complements, and the normal distribution.

From 1 on, erf(x) is 1 - exp(-x²) erfcx(x); the scaled complement erfcx is smooth in (x - 3) / (x + 3) over the
whole half-axis (M. Shepherd and J. Laframboise, Math. Comp. 36, 1981). In float32, erf is the
hyperbolic tangent of a polynomial: tanh⁻¹(erf(x)) / x is smooth in x².
"""

from __future__ import annotations

import math
import sys

import numpy as np

from tsc.runtime.numerics.special.evaluation import (
    FLOAT,
    Polynomial,
    in_double,
    in_stretches,
    replace_where,
)
from tsc.runtime.numerics.special.tables import error

_near_zero = Polynomial(error.ERF_NEAR_ZERO)
_scaled_complement = Polynomial(error.ERFCX)
_scaled_complement_single = Polynomial(error.ERFCX_SINGLE)
TANGENT_ARGUMENT = (
    1.41853241e-07,
    -5.66849335e-06,
    8.76374355e-05,
    -6.19784945e-04,
    -1.91830474e-04,
    1.02769056e-01,
    1.12837927,
)
"""atanh(erf(x)) / x in x², where it matters to erf, which it gives to 1e-7."""
_tangent_argument = Polynomial(TANGENT_ARGUMENT)
_LARGEST = sys.float_info.max
_SQRT_HALF = math.sqrt(0.5)


def _erf_single(x: np.ndarray) -> np.ndarray:
    result = _tangent_argument(np.multiply(x, x))
    np.multiply(result, x, result)
    return np.tanh(result, result)


def _exp_of_negative_square(x: np.ndarray) -> np.ndarray:
    """exp(-x²) for x up to 30, without the rounding error of the square."""
    head = x.astype(FLOAT).astype(x.dtype)
    rest = np.subtract(head, x)
    np.multiply(rest, head + x, rest)
    np.multiply(head, head, head)
    result = np.exp(np.negative(head, head), head)
    return np.multiply(result, 1 + rest * (1 + rest * (0.5 + rest / 6)), result)


def _erfcx_of_positive(x: np.ndarray) -> np.ndarray:
    """erfcx for finite x >= 0."""
    place = np.subtract(x, 3)
    np.true_divide(place, x + 3, place)
    is_single = x.dtype is FLOAT
    scaled = (_scaled_complement_single if is_single else _scaled_complement)(place)
    np.multiply(x, 2, place)
    np.add(place, 1, place)
    return np.true_divide(scaled, place, scaled)


def _erf_double(x: np.ndarray) -> np.ndarray:
    magnitude = np.abs(x)
    near = magnitude < 1
    if near.all():
        return x * _near_zero(x * x)
    np.clip(magnitude, 0, 6, magnitude)
    tail = _erfcx_of_positive(magnitude)
    np.multiply(magnitude, magnitude, magnitude)
    np.multiply(tail, np.exp(np.negative(magnitude, magnitude), magnitude), tail)
    result = np.copysign(np.subtract(1, tail, tail), x, tail)
    np.putmask(result, near, x * _near_zero(x * x))
    return result


_erf_of_single = in_stretches(_erf_single)
_erf_of_double = in_double(_erf_double)


def erf(a: np.ndarray) -> np.ndarray:
    return _erf_of_single(a) if a.dtype is FLOAT else _erf_of_double(a)


@in_stretches
def erfc(x: np.ndarray) -> np.ndarray:
    """1 - erf(x), with its relative precision kept where it is small."""
    magnitude = np.clip(np.abs(x), 0, 30)
    tail = _erfcx_of_positive(magnitude)
    if x.dtype is FLOAT:
        np.multiply(magnitude, magnitude, magnitude)
        decay = np.exp(np.negative(magnitude, magnitude), magnitude)
    else:
        decay = _exp_of_negative_square(magnitude)
    np.multiply(tail, decay, tail)
    sign = np.copysign(x.dtype.type(1), x)
    np.multiply(tail, sign, tail)
    return np.add(tail, np.subtract(1, sign, sign), tail)


@in_double
def erfcx(x: np.ndarray) -> np.ndarray:
    """exp(x²) erfc(x)"""
    result = _erfcx_of_positive(np.minimum(np.abs(x), _LARGEST))
    replace_where(result, x < 0, lambda y, mirrored: 2 * np.exp(y * y) - mirrored, x, result)
    return result


@in_double
def ndtr(x: np.ndarray) -> np.ndarray:
    """The probability that a normal number is below `x`."""
    scaled = x * -_SQRT_HALF
    return 0.5 * erfc(scaled)


@in_double
def log_ndtr(x: np.ndarray) -> np.ndarray:
    """log(ndtr(x)), with its precision kept on both sides."""
    scaled = x * -_SQRT_HALF
    result = np.log1p(-0.5 * erfc(-scaled))
    replace_where(result, x < -1, lambda t: np.log(erfcx(t) / 2) - t * t, scaled)
    return result


_GATE_ARGUMENT = Polynomial(
    tuple(c * _SQRT_HALF**k for c, k in zip(TANGENT_ARGUMENT, range(13, 0, -2)))
)
"""atanh(erf(x / √2)) / x in x²"""


@in_stretches
def gelu(x: np.ndarray) -> np.ndarray:
    """`x` times the probability that a normal number is below it."""
    if x.dtype is not FLOAT:
        return 0.5 * x * erfc(x * -_SQRT_HALF)
    result = _GATE_ARGUMENT(np.multiply(x, x))
    np.multiply(result, x, result)
    np.tanh(result, result)
    np.add(result, 1, result)
    np.multiply(result, x, result)
    return np.multiply(result, 0.5, result)
