"""The modified Bessel functions of order 0 and 1, plain and scaled by an exponential.

The first kind is a polynomial in x² up to 8, the second a logarithm and a polynomial up to 2; beyond, both are an
exponential over √x times a polynomial in 1/x.
"""

from __future__ import annotations

import numpy as np

from tsc.runtime.numerics.special.evaluation import ArrayFunction, Polynomial, in_double, select
from tsc.runtime.numerics.special.tables import modified_bessel as tables

_i0_small = Polynomial(tables.I0_SMALL)
_i1_small = Polynomial(tables.I1_SMALL)
_i0_large = Polynomial(tables.I0_LARGE)
_i1_large = Polynomial(tables.I1_LARGE)
_k0_small = Polynomial(tables.K0_SMALL)
_k1_small = Polynomial(tables.K1_SMALL)
_k0_large = Polynomial(tables.K0_LARGE)
_k1_large = Polynomial(tables.K1_LARGE)


def _scaled_large(polynomial: Polynomial) -> ArrayFunction:
    return lambda y: polynomial(16 / y - 1) / np.sqrt(y)


def _plain_large(polynomial: Polynomial) -> ArrayFunction:
    return lambda y: np.exp(y) * polynomial(16 / y - 1) / np.sqrt(y)


@in_double
def i0(x: np.ndarray) -> np.ndarray:
    y = np.abs(x)
    return select(y <= 8, lambda z: _i0_small(z * z), _plain_large(_i0_large), y)


@in_double
def i0e(x: np.ndarray) -> np.ndarray:
    """exp(-|x|) I0(x)"""
    y = np.abs(x)
    return select(y <= 8, lambda z: np.exp(-z) * _i0_small(z * z), _scaled_large(_i0_large), y)


@in_double
def i1(x: np.ndarray) -> np.ndarray:
    y = np.abs(x)
    result = select(y <= 8, lambda z: z * _i1_small(z * z), _plain_large(_i1_large), y)
    return np.copysign(result, x)


@in_double
def i1e(x: np.ndarray) -> np.ndarray:
    """exp(-|x|) I1(x)"""
    y = np.abs(x)
    small = select(y <= 8, lambda z: np.exp(-z) * z * _i1_small(z * z), _scaled_large(_i1_large), y)
    return np.copysign(small, x)


def _k0_near_zero(x: np.ndarray) -> np.ndarray:
    square = x * x
    return _k0_small(square) - np.log(0.5 * x) * _i0_small(square)


def _k1_near_zero(x: np.ndarray) -> np.ndarray:
    square = x * x
    return x * (_k1_small(square) + np.log(0.5 * x) * _i1_small(square)) + 1 / x


def _second_kind(near_zero: ArrayFunction, large: Polynomial, *, scaled: bool) -> ArrayFunction:
    """Infinite at 0, NaN for negative numbers; `scaled` multiplies with exp(x)."""

    def small(x: np.ndarray) -> np.ndarray:
        return near_zero(x) * np.exp(x) if scaled else near_zero(x)

    def decaying(x: np.ndarray) -> np.ndarray:
        result = large(4 / x - 1) / np.sqrt(x)
        return result if scaled else np.exp(-x) * result

    @in_double
    def function(x: np.ndarray) -> np.ndarray:
        result = select(x <= 2, small, decaying, x)
        return np.where(x > 0, result, np.where(x == 0, np.inf, np.nan))

    return function


k0 = _second_kind(_k0_near_zero, _k0_large, scaled=False)
k1 = _second_kind(_k1_near_zero, _k1_large, scaled=False)
scaled_k0 = _second_kind(_k0_near_zero, _k0_large, scaled=True)
scaled_k1 = _second_kind(_k1_near_zero, _k1_large, scaled=True)
