"""The error function, its complements, and the normal distribution: SciPy's.

Those of float32 are ours, for speed: SciPy computes them in float64, element by element, which takes four to ten
times as long as PyTorch on large arrays; and so everyday layers start without SciPy. The error function is the
hyperbolic tangent of a polynomial there: tanh⁻¹(erf(x)) / x is smooth in x². Its complement is exp(-x²) erfcx(x), whose
second factor is smooth in (x - 3) / (x + 3) over the whole half-axis (M. Shepherd and J. Laframboise, Math. Comp. 36,
1981).
"""

from __future__ import annotations

import math

import numpy as np

from tsc.runtime.arrays.dtypes import FLOAT
from tsc.runtime.numerics.special.evaluation import (
    Polynomial,
    from_scipy,
    in_stretches,
    replace_where,
)
from tsc.runtime.numerics.special.interpolation import is_large_single

_SCALED_COMPLEMENT = (
    3.891751557197811e-06,
    7.720413938052222e-05,
    -0.00010422117710741312,
    -0.0007261608011693134,
    0.0018882157008084247,
    0.0024988226113873105,
    -0.023770388711381683,
    0.06831669729438275,
    -0.1192736784315029,
    0.1296440910249622,
    -0.04756229382771763,
    -0.13562106822069417,
    1.2530080582697296,
)
"""(1 + 2x) erfcx(x) in (x - 3) / (x + 3), for all x from 0 on, to 3e-9."""
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
_scaled_complement = Polynomial(_SCALED_COMPLEMENT)
_SQRT_HALF = math.sqrt(0.5)


_erf_of_double = from_scipy("erf")
_erfc_of_double = from_scipy("erfc")
_erfcx_of_any = from_scipy("erfcx")
_ndtr_of_any = from_scipy("ndtr")
log_ndtr = from_scipy("log_ndtr")


@in_stretches
def _erf_of_single(x: np.ndarray) -> np.ndarray:
    result = _tangent_argument(np.multiply(x, x))
    np.multiply(result, x, result)
    return np.tanh(result, result)


@in_stretches
def _erfc_of_single(x: np.ndarray) -> np.ndarray:
    magnitude = np.abs(x)
    np.minimum(magnitude, 30, out=magnitude)
    tail = _erfcx_of_magnitude(magnitude)
    np.multiply(magnitude, magnitude, magnitude)
    np.multiply(tail, np.exp(np.negative(magnitude, magnitude), magnitude), tail)
    sign = np.copysign(x.dtype.type(1), x)
    np.multiply(tail, sign, tail)
    return np.add(tail, np.subtract(1, sign, sign), tail)


def _erfcx_of_magnitude(x: np.ndarray) -> np.ndarray:
    """exp(x²) erfc(x), for x from 0 on."""
    place = np.add(x, 3)
    np.true_divide(-6, place, place)
    result = _scaled_complement(np.add(place, 1, place))
    np.add(np.multiply(x, 2, place), 1, place)
    return np.true_divide(result, place, result)


@in_stretches
def _erfcx_of_single(x: np.ndarray) -> np.ndarray:
    result = _erfcx_of_magnitude(np.abs(x))
    replace_where(result, x < 0, _erfcx_of_any, x)
    return result


@in_stretches
def _ndtr_of_single(x: np.ndarray) -> np.ndarray:
    """As `_erfc_of_single`; x² is rounded before it is halved, so that nothing is lost where exp(-x²/2) is small."""
    magnitude = np.abs(x)
    np.minimum(magnitude, 30, out=magnitude)
    square = np.multiply(magnitude, magnitude)
    tail = _erfcx_of_magnitude(np.multiply(magnitude, _SQRT_HALF, magnitude))
    np.multiply(tail, np.exp(np.multiply(square, -0.5, square), square), tail)
    half = np.copysign(x.dtype.type(0.5), x)
    np.multiply(tail, half, tail)
    return np.subtract(np.add(half, 0.5, square), tail, tail)


def erf(a: np.ndarray) -> np.ndarray:
    return _erf_of_single(a) if a.dtype is FLOAT else _erf_of_double(a)


def erfc(a: np.ndarray) -> np.ndarray:
    """1 - erf(x), with its relative precision kept where it is small."""
    return _erfc_of_single(a) if a.dtype is FLOAT else _erfc_of_double(a)


def erfcx(a: np.ndarray) -> np.ndarray:
    """exp(x²) erfc(x)"""
    return _erfcx_of_single(a) if is_large_single(a) else _erfcx_of_any(a)


def ndtr(a: np.ndarray) -> np.ndarray:
    """The probability that a normal number is below x."""
    return _ndtr_of_single(a) if is_large_single(a) else _ndtr_of_any(a)


_GATE_ARGUMENT = Polynomial(
    tuple(c * _SQRT_HALF**k for c, k in zip(TANGENT_ARGUMENT, range(13, 0, -2)))
)
"""atanh(erf(x / √2)) / x in x²"""


def gelu(a: np.ndarray) -> np.ndarray:
    """`a` times the probability that a normal number is below it."""
    return _gelu_of_single(a) if a.dtype is FLOAT else _gelu_of_double(a)


@in_stretches
def _gelu_of_double(x: np.ndarray) -> np.ndarray:
    result = _erfc_of_double(np.multiply(x, -_SQRT_HALF))
    np.multiply(result, x, result)
    return np.multiply(result, 0.5, result)


@in_stretches
def _gelu_of_single(x: np.ndarray) -> np.ndarray:
    result = _GATE_ARGUMENT(np.multiply(x, x))
    np.multiply(result, x, result)
    np.tanh(result, result)
    np.add(result, 1, result)
    np.multiply(result, x, result)
    return np.multiply(result, 0.5, result)
