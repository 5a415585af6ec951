"""The Bessel functions of order 0 and 1, the modified ones, plain and scaled by an exponential, and Airy's Ai."""

from __future__ import annotations

import numpy as np

from tsc.runtime.numerics import scipy_modules
from tsc.runtime.numerics.special.evaluation import from_scipy

bessel_j0 = from_scipy("j0")
bessel_j1 = from_scipy("j1")
bessel_y0 = from_scipy("y0")
bessel_y1 = from_scipy("y1")
i0 = from_scipy("i0")
i0e = from_scipy("i0e")
i1 = from_scipy("i1")
i1e = from_scipy("i1e")
k0 = from_scipy("k0")
k1 = from_scipy("k1")
scaled_k0 = from_scipy("k0e")
scaled_k1 = from_scipy("k1e")
_AIRY_VANISHES_FROM = 103.892


def airy_ai(x: np.ndarray) -> np.ndarray:
    """NaN at both infinities, as in PyTorch; 0 from 103.892 on."""
    result = np.asarray(scipy_modules.special.airy(x)[0])
    np.putmask(result, x > _AIRY_VANISHES_FROM, 0)
    np.putmask(result, np.isinf(x), np.nan)
    return result


def spherical_bessel_j0(x: np.ndarray) -> np.ndarray:
    """sin(x) / x; SciPy's function of any order takes several passes for it."""
    result = np.asarray(np.sin(x) / x)
    np.putmask(result, x == 0, 1)
    np.putmask(result, np.isinf(x), 0)
    return result
