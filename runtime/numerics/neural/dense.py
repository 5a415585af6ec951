"""Products of rows with weights, as dense layers have them, with what is added to each row."""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from tsc.runtime.arrays.dtypes import FLOAT
from tsc.runtime.arrays.matrix_products import matrix_product, product_of_two
from tsc.runtime.context.native_hooks import native_dense
from tsc.runtime.numerics.neural.native_work import is_native_work

_LEAST_WORK: Final = 1 << 20
"""Multiplications below which nobody needs to ask."""
_LEAST_OUTPUTS: Final = 8
_OF_NANOSECOND: Final = 40
"""Multiplications of BLAS, beside which it puts the weights into an order of its own."""


def dense(a: np.ndarray, b: np.ndarray, added: np.ndarray | None = None) -> np.ndarray:
    """The products of (…, inner), a matrix at least, and (inner, columns), plus (columns) if there is something to add.

    All are of one dtype. By native code where `b` is a matrix of weights that is seen transposed, and large enough.
    """
    if a.size * b.shape[1] >= _LEAST_WORK and _is_native(a, b):
        return _by_native_code(a, b, added)
    are_two = a.ndim == 2 and a.dtype is FLOAT
    product = product_of_two(a, b) if are_two else np.asarray(matrix_product(a, b))
    return product if added is None else np.add(product, added, product)


def _is_native(a: np.ndarray, b: np.ndarray) -> bool:
    """Whether there are several rows, the weights of each output lie without gaps, and it takes long."""
    near, far = b.strides
    rows, work = math.prod(a.shape[:-1]), a.size * b.shape[1]
    return (
        near == b.itemsize
        and far >= b.shape[0] * near
        and rows > 1
        and b.shape[1] >= _LEAST_OUTPUTS
        and is_native_work(a.dtype, work // _OF_NANOSECOND + b.size)
    )


def _by_native_code(a: np.ndarray, b: np.ndarray, added: np.ndarray | None) -> np.ndarray:
    result = np.empty((*a.shape[:-1], b.shape[1]), a.dtype)
    rows = _matrices(a)
    for each, made in zip(rows, result.reshape(len(rows), -1, b.shape[1])):
        native_dense().dense(each, b.T, added, made)
    return result


def _matrices(a: np.ndarray) -> np.ndarray:
    """A stack of as few matrices as have all rows in their order, copied only where there is no other way."""
    leading = 1 if a.ndim < 3 or a.flags.c_contiguous else len(a)
    return a.reshape(leading, -1, a.shape[-1])
