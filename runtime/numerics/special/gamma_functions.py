"""The logarithm of the gamma function and its derivatives.

Below 2.5 arguments are moved by whole numbers into [1.5, 2.5], where a polynomial stands; from there on,
Stirling's series is summed by a polynomial in 1/x². Negative arguments are reflected.
"""

from __future__ import annotations

import math

import numpy as np

from tsc.runtime.numerics.special.evaluation import (
    FLOAT,
    Polynomial,
    in_double,
    in_stretches,
    replace_where,
)
from tsc.runtime.numerics.special.tables import gamma
from tsc.runtime.numerics.special.zeta_function import hurwitz_zeta

_near_two = Polynomial(gamma.LGAMMA_NEAR_TWO)
_near_two_single = Polynomial(gamma.LGAMMA_NEAR_TWO_SINGLE)
_stirling = Polynomial(gamma.STIRLING)
_stirling_single = Polynomial(gamma.STIRLING_SINGLE)
_digamma_near_two = Polynomial(gamma.DIGAMMA_NEAR_TWO)
_digamma_far = Polynomial(gamma.DIGAMMA_FAR)
_trigamma_near_two = Polynomial(gamma.TRIGAMMA_NEAR_TWO)
_trigamma_far = Polynomial(gamma.TRIGAMMA_FAR)
_HALF_LOG_TWO_PI = math.log(2 * math.pi) / 2


def _lgamma_moderate(x: np.ndarray) -> np.ndarray:
    """For x in (0, 2.5)."""
    steps = np.clip(np.rint(x), 0, 2)
    w = np.subtract(x, steps)
    polynomial = _near_two_single if x.dtype is FLOAT else _near_two
    result = polynomial(w)
    np.multiply(result, w, result)
    factor = np.ones_like(x)
    np.putmask(factor, steps == 1, x)
    near_zero = steps == 0
    if near_zero.any():
        np.putmask(factor, near_zero, x * (x + 1))
    return np.subtract(result, np.log(factor, factor), result)


def stirling_remainder(x: np.ndarray) -> np.ndarray:
    """lgamma(x) - (x - 1/2) log x + x - log √(2π), for x from 2.5 on."""
    inverse = np.reciprocal(x)
    polynomial = _stirling_single if x.dtype is FLOAT else _stirling
    return polynomial(inverse * inverse) * inverse


def _lgamma_large(x: np.ndarray) -> np.ndarray:
    """For x from 2.5 on."""
    result = np.log(x)
    np.subtract(result, 1, result)
    np.multiply(result, x - 0.5, result)
    np.add(result, stirling_remainder(x), result)
    return np.add(result, _HALF_LOG_TWO_PI - 0.5, result)


def _lgamma_reflected(x: np.ndarray) -> np.ndarray:
    """For x up to 0."""
    mirrored = _lgamma_of_positive(1 - x)
    result = np.log(np.pi / np.abs(sine_of_pi_times(x))) - mirrored
    return np.where(x == np.floor(x), np.inf, result).astype(x.dtype)


def _lgamma_of_positive(x: np.ndarray) -> np.ndarray:
    large = x >= 2.5
    if large.all():
        return _lgamma_large(x)
    result = _lgamma_moderate(x)
    if large.any():
        np.putmask(result, large, _lgamma_large(x))
    return result


@in_stretches
def lgamma(x: np.ndarray) -> np.ndarray:
    """log |Γ(x)|; infinite at 0, at negative whole numbers and at both infinities."""
    result = _lgamma_of_positive(x)
    replace_where(result, x <= 0, _lgamma_reflected, x)
    replace_where(result, np.isinf(x), np.abs, x)
    return result


def sine_of_pi_times(x: np.ndarray) -> np.ndarray:
    """sin(πx), exact where x is whole."""
    whole = np.rint(x)
    sign = 1 - 2 * np.mod(whole, 2)
    return sign * np.sin(np.pi * (x - whole))


