"""The Bessel functions of order 0 and 1: SciPy's, but for the spherical one."""

from __future__ import annotations

import numpy as np

from tsc.runtime.numerics.special.evaluation import from_scipy

bessel_j0 = from_scipy("j0")
bessel_j1 = from_scipy("j1")
bessel_y0 = from_scipy("y0")
bessel_y1 = from_scipy("y1")


def spherical_bessel_j0(x: np.ndarray) -> np.ndarray:
    """sin(x) / x; SciPy's function of any order takes several passes for it."""
    result = np.asarray(np.sin(x) / x)
    np.putmask(result, x == 0, 1)
    np.putmask(result, np.isinf(x), 0)
    return result
