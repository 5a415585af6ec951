"""The logistic function and its inverse."""

from __future__ import annotations

import numpy as np

_ONE = {np.dtype(kind): np.array(1, kind) for kind in "fdFD"}


def sigmoid(a: np.ndarray) -> np.ndarray:
    """1 / (1 + exp(-a)), of real and complex numbers."""
    result = np.negative(a)
    if type(result) is not np.ndarray:
        return 1 / (1 + np.exp(result))
    np.exp(result, result)
    np.add(result, _ONE[a.dtype], result)
    return np.reciprocal(result, result)
