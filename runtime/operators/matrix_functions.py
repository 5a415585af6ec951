"""Ranks, conditions, factors and functions of matrices."""

from __future__ import annotations

import math

import numpy as np

from runtime.dimensions import wrap_dimensions
from runtime.dtypes import LONG
from runtime.errors import ScriptError
from runtime.operators.matrix_decomposition import _check, linalg_cholesky, linalg_inv
from runtime.operators.registration import operator
from runtime.operators.statistics import norm_dim
from runtime.tensor import Tensor, asarray, wrap
from runtime.type_promotion import Number, floating_dtype, result_dtype

INT = np.dtype(np.int32)


def _rank(a: np.ndarray, absolute: float | None, relative: float | None, hermitian: bool) -> Tensor:
    _check("linalg.matrix_rank", a, square=False)
    singular = np.abs(np.linalg.eigvalsh(a)) if hermitian else np.linalg.svd(a, compute_uv=False)
    if relative is None:
        default = max(a.shape[-2:]) * float(np.finfo(a.dtype).eps)
        relative = default if absolute is None else 0.0
    bound = np.maximum(absolute or 0.0, relative * singular.max(-1, initial=0))
    return Tensor(asarray((singular > np.expand_dims(bound, -1)).sum(-1), LONG))


@operator("aten::linalg_matrix_rank(Tensor self, float tol, bool hermitian=False) -> Tensor")
def matrix_rank(self: Tensor, tol: float, hermitian: bool = False) -> Tensor:
    return _rank(self.array, tol, 0.0, hermitian)


@operator(
    "aten::linalg_matrix_rank.atol_rtol_float(Tensor self, *, float? atol=None, float? rtol=None,"
    " bool hermitian=False) -> Tensor"
)
def matrix_rank_tolerances(
    self: Tensor, atol: float | None = None, rtol: float | None = None, hermitian: bool = False
) -> Tensor:
    return _rank(self.array, atol, rtol, hermitian)


@operator("aten::linalg_cond(Tensor self, Scalar? p=None) -> Tensor")
def linalg_cond(self: Tensor, p: Number | None = None) -> Tensor:
    _check("linalg.cond", self.array, square=p is not None)
    return wrap(np.linalg.cond(self.array, p).astype(self.array.real.dtype))


@operator(
    "aten::linalg_inv_ex(Tensor A, *, bool check_errors=False) -> (Tensor inverse, Tensor info)"
)
def linalg_inv_ex(A: Tensor, check_errors: bool = False) -> tuple[Tensor, Tensor]:
    return linalg_inv(A), Tensor(np.zeros(A.array.shape[:-2], INT))


@operator(
    "aten::linalg_cholesky_ex(Tensor self, *, bool upper=False, bool check_errors=False)"
    " -> (Tensor L, Tensor info)"
)
def linalg_cholesky_ex(
    self: Tensor, upper: bool = False, check_errors: bool = False
) -> tuple[Tensor, Tensor]:
    return linalg_cholesky(self, upper), Tensor(np.zeros(self.array.shape[:-2], INT))


def _gram(factor: np.ndarray, upper: bool) -> np.ndarray:
    """The matrix whose Cholesky factor is `factor`."""
    triangle = np.triu(factor) if upper else np.tril(factor)
    adjoint = triangle.conj().swapaxes(-1, -2)
    return adjoint @ triangle if upper else triangle @ adjoint


@operator("aten::cholesky_solve(Tensor self, Tensor input2, bool upper=False) -> Tensor")
def cholesky_solve(self: Tensor, input2: Tensor, upper: bool = False) -> Tensor:
    return Tensor(np.linalg.solve(_gram(input2.array, upper), self.array))


@operator("aten::cholesky_inverse(Tensor self, bool upper=False) -> Tensor")
def cholesky_inverse(self: Tensor, upper: bool = False) -> Tensor:
    return Tensor(np.linalg.inv(_gram(self.array, upper)))


@operator(
    "aten::matrix_exp(Tensor self) -> Tensor",
    "aten::linalg_matrix_exp(Tensor self) -> Tensor",
)
def matrix_exp(self: Tensor) -> Tensor:
    """By scaling and squaring a Taylor polynomial in float64."""
    a = self.array
    _check("linalg.matrix_exp", a)
    if a.size == 0:
        return Tensor(a.copy())
    wide = a.astype(np.complex128 if a.dtype.kind == "c" else np.float64)
    size = float(np.abs(wide).sum(-1).max())
    squarings = max(0, math.ceil(math.log2(size)) + 3) if size > 0 else 0
    scaled = wide / 2.0**squarings
    result = term = np.broadcast_to(np.eye(a.shape[-1]), a.shape).astype(wide.dtype)
    for order in range(1, 20):
        term = term @ scaled / order
        result = result + term
    for _ in range(squarings):
        result = result @ result
    return Tensor(result.astype(a.dtype))


