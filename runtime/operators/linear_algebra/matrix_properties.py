"""Determinants, ranks, condition numbers and pseudo-inverses of matrices."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

import numpy as np

from tsc.runtime.arrays.dimensions import broadcast_shape
from tsc.runtime.arrays.dtypes import (
    CATEGORY,
    COMPLEX,
    FLOATING,
    LONG,
    REAL_OF_COMPLEX,
    scalar_name,
)
from tsc.runtime.arrays.type_promotion import Number, real_number
from tsc.runtime.numerics.linear_algebra import lu
from tsc.runtime.operators.linear_algebra.matrix_checks import (
    check_floating,
    check_matrix,
    check_square,
    refuse,
)
from tsc.runtime.operators.linear_algebra.matrix_factors import (
    hermitian_eigenvalues,
    linalg_eigh,
    singular_values,
    singular_vectors,
)
from tsc.runtime.operators.linear_algebra.matrix_solvers import inverse_of
from tsc.runtime.operators.linear_algebra.norms import matrix_norm, matrix_norm_named
from tsc.runtime.operators.out_variants import SAME, out_forms, safely_castable
from tsc.runtime.operators.registration import operator
from tsc.runtime.values.tensor import Tensor, asarray, wrap

# -- Determinants ------------------------------------------------------------------------------


def _check_determinant(name: str, a: np.ndarray) -> None:
    check_square(name, a)
    check_floating(name, a)


@operator("aten::linalg_det(Tensor A) -> Tensor")
def linalg_det(A: Tensor) -> Tensor:
    _check_determinant("linalg.det", A.array)
    return Tensor(asarray(np.linalg.det(A.array), A.array.dtype))


@operator("aten::det(Tensor self) -> Tensor", first_name="aten::linalg_det")
def det(self: Tensor) -> Tensor:
    return linalg_det(self)


@operator("aten::_linalg_det(Tensor A) -> (Tensor result, Tensor LU, Tensor pivots)")
def det_with_factors(A: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    packed, pivots, _ = lu.factor(A.array)
    return linalg_det(A), Tensor(packed), Tensor(pivots)


@operator("aten::logdet(Tensor self) -> Tensor")
def logdet(self: Tensor) -> Tensor:
    """NaN where a real determinant is negative."""
    _check_determinant("logdet", self.array)
    sign, logarithm = np.linalg.slogdet(self.array)
    if CATEGORY[self.array.dtype] == COMPLEX:
        return Tensor(asarray(logarithm + np.log(sign), self.array.dtype))
    return Tensor(asarray(np.where(sign == -1, np.nan, logarithm), self.array.dtype))


@operator("aten::linalg_slogdet(Tensor A) -> (Tensor sign, Tensor logabsdet)")
def linalg_slogdet(A: Tensor) -> tuple[Tensor, Tensor]:
    _check_determinant("linalg.slogdet", A.array)
    sign, logarithm = np.linalg.slogdet(A.array)
    return wrap(sign), wrap(logarithm)


@operator("aten::slogdet(Tensor self) -> (Tensor sign, Tensor logabsdet)")
def slogdet(self: Tensor) -> tuple[Tensor, Tensor]:
    return linalg_slogdet(self)


@operator(
    "aten::_linalg_slogdet(Tensor A) -> (Tensor sign, Tensor logabsdet, Tensor LU, Tensor pivots)",
)
def slogdet_with_factors(A: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    packed, pivots, _ = lu.factor(A.array)
    return *linalg_slogdet(A), Tensor(packed), Tensor(pivots)


# -- Tolerances --------------------------------------------------------------------------------

Tolerance = Tensor | float | None


def _tolerances(
    name: str, a: np.ndarray, absolute: Tolerance, relative: Tolerance
) -> tuple[np.ndarray, np.ndarray]:
    """Both as arrays; the relative one that is not given is 0 where there is an absolute one."""
    real = REAL_OF_COMPLEX.get(a.dtype, a.dtype)
    for kind, tolerance in (("atol", absolute), ("rtol", relative)):
        if isinstance(tolerance, Tensor) and CATEGORY[tolerance.array.dtype] == COMPLEX:
            raise refuse(
                f"{name}: {kind} tensor of complex type is not supported "
                f"({scalar_name(tolerance.array.dtype)}): a tolerance is real"
            )
    at_least = _tolerance_array(0.0 if absolute is None else absolute, real)
    if relative is not None:
        return at_least, _tolerance_array(relative, real)
    default = np.array(max(a.shape[-2:]) * np.finfo(real).eps, real)
    return at_least, np.where(at_least > 0, np.zeros((), real), default)


def _tolerance_array(tolerance: Tensor | float, dtype: np.dtype) -> np.ndarray:
    return asarray(tolerance.array if isinstance(tolerance, Tensor) else tolerance, dtype)


def _limit(sizes: np.ndarray, absolute: np.ndarray, relative: np.ndarray) -> np.ndarray:
    """What singular values must exceed to count; with a last dimension of 1."""
    largest = sizes.max(-1, initial=0)
    broadcast_shape(largest.shape, absolute.shape, relative.shape)
    return np.maximum(absolute, relative * largest)[..., np.newaxis]


# -- Ranks -------------------------------------------------------------------------------------


def _rank(self: Tensor, absolute: Tolerance, relative: Tolerance, hermitian: bool) -> Tensor:
    a = self.array
    name = "torch.linalg.matrix_rank"
    check_matrix(name, a, "input")
    if CATEGORY[a.dtype] < FLOATING:
        raise refuse(
            "This function doesn't handle types without fractions: the rank of a matrix of "
            f"{scalar_name(a.dtype)}; convert it, as with .float()"
        )
    tolerances = _tolerances(name, a, absolute, relative)
    if not a.size:
        return Tensor(np.zeros(a.shape[:-2], LONG))
    sizes = np.abs(hermitian_eigenvalues(a)) if hermitian else singular_values(a)
    return Tensor(asarray((sizes > _limit(sizes, *tolerances)).sum(-1), LONG))


@operator(
    "aten::linalg_matrix_rank.atol_rtol_float(Tensor self, *, float? atol=None, float? rtol=None,"
    " bool hermitian=False) -> Tensor"
)
def matrix_rank_tolerances(
    self: Tensor, atol: float | None = None, rtol: float | None = None, hermitian: bool = False
) -> Tensor:
    return _rank(self, atol, rtol, hermitian)


@operator(
    "aten::linalg_matrix_rank.atol_rtol_tensor(Tensor input, *, Tensor? atol=None, Tensor? rtol=None,"
    " bool hermitian=False) -> Tensor"
)
def matrix_rank_tolerance_tensors(
    input: Tensor, atol: Tensor | None = None, rtol: Tensor | None = None, hermitian: bool = False
) -> Tensor:
    return _rank(input, atol, rtol, hermitian)


@operator("aten::linalg_matrix_rank(Tensor self, float tol, bool hermitian=False) -> Tensor")
def matrix_rank(self: Tensor, tol: float, hermitian: bool = False) -> Tensor:
    return _rank(self, tol, 0.0, hermitian)


@operator(
    "aten::linalg_matrix_rank.tol_tensor(Tensor input, Tensor tol, bool hermitian=False) -> Tensor",
)
def matrix_rank_tensor(input: Tensor, tol: Tensor, hermitian: bool = False) -> Tensor:
    return _rank(input, tol, 0.0, hermitian)


# -- Pseudo-inverses ---------------------------------------------------------------------------


def _pseudo_inverse(
    self: Tensor, absolute: Tolerance, relative: Tolerance, hermitian: bool
) -> Tensor:
    a = self.array
    if a.ndim < 2 or CATEGORY[a.dtype] < FLOATING:
        raise refuse(
            "linalg.pinv: expected a tensor with 2 or more dimensions, floating point or complex, "
            f"not {scalar_name(a.dtype)} of the shape {list(a.shape)}"
        )
    tolerances = _tolerances("torch.linalg.pinv", a, absolute, relative)
    if not a.size:
        return Tensor(np.zeros((*a.shape[:-2], a.shape[-1], a.shape[-2]), a.dtype))
    if hermitian:
        values, vectors = (part.array for part in linalg_eigh(self))
        left, right = vectors, vectors
    else:
        right, values, adjoint = singular_vectors(a, full_matrices=False)
        left = adjoint.conj().swapaxes(-1, -2)
    sizes = np.abs(values)
    kept = sizes > _limit(sizes, *tolerances)
    inverse = np.where(kept, 1 / np.where(kept, values, 1), 0).astype(values.dtype)
    scaled = left * inverse[..., np.newaxis, :]
    return Tensor(asarray(scaled @ right.conj().swapaxes(-1, -2), a.dtype))


@operator(
    "aten::linalg_pinv.atol_rtol_float(Tensor self, *, float? atol=None, float? rtol=None,"
    " bool hermitian=False) -> Tensor"
)
def pinv_tolerances(
    self: Tensor, atol: float | None = None, rtol: float | None = None, hermitian: bool = False
) -> Tensor:
    return _pseudo_inverse(self, atol, rtol, hermitian)


@operator(
    "aten::linalg_pinv.atol_rtol_tensor(Tensor self, *, Tensor? atol=None, Tensor? rtol=None,"
    " bool hermitian=False) -> Tensor"
)
def pinv_tolerance_tensors(
    self: Tensor, atol: Tensor | None = None, rtol: Tensor | None = None, hermitian: bool = False
) -> Tensor:
    return _pseudo_inverse(self, atol, rtol, hermitian)


@operator("aten::linalg_pinv(Tensor self, float rcond, bool hermitian=False) -> Tensor")
def linalg_pinv(self: Tensor, rcond: float, hermitian: bool = False) -> Tensor:
    return _pseudo_inverse(self, 0.0, rcond, hermitian)


@operator(
    "aten::linalg_pinv.rcond_tensor(Tensor self, Tensor rcond, bool hermitian=False) -> Tensor",
)
def linalg_pinv_tensor(self: Tensor, rcond: Tensor, hermitian: bool = False) -> Tensor:
    return _pseudo_inverse(self, 0.0, rcond, hermitian)


@operator("aten::pinverse(Tensor self, float rcond=1.0000000000000001e-15) -> Tensor")
def pinverse(self: Tensor, rcond: float = 1e-15) -> Tensor:
    return linalg_pinv(self, rcond)


# -- Condition numbers -------------------------------------------------------------------------


@operator("aten::linalg_cond(Tensor self, Scalar? p=None) -> Tensor")
def linalg_cond(self: Tensor, p: Number | None = None) -> Tensor:
    """The ratio of the extreme singular values, or the norm of a matrix times that of its inverse."""
    a = self.array
    check_matrix("linalg.cond", _named(a))
    order = 2 if p is None else real_number(p)
    if abs(order) == 2:
        return _ratio_of_singular_values(a, order)
    if abs(order) not in (1, math.inf):
        raise refuse(f"linalg.cond got an invalid norm type: {order:g}")
    _check_condition(f"linalg.cond(ord={order:g})", a)
    if not a.size:
        return _no_condition(a)
    return _product_of_norms(a, partial(matrix_norm, ord=order))


@operator("aten::linalg_cond.p_str(Tensor self, str p) -> Tensor")
def linalg_cond_named(self: Tensor, p: str) -> Tensor:
    """By the Frobenius or the nuclear norm."""
    a = self.array
    check_matrix("linalg.cond", _named(a))
    _check_condition(f"linalg.cond(ord={p})", a)
    if p not in ("fro", "nuc"):
        raise refuse(f"linalg.cond got an invalid norm type: {p}")
    if not a.size:
        return _no_condition(a)
    return _product_of_norms(a, partial(matrix_norm_named, ord=p))


def _named(a: np.ndarray) -> np.ndarray:
    if a.ndim < 2:
        raise refuse(f"linalg.cond: The input tensor must have at least 2 dimensions, not {a.ndim}")
    return a


def _check_condition(name: str, a: np.ndarray) -> None:
    check_square(name, a)
    check_floating(name, a)


def _no_condition(a: np.ndarray) -> Tensor:
    return Tensor(np.zeros(a.shape[:-2], REAL_OF_COMPLEX.get(a.dtype, a.dtype)))


def _ratio_of_singular_values(a: np.ndarray, order: float) -> Tensor:
    sizes = singular_values(a)
    if not a.size:
        return _no_condition(a)
    largest, smallest = sizes[..., 0], sizes[..., -1]
    return wrap(largest / smallest if order > 0 else smallest / largest)


def _product_of_norms(a: np.ndarray, norm: Callable[[Tensor], Tensor]) -> Tensor:
    """Infinite for singular matrices."""
    inverse, status = inverse_of(a)
    product = norm(Tensor(a)).array * norm(Tensor(np.where(np.isnan(inverse), 0, inverse))).array
    return Tensor(asarray(np.where(status != 0, np.inf, product), product.dtype))


out_forms(SAME, "linalg_det linalg_slogdet slogdet _linalg_det:result _linalg_slogdet:sign")
out_forms(safely_castable("linalg.cond"), "linalg_cond linalg_cond.p_str")
out_forms(
    safely_castable("torch.linalg.matrix_rank"),
    "linalg_matrix_rank.atol_rtol_float linalg_matrix_rank",
)
out_forms(
    safely_castable("linalg.pinv"),
    """
    linalg_pinv.atol_rtol_float linalg_pinv linalg_pinv.atol_rtol_tensor
    linalg_pinv.rcond_tensor:out_rcond_tensor
    """,
)
out_forms(
    safely_castable("torch.linalg.matrix_rank"),
    "linalg_matrix_rank.atol_rtol_tensor linalg_matrix_rank.tol_tensor:out_tol_tensor",
)
