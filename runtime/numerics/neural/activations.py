"""Activation functions: each reads `x` and writes the array `out`, of the same shape and dtype.

Numbers are scalars of that dtype. Formulas: Hendrycks and Gimpel (2016) for GELU, Misra (2019) for
Mish, Howard et al. (2019) for the hard gates.
"""

from __future__ import annotations

import math

import numpy as np

from tsc.runtime.arrays.selecting import select


def leaky(x: np.ndarray, out: np.ndarray, slope: np.generic | np.ndarray) -> None:
    """Negative numbers times `slope`, which broadcasts."""
    if slope.ndim == 0 and 0 < slope.item() <= 1:
        np.multiply(x, slope, out)
        np.maximum(x, out, out=out)
    elif np.isfinite(slope).all():
        np.clip(x, -np.inf, 0, out)
        np.multiply(out, slope, out)
        np.add(out, np.clip(x, 0, np.inf), out)
    else:
        out[...] = select(np.greater(x, 0), x, np.multiply(x, slope))


def exponential_linear(
    x: np.ndarray, out: np.ndarray, negative: np.generic, positive: np.generic, inner: np.generic
) -> None:
    """``expm1(x * inner) * negative`` below 0, ``x * positive`` above."""
    np.multiply(x, inner, out)
    np.expm1(out, out)
    np.multiply(out, negative, out)
    out[...] = select(np.less(x, 0), out, np.multiply(x, positive))


def tanh_gelu(x: np.ndarray, out: np.ndarray) -> None:
    kind = x.dtype.type
    np.multiply(x, x, out)
    np.multiply(out, x, out)
    np.multiply(out, kind(0.044715), out)
    np.add(out, x, out)
    np.multiply(out, kind(math.sqrt(2 / math.pi)), out)
    np.tanh(out, out)
    np.add(out, kind(1), out)
    np.multiply(out, x, out)
    np.multiply(out, kind(0.5), out)


def logistic(x: np.ndarray, out: np.ndarray) -> None:
    """1 / (1 + exp(-x))."""
    np.negative(x, out)
    np.exp(out, out)
    np.add(out, x.dtype.type(1), out)
    np.reciprocal(out, out)


def logistic_linear(x: np.ndarray, out: np.ndarray) -> None:
    """x / (1 + exp(-x)), also called SiLU or swish."""
    gated(x, x, out)


def gated(x: np.ndarray, gate: np.ndarray, out: np.ndarray) -> None:
    """``x`` times the logistic function of ``gate``."""
    np.negative(gate, out)
    np.exp(out, out)
    np.add(out, x.dtype.type(1), out)
    np.true_divide(x, out, out)


_CERTAIN = {"f": 20.0, "d": 40.0}
"""From here on tanh(log(1 + exp(x))) rounds to 1 in each dtype."""


def mish(x: np.ndarray, out: np.ndarray) -> None:
    """x tanh(log(1 + e)) for e = exp(x), which is x n / (n + 2) with n = e (e + 2)."""
    kind = x.dtype.type
    np.clip(x, -np.inf, _CERTAIN.get(x.dtype.char, 20.0), out)
    np.exp(out, out)
    np.multiply(out, out + kind(2), out)
    np.true_divide(out, out + kind(2), out)
    np.multiply(out, x, out)


def softplus(x: np.ndarray, out: np.ndarray, beta: np.generic, threshold: np.generic) -> None:
    """log(1 + exp(x * beta)) / beta; x itself where x * beta is above `threshold`."""
    scaled = np.multiply(x, beta)
    np.exp(scaled, out)
    np.log1p(out, out)
    np.true_divide(out, beta, out)
    above = np.greater(scaled, threshold)
    if above.any():
        out[...] = select(above, x, out)


def log_logistic(x: np.ndarray, out: np.ndarray) -> None:
    np.abs(x, out)
    np.negative(out, out)
    np.exp(out, out)
    np.log1p(out, out)
    np.subtract(np.clip(x, -np.inf, 0), out, out)


def hard_logistic(x: np.ndarray, out: np.ndarray) -> None:
    """x / 6 + 1/2 between 0 and 1."""
    kind = x.dtype.type
    np.add(x, kind(3), out)
    np.clip(out, 0, 6, out)
    np.true_divide(out, kind(6), out)


def hard_swish(x: np.ndarray, out: np.ndarray) -> None:
    kind = x.dtype.type
    np.add(x, kind(3), out)
    np.clip(out, 0, 6, out)
    np.multiply(out, x, out)
    np.true_divide(out, kind(6), out)


def soft_shrink(x: np.ndarray, out: np.ndarray, bound: np.generic | np.ndarray) -> None:
    """What is left of x outside of [-bound, bound]."""
    np.clip(x, np.negative(bound), bound, out)
    np.subtract(x, out, out)
