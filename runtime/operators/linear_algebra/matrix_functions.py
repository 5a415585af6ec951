"""Powers and exponentials of matrices, and matrices of powers."""

from __future__ import annotations

import numpy as np

from tsc.runtime.arrays.dtypes import BOOL, LONG, scalar_name
from tsc.runtime.arrays.type_promotion import LOW_PRECISION
from tsc.runtime.numerics.linear_algebra.exponential import matrix_exponential
from tsc.runtime.operators.linear_algebra.linear_algebra import product
from tsc.runtime.operators.linear_algebra.matrix_checks import check_floating, check_square, refuse
from tsc.runtime.operators.linear_algebra.matrix_solvers import linalg_inv
from tsc.runtime.operators.out_variants import SAME, out_forms
from tsc.runtime.operators.registration import operator
from tsc.runtime.operators.variants import second_name
from tsc.runtime.values.tensor import Tensor


@operator("aten::linalg_matrix_power(Tensor self, int n) -> Tensor")
def matrix_power(self: Tensor, n: int) -> Tensor:
    """By repeated squaring; of the inverse for negative `n`."""
    check_square("linalg.matrix_power", self.array)
    a = linalg_inv(self).array if n < 0 else self.array
    n = abs(n)
    if n == 0:
        return Tensor(np.broadcast_to(np.eye(a.shape[-1], dtype=a.dtype), a.shape).copy())
    square = a
    while not n & 1:
        n >>= 1
        square = product(square, square)
    result = square
    while n := n >> 1:
        square = product(square, square)
        if n & 1:
            result = product(result, square)
    return Tensor(result.copy() if result is a else result)


@operator("aten::linalg_matrix_exp(Tensor self) -> Tensor")
def linalg_matrix_exp(self: Tensor) -> Tensor:
    a = self.array
    check_square("linalg.matrix_exp", a)
    if a.dtype not in LOW_PRECISION:
        check_floating("linalg.matrix_exp", a)
    return Tensor(matrix_exponential(a) if a.size else a.copy())


second_name("matrix_exp", "linalg_matrix_exp")


@operator("aten::vander(Tensor x, int? N=None, bool increasing=False) -> Tensor")
def vander(x: Tensor, N: int | None = None, increasing: bool = False) -> Tensor:
    a = x.array
    if a.ndim != 1:
        raise refuse("x must be a one-dimensional tensor.")
    if N is not None and N < 0:
        raise refuse("N must be non-negative.")
    powers = _powers(a, a.size if N is None else N)
    return Tensor(powers if increasing else powers[..., ::-1].copy())


def _powers(a: np.ndarray, count: int) -> np.ndarray:
    """The powers of each number from the zeroth on, along a new last dimension."""
    dtype = LONG if a.dtype.kind in "bui" else a.dtype
    result = np.empty((*a.shape, count), dtype)
    result[..., :1] = 1
    result[..., 1:] = a[..., np.newaxis]
    return np.multiply.accumulate(result, -1, out=result)


@operator("aten::linalg_vander(Tensor x, *, SymInt? N=None) -> Tensor")
def linalg_vander(x: Tensor, N: int | None = None) -> Tensor:
    a = x.array
    if a.dtype is BOOL:
        raise refuse(
            "linalg.vander supports floating point, complex and integer tensors, not "
            f"{scalar_name(a.dtype)}"
        )
    a = a if a.ndim else a[np.newaxis]
    count = a.shape[-1] if N is None else N
    if count <= 1:
        raise refuse("N must be greater than 1.")
    return Tensor(_powers(a, count))


out_forms(SAME, "linalg_matrix_exp linalg_matrix_power")
second_name("matrix_power", "linalg_matrix_power", "- out")
