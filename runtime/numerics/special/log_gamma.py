"""The logarithm of the gamma function, on NumPy.

SciPy's has an absolute error of 1e-16 near 1 and 2, where the function is zero, of which PyTorch keeps all digits; in
float32 it takes four times as long as PyTorch on large arrays. Below 2.5 arguments are moved by whole numbers into
[1.5, 2.5], where a polynomial stands; from there on, Stirling's series is summed by a polynomial in 1/x². Negative
arguments are reflected. The polynomials, highest power first, interpolate at Chebyshev nodes, computed with 50 digits.
"""

from __future__ import annotations

import math

import numpy as np

from tsc.runtime.arrays.dtypes import FLOAT
from tsc.runtime.numerics.special.evaluation import Polynomial, in_stretches, replace_where

_LGAMMA_NEAR_TWO = (
    -1.3219945666117874e-07,
    2.78740805211359e-07,
    -4.3252393445604814e-07,
    9.200527894968101e-07,
    -2.0439048107029907e-06,
    4.38470440459836e-06,
    -9.438715099211532e-06,
    2.0505590755833454e-05,
    -4.49263133791557e-05,
    9.945767355819498e-05,
    -0.00022315475400520507,
    0.0005096695154115458,
    -0.0011927539118428156,
    0.002890510331034267,
    -0.0073855510286719986,
    0.02058080842778038,
    -0.0673523010531981,
    0.32246703342411326,
    0.42278433509846713,
)
"""lgamma(2 + w) / w in w, for w from -1/2 to 1/2."""

_LGAMMA_NEAR_TWO_SINGLE = (
    -0.00025056202146086636,
    0.0005702512502829781,
    -0.0011874848136699278,
    0.00287886868374075,
    -0.007385920884783578,
    0.0205816254365885,
    -0.06735229409087408,
    0.3224670180454995,
    0.42278433509846713,
)
"""The same to 5e-9, for float32."""

_STIRLING = (
    -0.3798798444577467,
    0.43176800571851115,
    -0.23176632972839445,
    0.08129466384616944,
    -0.022593560645490073,
    0.006035234354704072,
    -0.0019031412413929255,
    0.0008413836627094221,
    -0.0005952323836025104,
    0.0007936507466535246,
    -0.002777777777623419,
    0.08333333333333325,
)
"""x (lgamma(x) - (x - 1/2) log x + x - log √(2π)) in 1/x², for x from 2.5 on, to 1e-15."""

_STIRLING_SINGLE = (
    -0.00041150514570790077,
    0.0007774120152658641,
    -0.002777282733238895,
    0.08333333088053543,
)
"""The same to 3e-8, for float32."""

_near_two = Polynomial(_LGAMMA_NEAR_TWO)
_near_two_single = Polynomial(_LGAMMA_NEAR_TWO_SINGLE)
_stirling = Polynomial(_STIRLING)
_stirling_single = Polynomial(_STIRLING_SINGLE)
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


def _stirling_remainder(x: np.ndarray) -> np.ndarray:
    """lgamma(x) - (x - 1/2) log x + x - log √(2π), for x from 2.5 on."""
    inverse = np.reciprocal(x)
    polynomial = _stirling_single if x.dtype is FLOAT else _stirling
    return polynomial(inverse * inverse) * inverse


def _lgamma_large(x: np.ndarray) -> np.ndarray:
    """For x from 2.5 on."""
    result = np.log(x)
    np.subtract(result, 1, result)
    np.multiply(result, x - 0.5, result)
    np.add(result, _stirling_remainder(x), result)
    return np.add(result, _HALF_LOG_TWO_PI - 0.5, result)


def _lgamma_reflected(x: np.ndarray) -> np.ndarray:
    """For x up to 0."""
    mirrored = _lgamma_of_positive(1 - x)
    result = np.log(np.pi / np.abs(_sine_of_pi_times(x))) - mirrored
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


def _sine_of_pi_times(x: np.ndarray) -> np.ndarray:
    """sin(πx), exact where x is whole."""
    whole = np.rint(x)
    sign = 1 - 2 * np.mod(whole, 2)
    return sign * np.sin(np.pi * (x - whole))
