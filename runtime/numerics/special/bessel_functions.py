"""The Bessel functions of order 0 and 1.

Up to 8 they are polynomials in x², multiplied with their zeros, and for the second kind added to a logarithm;
from there on, Hankel's asymptotic form, whose two slowly varying factors are polynomials in 1/x².
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from tsc.runtime.numerics.special.evaluation import ArrayFunction, Polynomial, in_double, select
from tsc.runtime.numerics.special.tables import bessel

_TWO_OVER_PI = 2 / math.pi
_SWITCH = 8.0


@dataclass(frozen=True, slots=True)
class _Order:
    """The approximations for one order."""

    first_kind: Polynomial
    zeros_squared: tuple[float, float]
    second_kind: Polynomial
    cosine_factor: Polynomial
    sine_factor: Polynomial
    phase: float

    def small_first_kind(self, x: np.ndarray) -> np.ndarray:
        """J for |x| up to 8, divided by x for order 1."""
        square = x * x
        first, second = self.zeros_squared
        return self.first_kind(square / 32 - 1) * (square - first) * (square - second)

    def asymptotic(self, x: np.ndarray) -> tuple[np.ndarray, ...]:
        """For x from 8 on: amplitude, the two factors, and cosine and sine of the phase."""
        inverse = _SWITCH / x
        square = inverse * inverse
        angle = x - self.phase
        cosine_factor = self.cosine_factor(square)
        sine_factor = self.sine_factor(square) * inverse
        amplitude = np.sqrt(_TWO_OVER_PI / x)
        return amplitude, cosine_factor, sine_factor, np.cos(angle), np.sin(angle)

    def large_first_kind(self, x: np.ndarray) -> np.ndarray:
        amplitude, p, q, cosine, sine = self.asymptotic(x)
        return amplitude * (p * cosine - q * sine)

    def large_second_kind(self, x: np.ndarray) -> np.ndarray:
        amplitude, p, q, cosine, sine = self.asymptotic(x)
        return amplitude * (p * sine + q * cosine)


_ZERO = _Order(
    Polynomial(bessel.J0),
    bessel.J0_ZEROS_SQUARED,
    Polynomial(bessel.Y0),
    Polynomial(bessel.P0),
    Polynomial(bessel.Q0),
    math.pi / 4,
)
_ONE = _Order(
    Polynomial(bessel.J1),
    bessel.J1_ZEROS_SQUARED,
    Polynomial(bessel.Y1),
    Polynomial(bessel.P1),
    Polynomial(bessel.Q1),
    3 * math.pi / 4,
)


def _small_y0(x: np.ndarray) -> np.ndarray:
    logarithm = _TWO_OVER_PI * np.log(x)
    return _ZERO.second_kind(x * x / 32 - 1) + logarithm * _ZERO.small_first_kind(x)


def _small_y1(x: np.ndarray) -> np.ndarray:
    j1 = _ONE.small_first_kind(x) * x
    return x * _ONE.second_kind(x * x / 32 - 1) + _TWO_OVER_PI * (np.log(x) * j1 - 1 / x)


@in_double
def bessel_j0(x: np.ndarray) -> np.ndarray:
    return select(
        np.abs(x) <= _SWITCH, _ZERO.small_first_kind, lambda y: _ZERO.large_first_kind(np.abs(y)), x
    )


@in_double
def bessel_j1(x: np.ndarray) -> np.ndarray:
    return select(
        np.abs(x) <= _SWITCH,
        lambda y: y * _ONE.small_first_kind(y),
        lambda y: np.copysign(1, y) * _ONE.large_first_kind(np.abs(y)),
        x,
    )


def _second_kind(small: ArrayFunction, large: ArrayFunction) -> ArrayFunction:
    """-inf at 0, NaN for negative numbers."""

    @in_double
    def function(x: np.ndarray) -> np.ndarray:
        magnitude = np.abs(x)  # the logarithm of negative numbers takes its time
        result = select(magnitude <= _SWITCH, small, large, magnitude)
        np.putmask(result, ~(x > 0), np.where(x == 0, -np.inf, np.nan))
        return result

    return function


bessel_y0 = _second_kind(_small_y0, _ZERO.large_second_kind)
bessel_y1 = _second_kind(_small_y1, _ONE.large_second_kind)


@in_double
def spherical_bessel_j0(x: np.ndarray) -> np.ndarray:
    """sin(x) / x"""
    return np.where(x == 0, 1, np.where(np.isinf(x), 0, np.sin(x) / x))
