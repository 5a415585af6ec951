"""Softmax and its logarithm along one dimension of an array.

The exponentials are taken of differences from a number near the greatest one, so that they do not
overflow. That of each row is the usual choice. Where all numbers lie so close together that none of
the exponentials vanishes, the greatest of all does as well, and is found faster.
"""

from __future__ import annotations

import numpy as np

from tsc.runtime.numerics.neural.row_products import row_sums

RANGE = 80.0
"""exp(-80) is still a normal float32."""
_MANY = 1 << 12


def _greatest(a: np.ndarray, dim: int) -> np.ndarray:
    """What to subtract before taking exponentials; `a` has elements along `dim`."""
    if dim == a.ndim - 1 and a.size > _MANY and a.flags.c_contiguous:
        top = a.max()
        if top - a.min() <= RANGE:
            return np.broadcast_to(top, (1,) * a.ndim)
    return np.maximum.reduce(a, dim, keepdims=True)


def exponential_sums(a: np.ndarray, dim: int) -> np.ndarray:
    """The sums of positive numbers along `dim`, which is kept."""
    if dim == a.ndim - 1 and a.flags.c_contiguous:
        return row_sums(a.reshape(-1, a.shape[-1])).reshape(*a.shape[:-1], 1)
    return np.add.reduce(a, dim, keepdims=True)


def softmax_array(a: np.ndarray, dim: int) -> np.ndarray:
    if a.ndim == 0:
        return softmax_array(a.reshape(1), 0).reshape(())
    if a.size == 0:
        return a.copy()
    dim %= a.ndim
    result = np.subtract(a, _greatest(a, dim))
    np.exp(result, result)
    return np.true_divide(result, exponential_sums(result, dim), result)


def log_softmax_array(a: np.ndarray, dim: int) -> np.ndarray:
    if a.ndim == 0:
        return log_softmax_array(a.reshape(1), 0).reshape(())
    if a.size == 0:
        return a.copy()
    dim %= a.ndim
    result = np.subtract(a, _greatest(a, dim))
    return np.subtract(result, np.log(exponential_sums(np.exp(result), dim)), result)