def _steps_to_two(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The nearest whole number among 0 to 3, and what `x` is above it."""
    steps = np.clip(np.rint(x), 0, 3)
    return steps, x - steps


def _digamma_moderate(x: np.ndarray) -> np.ndarray:
    """For x in (0, 3.5)."""
    steps, w = _steps_to_two(x)
    numerator = np.subtract(steps < 2, steps > 2, dtype=x.dtype)
    denominator = x.copy()
    first, three = steps < 1, steps > 2
    np.putmask(numerator, first, 2 * x + 1)
    np.putmask(denominator, first, x * (x + 1))
    np.putmask(denominator, three, x - 1)
    return _digamma_near_two(w) - numerator / denominator


def _digamma_large(x: np.ndarray) -> np.ndarray:
    """For x from 3.5 on."""
    inverse = np.reciprocal(x)
    square = inverse * inverse
    return np.log(x) - 0.5 * inverse - square * _digamma_far(square)


def _digamma_of_positive(x: np.ndarray) -> np.ndarray:
    large = x >= 3.5
    if large.all():
        return _digamma_large(x)
    result = _digamma_moderate(x)
    if large.any():
        np.putmask(result, large, _digamma_large(x))
    return result


def _digamma_reflected(x: np.ndarray) -> np.ndarray:
    """For x up to 0; the pole at 0 has the sign of -x, the others are NaN."""
    fraction = x - np.rint(x)
    result = _digamma_of_positive(1 - x) - np.pi / np.tan(np.pi * fraction)
    pole = np.where(x == 0, np.copysign(np.inf, -x), np.nan)
    return np.where(fraction == 0, pole, result)


@in_double
def digamma(x: np.ndarray) -> np.ndarray:
    """The derivative of log Γ(x)."""
    result = _digamma_of_positive(x)
    replace_where(result, x <= 0, _digamma_reflected, x)
    replace_where(result, np.isinf(x), lambda y: np.where(y > 0, y, np.nan), x)
    return result


@in_double
def _trigamma(x: np.ndarray) -> np.ndarray:
    """For positive x."""
    steps, w = _steps_to_two(x)
    result = _trigamma_near_two(w)
    np.add(result, 1 / (x * x), result, where=steps < 2)
    np.add(result, 1 / ((x + 1) * (x + 1)), result, where=steps < 1)
    np.subtract(result, 1 / ((x - 1) * (x - 1)), result, where=steps > 2)
    inverse = 1 / x
    square = inverse * inverse
    far = inverse + 0.5 * square + inverse * square * _trigamma_far(square)
    np.putmask(result, x >= 3.5, far)
    return result


def trigamma(a: np.ndarray) -> np.ndarray:
    """The second derivative of log Γ(x).

    Left of 1/2, sin(πx) is taken of the rounded product, as PyTorch does: the poles are finite there.
    """
    result = _trigamma(np.where(a < 0.5, 1 - a, a))
    left = a < 0.5
    if left.any():
        ratio = a.dtype.type(math.pi) / np.sin(a.dtype.type(math.pi) * a)
        np.copyto(result, ratio * ratio - result, where=left)
    return result


def polygamma(order: int, a: np.ndarray) -> np.ndarray:
    """The derivative of that order of digamma."""
    if order == 0:
        return digamma(a)
    if order == 1:
        return trigamma(a)
    factor = (1.0 if order % 2 else -1.0) * float(np.exp(math.lgamma(order + 1.0)))
    zeta = hurwitz_zeta(np.full_like(a, order + 1), a)
    return zeta * a.dtype.type(factor)


def multigammaln(a: np.ndarray, dimensions: int) -> np.ndarray:
    """The logarithm of the multivariate gamma function."""
    offsets = np.arange(dimensions) * 0.5
    total = lgamma(a[..., np.newaxis] - offsets.astype(a.dtype)).sum(-1)
    constant = dimensions * (dimensions - 1) / 4 * math.log(math.pi)
    return np.asarray(total + a.dtype.type(constant), a.dtype)