def _lu(a: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The packed factors of one matrix, and the (one-based) rows swapped at each step."""
    packed = a.copy()
    rows, columns = a.shape
    steps = min(rows, columns)
    pivots = np.zeros(steps, INT)
    for step in range(steps):
        best = step + int(np.argmax(np.abs(packed[step:, step])))
        pivots[step] = best + 1
        packed[[step, best]] = packed[[best, step]]
        if packed[step, step] != 0:
            packed[step + 1 :, step] /= packed[step, step]
            packed[step + 1 :, step + 1 :] -= np.outer(
                packed[step + 1 :, step], packed[step, step + 1 :]
            )
    return packed, pivots


@operator("aten::linalg_lu_factor(Tensor A, *, bool pivot=True) -> (Tensor LU, Tensor pivots)")
def linalg_lu_factor(A: Tensor, pivot: bool = True) -> tuple[Tensor, Tensor]:
    a = A.array
    _check("linalg.lu_factor", a, square=False)
    if not pivot:
        message = "linalg.lu_factor: LU without pivoting is not implemented on the CPU"
        raise ScriptError("RuntimeError", message)
    parts = [_lu(matrix) for matrix in a.reshape(-1, *a.shape[-2:])]
    packed = np.stack([part[0] for part in parts]).reshape(a.shape)
    pivots = np.stack([part[1] for part in parts])
    return Tensor(packed), Tensor(pivots.reshape(*a.shape[:-2], -1))


@operator("aten::linalg_lu(Tensor A, *, bool pivot=True) -> (Tensor P, Tensor L, Tensor U)")
def linalg_lu(A: Tensor, pivot: bool = True) -> tuple[Tensor, Tensor, Tensor]:
    factors, pivots = (each.array for each in linalg_lu_factor(A, pivot))
    rows, columns = factors.shape[-2:]
    steps = min(rows, columns)
    lower = np.tril(factors[..., :, :steps], -1) + np.eye(rows, steps, dtype=factors.dtype)
    upper = np.triu(factors[..., :steps, :])
    permutations = []
    for swaps in pivots.reshape(-1, steps):
        order = np.arange(rows)
        for step, row in enumerate(swaps):
            order[[step, row - 1]] = order[[row - 1, step]]
        permutations.append(np.eye(rows, dtype=factors.dtype)[:, order])
    shape = (*factors.shape[:-2], rows, rows)
    return Tensor(np.stack(permutations).reshape(shape)), Tensor(lower), Tensor(upper)


@operator("aten::nuclear_norm(Tensor self, bool keepdim=False) -> Tensor")
def nuclear_norm(self: Tensor, keepdim: bool = False) -> Tensor:
    return wrap(np.linalg.norm(self.array, "nuc", (-2, -1), keepdim))


@operator("aten::nuclear_norm.dim(Tensor self, int[2] dim, bool keepdim=False) -> Tensor")
def nuclear_norm_dim(self: Tensor, dim: list[int], keepdim: bool = False) -> Tensor:
    axes = wrap_dimensions(dim, self.array.ndim)
    if len(axes) != 2:
        message = "nuclear_norm requires a 'dim' argument of size 2"
        raise ScriptError("RuntimeError", message)
    return wrap(np.linalg.norm(self.array, "nuc", axes, keepdim))


@operator("aten::norm_except_dim(Tensor v, int pow=2, int dim=0) -> Tensor")
def norm_except_dim(v: Tensor, pow: int = 2, dim: int = 0) -> Tensor:
    ndim = v.array.ndim
    axes = [k for k in range(ndim) if k != dim % ndim] if dim != -1 else []
    return norm_dim(v, pow, axes, bool(axes))


@operator("aten::block_diag(Tensor[] tensors) -> Tensor")
def block_diag(tensors: list[Tensor]) -> Tensor:
    blocks = [np.atleast_2d(tensor.array) for tensor in tensors]
    dtype = result_dtype(blocks)
    rows, columns = (sum(block.shape[axis] for block in blocks) for axis in (0, 1))
    result = np.zeros((rows, columns), dtype)
    row = column = 0
    for block in blocks:
        result[row : row + block.shape[0], column : column + block.shape[1]] = block
        row, column = row + block.shape[0], column + block.shape[1]
    return Tensor(result)


@operator("aten::vander(Tensor x, int? N=None, bool increasing=False) -> Tensor")
def vander(x: Tensor, N: int | None = None, increasing: bool = False) -> Tensor:
    if x.array.ndim != 1:
        message = f"x must be a one-dimensional tensor. Found {x.array.ndim}-D"
        raise ScriptError("RuntimeError", message)
    return Tensor(np.vander(x.array, N, increasing).astype(x.array.dtype, copy=False))


@operator(
    "aten::cov(Tensor self, *, int correction=1, Tensor? fweights=None, Tensor? aweights=None) -> Tensor"
)
def cov(
    self: Tensor,
    correction: int = 1,
    fweights: Tensor | None = None,
    aweights: Tensor | None = None,
) -> Tensor:
    weights = [None if each is None else each.array for each in (fweights, aweights)]
    result = np.cov(self.array, ddof=correction, fweights=weights[0], aweights=weights[1])
    return Tensor(asarray(result, floating_dtype(self.array.dtype)))


@operator("aten::corrcoef(Tensor self) -> Tensor")
def corrcoef(self: Tensor) -> Tensor:
    return Tensor(asarray(np.corrcoef(self.array), floating_dtype(self.array.dtype)))
