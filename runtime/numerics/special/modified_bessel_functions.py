"""The modified Bessel functions of order 0 and 1, plain and scaled by an exponential: SciPy's.

Those of the first kind have a form of their own for large arrays of float32, for speed: SciPy computes them in float64,
element by element, which takes up to fifteen times as long as PyTorch. exp(-|x|) √(½ + |x|) I0(x) is smooth in
(|x| - 4) / (|x| + 4) over the whole axis; so is the same of I1(x), times 2 + 1 / x.
"""

from __future__ import annotations

import numpy as np

from tsc.runtime.numerics import scipy_modules
from tsc.runtime.numerics.special.evaluation import ArrayFunction, from_scipy, in_stretches
from tsc.runtime.numerics.special.interpolation import Interpolant, is_large_single

_MIDDLE = 4
_DEGREE = 21
"""Which gives the values to 1e-8."""

k0 = from_scipy("k0")
k1 = from_scipy("k1")
scaled_k0 = from_scipy("k0e")
scaled_k1 = from_scipy("k1e")


def _over_half_axis(function: ArrayFunction) -> Interpolant:
    """`function` of x from 0 on, as a polynomial in (x - 4) / (x + 4)."""
    return Interpolant(lambda t: function(_MIDDLE * (1 + t) / (1 - t)), _DEGREE)


_smooth_i0 = _over_half_axis(lambda x: scipy_modules.special.i0e(x) * np.sqrt(x + 0.5))
_smooth_i1 = _over_half_axis(
    lambda x: scipy_modules.special.i1e(x) * np.sqrt(x + 0.5) * (2 + 1 / x)
)


def _at(smooth: Interpolant, x: np.ndarray) -> np.ndarray:
    """The polynomial over √(½ + x)."""
    place = np.add(x, _MIDDLE)
    np.true_divide(-2 * _MIDDLE, place, place)
    result = smooth(np.add(place, 1, place))
    np.sqrt(np.add(x, 0.5, place), place)
    return np.true_divide(result, place, result)


def _scaled_i0(x: np.ndarray) -> np.ndarray:
    return _at(_smooth_i0, x)


def _scaled_i1(x: np.ndarray) -> np.ndarray:
    result = _at(_smooth_i1, x)
    inverse = np.reciprocal(x)
    return np.true_divide(result, np.add(inverse, 2, inverse), result)


def _first_kind(name: str, scaled: ArrayFunction, *, plain: bool, odd: bool) -> ArrayFunction:
    """SciPy's function called `name`; for large arrays of float32 made of `scaled`, which is times exp(-x)."""

    @in_stretches
    def of_single(x: np.ndarray) -> np.ndarray:
        magnitude = np.abs(x)
        result = scaled(magnitude)
        if plain:
            np.multiply(result, np.exp(magnitude, magnitude), result)
        return np.copysign(result, x, result) if odd else result

    of_any = from_scipy(name)
    return lambda x: of_single(x) if is_large_single(x) else of_any(x)


i0 = _first_kind("i0", _scaled_i0, plain=True, odd=False)
i0e = _first_kind("i0e", _scaled_i0, plain=False, odd=False)
i1 = _first_kind("i1", _scaled_i1, plain=True, odd=True)
i1e = _first_kind("i1e", _scaled_i1, plain=False, odd=True)
