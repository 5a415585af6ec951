"""The exponential of matrices, by scaling and squaring.

Ours, because SciPy's takes the matrices of a stack one by one, with some thirty microseconds for each: a thousand
small ones take twenty times as long as here, where all are multiplied together.
"""

from __future__ import annotations

import math

import numpy as np

_TERMS, _GROUP = 20, 5
"""The degree of the polynomial, and how many of its terms are summed between two products."""
_LARGEST_SCALED = 0.25
_SINGLE_FROM = 128
"""Rows from which float32 is multiplied in float32, as in PyTorch: there the products are what takes time."""


def matrix_exponential(a: np.ndarray) -> np.ndarray:
    """A Taylor polynomial of a scaled matrix, squared as often as it was halved; small ones in double precision."""
    wide = a.astype(_working_dtype(a))
    size = np.abs(wide).sum(-1).max(-1, initial=0)
    with np.errstate(divide="ignore"):
        exponent = np.ceil(np.log2(size / _LARGEST_SCALED))
    halvings = np.where(np.isfinite(exponent), np.maximum(exponent, 0), 0).astype(np.int64)
    scaled = wide * np.ldexp(np.real(wide).dtype.type(1), -halvings)[..., None, None]
    result = _taylor(scaled)
    for step in range(int(halvings.max(initial=0))):
        squared = result @ result
        result = np.where((step < halvings)[..., None, None], squared, result)
    return result.astype(a.dtype)


def _working_dtype(a: np.ndarray) -> np.dtype:
    if a.shape[-1] >= _SINGLE_FROM and a.dtype.char in "fF":
        return a.dtype
    return np.dtype(np.complex128 if a.dtype.kind == "c" else np.float64)


def _taylor(a: np.ndarray) -> np.ndarray:
    """In powers of the fifth power (M. Paterson and L. Stockmeyer, SIAM J. Comput. 2, 1973)."""
    powers = [np.broadcast_to(np.eye(a.shape[-1]), a.shape).astype(a.dtype), a]
    while len(powers) < _GROUP:
        powers.append(powers[-1] @ a)
    leap = powers[-1] @ a
    result = leap / math.factorial(_TERMS)
    for start in range(_TERMS - _GROUP, -1, -_GROUP):
        for order, power in enumerate(powers, start):
            result += power / math.factorial(order)
        if start:
            result = result @ leap
    return result
