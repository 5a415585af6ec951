"""Orthogonal polynomials of any degree, by their three-term recurrences.

Degrees are whole numbers in a floating-point array; a negative, infinite or missing one gives 0. Chebyshev
polynomials of higher degree are evaluated between -1 and 1 through the angle whose cosine is x.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from tsc.runtime.arrays.dtypes import FLOAT

Recurrence = Callable[[int, np.ndarray, np.ndarray, np.ndarray], np.ndarray]
"""The value of a degree, from the degree, x and the values of the two degrees before."""
_LARGEST_DEGREE = float(1 << 62)
_CHECK_EVERY = 32


def _whole(n: np.ndarray) -> np.ndarray:
    """Degrees as integers, rounded towards 0; what is not finite is negative."""
    return np.where(np.isfinite(n), np.clip(n, -1, _LARGEST_DEGREE), -1).astype(np.int64)


def _recur(x: np.ndarray, n: np.ndarray, first: np.ndarray, step: Recurrence) -> np.ndarray:
    """The polynomial of degree 1 is `first`; those of degree 0 are 1."""
    one = x.dtype.type(1)
    result = np.where(n < 0, x.dtype.type(0), np.where(n == 0, one, first))
    earlier, value = np.full_like(x, one), first
    for degree in range(2, int(n.max(initial=0)) + 1):
        earlier, value = value, step(degree, x, value, earlier)
        np.copyto(result, value, where=n == degree)
        if degree % _CHECK_EVERY == 0 and np.isnan(value[n > degree]).all():
            result[n > degree] = np.nan
            break
    return result


def _broadcast(x: np.ndarray, n: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    x, n = np.broadcast_arrays(x, n)
    return x, _whole(n)


@dataclass(frozen=True, slots=True)
class Chebyshev:
    """One of the four kinds. They differ in the first degree, at ±1, and in the form of the angle."""

    first: Callable[[np.ndarray], np.ndarray]
    at_one: Callable[[np.ndarray], np.ndarray]
    at_minus_one: Callable[[np.ndarray], np.ndarray]
    of_angle: Callable[[np.ndarray, np.ndarray], np.ndarray]
    angle_above: int
    shifted_angle_above: int

    def __call__(self, x: np.ndarray, n: np.ndarray) -> np.ndarray:
        return self._value(*_broadcast(x, n), self.angle_above)

    def shifted(self, x: np.ndarray, n: np.ndarray) -> np.ndarray:
        """The polynomial of 2x - 1, for x between 0 and 1."""
        x, degree = _broadcast(x, n)
        return self._value(x + x - 1, degree, self.shifted_angle_above)

    def _value(self, x: np.ndarray, n: np.ndarray, angle_above: int) -> np.ndarray:
        inside = np.abs(x) < 1
        by_angle = inside & (n > angle_above)
        edge = np.abs(x) == 1
        degrees = np.where(by_angle | edge, np.minimum(n, 0), n)
        double = x + x
        result = _recur(x, degrees, self.first(x), lambda _, __, q, p: double * q - p)
        if by_angle.any():
            angle = np.arccos(x[by_angle])
            result[by_angle] = self.of_angle(n[by_angle].astype(x.dtype), angle)
        if edge.any():
            degree = n[edge].astype(x.dtype)
            sign = 1 - 2 * np.mod(degree, 2)
            positive = self.at_one(degree)
            at_edge = np.where(x[edge] > 0, positive, sign * self.at_minus_one(degree))
            result[edge] = np.where(degree < 0, 0, at_edge)
        return result


chebyshev_t = Chebyshev(
    first=lambda x: x,
    at_one=np.ones_like,
    at_minus_one=np.ones_like,
    of_angle=lambda n, angle: np.cos(n * angle),
    angle_above=6,
    shifted_angle_above=6,
)
chebyshev_u = Chebyshev(
    first=lambda x: x + x,
    at_one=lambda n: n + 1,
    at_minus_one=lambda n: n + 1,
    of_angle=lambda n, angle: np.sin((n + 1) * angle) / np.sin(angle),
    angle_above=8,
    shifted_angle_above=6,
)
chebyshev_v = Chebyshev(
    first=lambda x: x + x - 1,
    at_one=np.ones_like,
    at_minus_one=lambda n: n + n + 1,
    of_angle=lambda n, angle: np.cos((n + 0.5) * angle) / np.cos(angle / 2),
    angle_above=8,
    shifted_angle_above=6,
)
chebyshev_w = Chebyshev(
    first=lambda x: x + x + 1,
    at_one=lambda n: n + n + 1,
    at_minus_one=np.ones_like,
    of_angle=lambda n, angle: np.sin((n + 0.5) * angle) / np.sin(angle / 2),
    angle_above=8,
    shifted_angle_above=4,
)


def _hermite(x: np.ndarray, n: np.ndarray, first: np.ndarray, step: Recurrence) -> np.ndarray:
    """NaN above the degree that PyTorch stops at."""
    limit = 128 if x.dtype is FLOAT else 512
    result = _recur(x, np.minimum(n, limit), first, step)
    return np.where(n > limit, x.dtype.type(np.nan), result)


def hermite_h(x: np.ndarray, n: np.ndarray) -> np.ndarray:
    """The physicists' Hermite polynomial."""
    x, n = _broadcast(x, n)
    double = x + x
    return _hermite(x, n, double, lambda k, _, q, p: double * q - (2 * k - 2) * p)


def hermite_he(x: np.ndarray, n: np.ndarray) -> np.ndarray:
    """The probabilists' Hermite polynomial."""
    x, n = _broadcast(x, n)
    return _hermite(x, n, x, lambda k, x, q, p: x * q - (k - 1) * p)


def laguerre_l(x: np.ndarray, n: np.ndarray) -> np.ndarray:
    x, n = _broadcast(x, n)
    rest = 1 - x
    return _recur(x, n, rest, lambda k, _, q, p: ((2 * k - 2 + rest) * q - (k - 1) * p) / k)


def legendre_p(x: np.ndarray, n: np.ndarray) -> np.ndarray:
    x, n = _broadcast(x, n)
    edge = np.abs(x) == 1
    degrees = np.where(edge, np.minimum(n, 0), n)
    result = _recur(x, degrees, x, lambda k, x, q, p: ((2 * k - 1) * x * q - (k - 1) * p) / k)
    sign = np.where((x < 0) & (n % 2 == 1), -1, 1)
    return np.where(edge & (n >= 0), sign, result).astype(x.dtype)
