"""Polynomials that stand for functions of SciPy on large arrays.

SciPy computes element by element; NumPy's loops for products and sums take many at a time. So where a function is
smooth in some variable from -1 to 1, the polynomial that agrees with SciPy's float64 values at Chebyshev nodes is
several times as fast. There are no tables: it is made when it is first called for.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tsc.runtime.numerics.special.evaluation import Polynomial

_SINGLE_FROM = 256
"""Elements of float32 from which polynomials are faster than SciPy's functions."""


def is_large_single(x: np.ndarray) -> bool:
    """Whether polynomials in float32 are worth it; whether one is taken shows in the last bit of the result."""
    return x.dtype.char == "f" and x.size >= _SINGLE_FROM


class Interpolant:
    """The polynomial of `degree` that has the values of `function` at Chebyshev nodes of [-1, 1]."""

    __slots__ = ("_degree", "_function", "_polynomial")

    def __init__(self, function: Callable[[np.ndarray], Any], degree: int) -> None:
        self._function, self._degree = function, degree
        self._polynomial: Polynomial | None = None

    def __call__(self, t: np.ndarray) -> np.ndarray:
        """A new array, in the dtype of `t`."""
        return (self._polynomial or self._interpolated())(t)

    def _interpolated(self) -> Polynomial:
        chebyshev = np.polynomial.chebyshev
        coefficients = chebyshev.chebinterpolate(self._function, self._degree)
        self._polynomial = Polynomial(chebyshev.cheb2poly(coefficients)[::-1].tolist())
        return self._polynomial
