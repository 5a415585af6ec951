"""The Hurwitz zeta function, by Euler and Maclaurin's summation formula."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from tsc.runtime.numerics.special.evaluation import pairwise_in_double

_BERNOULLI = (
    *(Fraction(1, 6), Fraction(-1, 30), Fraction(1, 42), Fraction(-1, 30), Fraction(5, 66)),
    *(Fraction(-691, 2730), Fraction(7, 6), Fraction(-3617, 510), Fraction(43867, 798)),
    *(Fraction(-174611, 330), Fraction(854513, 138), Fraction(-236364091, 2730)),
)
_WEIGHTS = tuple(
    float(number / math.factorial(2 * k)) for k, number in enumerate(_BERNOULLI, start=1)
)
"""B(2k) / (2k)!"""
_LAST = 9
"""How far the terms are added one by one."""


@pairwise_in_double
def hurwitz_zeta(s: np.ndarray, q: np.ndarray) -> np.ndarray:
    """The sum of (q + k)^-s over k from 0 on.

    NaN for s < 1, and for a negative q that is not whole with an s that is not; infinite at s = 1 and at the
    poles, which are the whole q up to 0.
    """
    total, last = _first_terms(s, q)
    result = total + _rest(s, last)
    whole = q == np.floor(q)
    result = np.where((q <= 0) & ~whole & (s != np.floor(s)), np.nan, result)
    result = np.where((q <= 0) & whole, np.inf, result)
    result = np.where(s < 1, np.nan, result)
    return np.where(s == 1, np.inf, result)


def _first_terms(s: np.ndarray, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The terms before the base has passed `_LAST`, but at least that many; and the last base."""
    total = np.power(q, -s)
    base = q.copy()
    for _ in range(_LAST):
        base += 1
        total += np.power(base, -s)
    behind = np.flatnonzero(base <= _LAST)
    while behind.size:
        base[behind] += 1
        term = np.power(base[behind], -s[behind])
        total[behind] += term
        moving = (base[behind] <= _LAST) & (np.abs(term) > 1e-17 * np.abs(total[behind]))
        behind = behind[moving]
    return total, base


def _rest(s: np.ndarray, last: np.ndarray) -> np.ndarray:
    """The sum over the bases after `last`."""
    term = np.power(last, -s)
    result = term * last / (s - 1) - 0.5 * term
    inverse_square = 1 / (last * last)
    rising = s * term / last
    for k, weight in enumerate(_WEIGHTS):
        result += weight * rising
        rising = rising * (s + (2 * k + 1)) * (s + (2 * k + 2)) * inverse_square
    return np.where(np.isfinite(result), result, 0)
