"""The exponential of matrices, by scaling and squaring."""

from __future__ import annotations

import math

import numpy as np

_TERMS, _GROUP = 20, 5
"""The degree of the polynomial, and how many of its terms are summed between two products."""
_LARGEST_SCALED = 0.25


def matrix_exponential(a: np.ndarray) -> np.ndarray:
    """A Taylor polynomial of a scaled matrix in double precision, squared as often as it was halved."""
    wide = a.astype(np.complex128 if a.dtype.kind == "c" else np.float64)
    size = np.abs(wide).sum(-1).max(-1, initial=0)
    with np.errstate(divide="ignore"):
        exponent = np.ceil(np.log2(size / _LARGEST_SCALED))
    halvings = np.where(np.isfinite(exponent), np.maximum(exponent, 0), 0).astype(np.int64)
    scaled = wide * np.ldexp(1.0, -halvings)[..., None, None]
    result = _taylor(scaled)
    for step in range(int(halvings.max(initial=0))):
        squared = result @ result
        result = np.where((step < halvings)[..., None, None], squared, result)
    return result.astype(a.dtype)


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
