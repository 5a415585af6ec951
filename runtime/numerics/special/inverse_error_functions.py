"""The inverses of the error function and of the normal distribution.

As M. Giles does (GPU Computing Gems 2, 2010): erfinv(x) / x is smooth in -log(1 - x²), and towards ±1 in the
square root of it; no iteration is needed.
"""

from __future__ import annotations

import math

import numpy as np

from tsc.runtime.numerics.special.evaluation import (
    FLOAT,
    Polynomial,
    in_double,
    in_stretches,
    replace_where,
)
from tsc.runtime.numerics.special.tables import inverse_error

_central = Polynomial(inverse_error.ERFINV_CENTRAL)
_middle = Polynomial(inverse_error.ERFINV_MIDDLE)
_tail = Polynomial(inverse_error.ERFINV_TAIL)
_central_single = Polynomial(inverse_error.ERFINV_CENTRAL_SINGLE)
_tail_single = Polynomial(inverse_error.ERFINV_TAIL_SINGLE)
_ndtri_near = Polynomial(inverse_error.NDTRI_NEAR)
_ndtri_middle = Polynomial(inverse_error.NDTRI_MIDDLE)
_ndtri_far = Polynomial(inverse_error.NDTRI_FAR)
_TAIL_PROBABILITY = math.exp(-2)


def _depth(x: np.ndarray) -> np.ndarray:
    """-log(1 - x²)"""
    return -np.log((1 - x) * (1 + x))


def _ratio_double(w: np.ndarray) -> np.ndarray:
    """erfinv(x) / x, from `_depth` of x."""
    ratio = _central(w / 3.125 - 1)
    replace_where(ratio, (w > 6.25) & (w <= 16), lambda v: _middle((np.sqrt(v) - 3.25) / 0.75), w)
    replace_where(ratio, w > 16, lambda v: _tail((np.sqrt(v) - 5.125) / 1.125), w)
    return ratio


def _ratio_single(w: np.ndarray) -> np.ndarray:
    ratio = _central_single(w * np.float32(0.4) - 1)
    replace_where(
        ratio, w > 5, lambda v: _tail_single((np.sqrt(v) - 3.225) * np.float32(1 / 1.025)), w
    )
    return ratio


@in_stretches
def erfinv(x: np.ndarray) -> np.ndarray:
    """Infinite at ±1, NaN beyond."""
    depth = _depth(x)
    result = x * (_ratio_single if x.dtype is FLOAT else _ratio_double)(depth)
    replace_where(result, np.isinf(depth), lambda edge: np.copysign(np.inf, edge), x)
    return result


def _negative_ndtri(p: np.ndarray) -> np.ndarray:
    """-ndtri for p below exp(-2)."""
    r = np.sqrt(-2 * np.log(p))
    result = _ndtri_near((r - 3.5) / 1.5)
    replace_where(result, (r > 5) & (r <= 12), lambda s: _ndtri_middle((s - 8.5) / 3.5), r)
    replace_where(result, r > 12, lambda s: _ndtri_far((s - 25.5) / 13.5), r)
    replace_where(result, np.isinf(r), np.copy, r)
    return result


@in_double
def ndtri(p: np.ndarray) -> np.ndarray:
    """The number that a normal one is below with probability `p`."""
    centred = 2 * p - 1
    result = math.sqrt(2) * centred * _central(_depth(centred) / 3.125 - 1)
    replace_where(result, p < _TAIL_PROBABILITY, lambda q: -_negative_ndtri(q), p)
    replace_where(result, p > 1 - _TAIL_PROBABILITY, lambda q: _negative_ndtri(1 - q), p)
    return result
