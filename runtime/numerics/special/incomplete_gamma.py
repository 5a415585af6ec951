"""The regularized incomplete gamma functions P(a, x) and Q(a, x) = 1 - P(a, x): SciPy's."""

from __future__ import annotations

import numpy as np

from tsc.runtime.arrays.dtypes import FLOAT, HALF
from tsc.runtime.numerics.special.evaluation import ArrayFunction, from_scipy


def _also_of_halves(function: ArrayFunction) -> ArrayFunction:
    """`function`, computed in float32 for arguments of half precision."""

    def on_any(a: np.ndarray, x: np.ndarray) -> np.ndarray:
        if a.dtype.itemsize > HALF.itemsize:
            return function(a, x)
        return function(a.astype(FLOAT), x.astype(FLOAT)).astype(a.dtype)

    return on_any


igamma = _also_of_halves(from_scipy("gammainc"))
igammac = _also_of_halves(from_scipy("gammaincc"))
