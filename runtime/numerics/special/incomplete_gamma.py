"""The regularized incomplete gamma functions P(a, x) and Q(a, x) = 1 - P(a, x).

The smaller of the two is computed: P by its power series, Q by Legendre's continued fraction, both near
x = a by Temme's uniform expansion for a from 20 on (NIST Digital Library of Mathematical Functions, 8.7, 8.9, 8.12).
"""

from __future__ import annotations

import math

import numpy as np

from tsc.runtime.numerics.special.error_functions import erfc
from tsc.runtime.numerics.special.evaluation import Polynomial, pairwise_in_double
from tsc.runtime.numerics.special.gamma_functions import lgamma, stirling_remainder
from tsc.runtime.numerics.special.tables.incomplete_gamma import TEMME

_EPSILON = 2.0**-53
_MOST_TERMS = 2000
_CHECK_EVERY = 4
"""Terms after which those that have converged are set aside."""
_TEMME_FROM = 20.0
_TEMME_WIDTH = 0.3
_temme = tuple(Polynomial(row) for row in TEMME)


def _log_minus(m: np.ndarray) -> np.ndarray:
    """m - log(1 + m), with its relative precision kept for small m."""
    t = m / (2 + m)
    square = t * t
    series = np.zeros_like(m)
    for power in range(29, 1, -2):
        series = (series + 1 / power) * square
    near = m * t - 2 * t * series
    return np.where(np.abs(m) < 0.5, near, m - np.log1p(m))


def _prefactor(a: np.ndarray, x: np.ndarray) -> np.ndarray:
    """x^a exp(-x) / Γ(a)"""
    small = np.exp(a * np.log(x) - x - lgamma(a))
    bounded = np.maximum(a, 2.5)
    centred = np.exp(-bounded * _log_minus((x - bounded) / bounded) - stirling_remainder(bounded))
    return np.where(a < 10, small, centred * np.sqrt(bounded / (2 * math.pi)))


def _series(a: np.ndarray, x: np.ndarray) -> np.ndarray:
    """P by its power series."""
    total, order, argument = np.ones_like(a), a.copy(), x
    part, term = np.ones_like(a), np.ones_like(a)
    active = np.arange(a.size)
    for step in range(1, _MOST_TERMS):
        order += 1
        np.multiply(term, argument, term)
        np.true_divide(term, order, term)
        part += term
        if step % _CHECK_EVERY:
            continue
        moving = np.flatnonzero(term > _EPSILON * part)
        total[active] = part
        active = active[moving]
        if not active.size:
            break
        order, argument, part, term = (v[moving] for v in (order, argument, part, term))
    return _prefactor(a, x) / a * total


def _fraction(a: np.ndarray, x: np.ndarray) -> np.ndarray:
    """Q by Legendre's continued fraction, evaluated by Lentz' method."""
    result, order, base = np.empty_like(a), a, x + 1 - a
    c, d = np.full_like(a, 1e300), 1 / base
    part = d.copy()
    active = np.arange(a.size)
    for step in range(1, _MOST_TERMS):
        weight = step * (order - step)
        base = base + 2
        d = 1 / (weight * d + base)
        c = base + weight / c
        change = c * d
        part *= change
        if step % _CHECK_EVERY:
            continue
        moving = np.flatnonzero(np.abs(change - 1) > _EPSILON)
        result[active] = part
        active = active[moving]
        if not active.size:
            break
        order, base, c, d, part = (v[moving] for v in (order, base, c, d, part))
    return _prefactor(a, x) * result


def _complement_of_small(a: np.ndarray, x: np.ndarray) -> np.ndarray:
    """Q for x up to 1.1: one minus the leading power, less the rest of the series of P."""
    total, term = np.zeros_like(a), np.ones_like(a)
    for step in range(1, 40):
        term = term * -x / step
        total += term / (a + step)
    log_power = a * np.log(x)
    return -np.expm1(log_power - lgamma(a + 1)) - np.exp(log_power - lgamma(a)) * total


def _uniform(a: np.ndarray, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """P and Q by Temme's expansion."""
    m = (x - a) / a
    half_square = _log_minus(m)
    eta = np.copysign(np.sqrt(2 * half_square), m)
    total = np.zeros_like(a)
    for row in reversed(_temme):
        total = total / a + row(eta)
    rest = np.exp(-a * half_square) / np.sqrt(2 * math.pi * a) * total
    argument = eta * np.sqrt(a / 2)
    return 0.5 * erfc(-argument) - rest, 0.5 * erfc(argument) + rest


def _both(a: np.ndarray, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """P and Q, for positive finite arguments."""
    lower, upper = np.empty_like(a), np.empty_like(a)
    uniform = (a > _TEMME_FROM) & (np.abs(x - a) < _TEMME_WIDTH * a)
    by_series = ~uniform & ((x <= 1.1) | (x <= a))
    small = by_series & (x > a)
    by_series &= ~small
    by_fraction = ~(uniform | by_series | small)
    lower[uniform], upper[uniform] = _uniform(a[uniform], x[uniform])
    lower[by_series] = _series(a[by_series], x[by_series])
    upper[by_series] = 1 - lower[by_series]
    upper[small] = _complement_of_small(a[small], x[small])
    upper[by_fraction] = _fraction(a[by_fraction], x[by_fraction])
    rest = small | by_fraction
    lower[rest] = 1 - upper[rest]
    return lower, upper


def _with_edges(a: np.ndarray, x: np.ndarray, *, upper: bool) -> np.ndarray:
    """P, or Q: NaN for negative arguments and where both are 0 or both infinite."""
    result = np.full_like(a, np.nan)
    regular = (a > 0) & (x > 0) & np.isfinite(a) & np.isfinite(x)
    result[regular] = _both(a[regular], x[regular])[upper]
    none, all_ = (1.0, 0.0) if upper else (0.0, 1.0)
    result[((a > 0) & (x == 0)) | (np.isinf(a) & (a > 0) & (x >= 0) & np.isfinite(x))] = none
    result[((a == 0) & (x > 0)) | (np.isinf(x) & (x > 0) & (a >= 0) & np.isfinite(a))] = all_
    return result


@pairwise_in_double
def igamma(a: np.ndarray, x: np.ndarray) -> np.ndarray:
    """P(a, x)"""
    return _with_edges(a, x, upper=False)


@pairwise_in_double
def igammac(a: np.ndarray, x: np.ndarray) -> np.ndarray:
    """Q(a, x)"""
    return _with_edges(a, x, upper=True)
