"""The derivatives of the logarithm of the gamma function, and its multivariate form.

SciPy has no trigamma function: the zeta function, which it offers for it, takes twenty times as long as PyTorch.
"""

from __future__ import annotations

import math

import numpy as np

from tsc.runtime.arrays.dtypes import DOUBLE
from tsc.runtime.numerics import scipy_modules
from tsc.runtime.numerics.special.evaluation import Polynomial, in_stretches
from tsc.runtime.numerics.special.log_gamma import lgamma
from tsc.runtime.numerics.special.zeta_function import hurwitz_zeta

_STEPS = 6
"""By how much arguments of the trigamma function grow before its asymptotic series is summed."""
_bernoulli = Polynomial((-3617 / 510, 7 / 6, -691 / 2730, 5 / 66, -1 / 30, 1 / 42, -1 / 30, 1 / 6))
"""The Bernoulli numbers of even order, from the 16th to the second."""


def digamma(x: np.ndarray) -> np.ndarray:
    """The derivative of log Γ(x); the pole at 0 has the sign of -x, the others are NaN."""
    positive = x > 0
    if positive.all():
        return scipy_modules.special.psi(x)
    return _reflected_digamma(x.astype(DOUBLE), positive).astype(x.dtype)


def _reflected_digamma(x: np.ndarray, positive: np.ndarray) -> np.ndarray:
    """By reflection where `x` is not positive: there SciPy takes twenty times as long as PyTorch."""
    fraction = x - np.rint(x)
    correction = np.where(positive, 0, np.pi / np.tan(np.pi * fraction))
    result = np.asarray(scipy_modules.special.psi(np.where(positive, x, 1 - x)) - correction)
    pole = ~positive & (fraction == 0)
    np.putmask(result, pole, np.where(x == 0, np.copysign(np.inf, -x), np.nan))
    return result


@in_stretches
def _trigamma(x: np.ndarray) -> np.ndarray:
    """For x from 1/2 on."""
    total = np.zeros_like(x)
    moved = x.copy()
    term = np.empty_like(x)
    for _ in range(_STEPS):
        np.multiply(moved, moved, term)
        np.add(total, np.reciprocal(term, term), total)
        np.add(moved, 1, moved)
    inverse = np.reciprocal(moved, moved)
    square = inverse * inverse
    return total + inverse * (1 + square * _bernoulli(square)) + square / 2


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
