"""Norms of vectors and matrices."""

from __future__ import annotations

import math

import numpy as np

from tsc.compiler.schema import Layout, RowExpression
from tsc.runtime.arrays.array import Array
from tsc.runtime.arrays.dimensions import reduced_dimensions, wrap_dimension
from tsc.runtime.arrays.dtypes import (
    CATEGORY,
    COMPLEX,
    FLOAT,
    FLOATING,
    NUMPY_OF_CODE,
    REAL_OF_COMPLEX,
    scalar_name,
)
from tsc.runtime.arrays.type_promotion import COMPUTE_DTYPE, Number, can_cast
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.operators.linear_algebra.matrix_checks import check_matrix, refuse
from tsc.runtime.operators.linear_algebra.matrix_factors import singular_values
from tsc.runtime.operators.out_variants import SAME, out_forms, same
from tsc.runtime.operators.reduction.reduction import SUM_BLOCK
from tsc.runtime.operators.registration import operator
from tsc.runtime.values.tensor import Tensor, asarray

# -- Vectors -----------------------------------------------------------------------------------


def _norm_dtype(name: str, a: np.ndarray, dtype: int | None) -> np.dtype:
    """The dtype to compute in."""
    if CATEGORY[a.dtype] < FLOATING:
        raise refuse(
            f"{name}: Expected a floating point or complex tensor, not {scalar_name(a.dtype)}; "
            "convert it, as with .float()"
        )
    if dtype is None:
        return a.dtype
    target = NUMPY_OF_CODE[dtype]
    if CATEGORY[target] < FLOATING:
        raise refuse(
            f"{name}: dtype should be floating point or complex, not {scalar_name(target)}"
        )
    if CATEGORY[target] != CATEGORY[a.dtype]:
        kind = "complex" if CATEGORY[a.dtype] == COMPLEX else "real"
        raise refuse(
            f"{name}: dtype should be {kind} for {kind} inputs, but got {scalar_name(target)}"
        )
    if not can_cast(a.dtype, target) or target.itemsize < a.dtype.itemsize:
        raise refuse(
            f"{name}: the dtype of the input, {scalar_name(a.dtype)}, should be convertible without "
            f"narrowing to the one asked for, {scalar_name(target)}"
        )
    return target


def vector_norm_of(
    a: np.ndarray,
    order: Number,
    dimensions: list[int] | None,
    keepdim: bool,
    dtype: int | None = None,
) -> Tensor:
    """The order-th root of the sum of the order-th powers of the magnitudes."""
    target = _norm_dtype("linalg.vector_norm", a, dtype)
    if isinstance(order, complex):
        raise refuse(f"linalg.vector_norm: Expected a non-complex scalar as the order, not {order}")
    axis = reduced_dimensions(dimensions, a.ndim)
    if not a.size:
        _check_identity(a, order, axis)
    wide = a.astype(COMPUTE_DTYPE.get(target, target), copy=False)
    magnitude = np.abs(wide) if order != 2 else wide
    result = _of_magnitudes(magnitude, order, axis, keepdim)
    return Tensor(asarray(result, REAL_OF_COMPLEX.get(target, target)))


def _check_identity(a: np.ndarray, order: float, axis: tuple[int, ...] | None) -> None:
    """A maximum or minimum of nothing does not exist."""
    if 0 <= order < math.inf:
        return
    text = f"{order:g}"
    if axis is None:
        raise refuse(
            f"linalg.vector_norm cannot compute the {text} norm on an empty tensor, where it "
            "is undefined"
        )
    for dimension in axis:
        if a.shape[dimension] == 0:
            raise refuse(
                f"linalg.vector_norm cannot compute the {text} norm on the dimension {dimension}, "
                f"which is empty: the shape is {list(a.shape)}"
            )


def _of_magnitudes(
    magnitude: Array, order: float, axis: tuple[int, ...] | None, keepdim: bool
) -> np.ndarray:
    """For order 2 the numbers themselves will do."""
    if order == 2:
        if axis is None and magnitude.dtype is FLOAT and magnitude.flags.c_contiguous:
            return np.sqrt(_sum_of_squares(magnitude, keepdim))
        square = np.square(magnitude.real)
        if magnitude.dtype.kind == "c":
            square += np.square(magnitude.imag)
        return np.sqrt(np.add.reduce(square, axis, keepdims=keepdim))
    if order == 1:
        return np.add.reduce(magnitude, axis, keepdims=keepdim)
    if order == math.inf:
        return np.maximum.reduce(magnitude, axis, keepdims=keepdim, initial=0)
    if order == -math.inf:
        return np.minimum.reduce(magnitude, axis, keepdims=keepdim)
    if order == 0:
        return np.add.reduce(magnitude != 0, axis, keepdims=keepdim, dtype=magnitude.dtype)
    exponent = magnitude.dtype.type(order)
    total = np.add.reduce(np.power(magnitude, exponent), axis, keepdims=keepdim)
    return np.power(total, magnitude.dtype.type(1 / order))


def _sum_of_squares(a: np.ndarray, keepdim: bool) -> np.ndarray:
    """Of all elements, without an array of the squares."""
    whole = a.size - a.size % SUM_BLOCK
    flat = a.reshape(-1)
    rows, rest = flat[:whole].reshape(-1, SUM_BLOCK), flat[whole:]
    total = np.add.reduce(np.vecdot(rows, rows)) + np.dot(rest, rest)
    return np.reshape(total, (1,) * a.ndim if keepdim else ())


def _of_rows(order: str, axes: str = "") -> RowExpression:
    """The norms of usual orders."""
    size = "torch.abs(self)"
    return RowExpression(
        f"torch.sqrt(torch.sum(self * self)) if {order} == 2 else"
        f" (torch.sum({size}) if {order} == 1 else"
        f" (torch.amax({size}) if {order} == float('inf') else"
        f" (torch.amin({size}) if {order} == float('-inf') else"
        f" torch.sum({size} ** {order}) ** (1 / {order}))))",
        axes,
    )


@operator(
    "aten::linalg_vector_norm(Tensor self, Scalar ord=2, int[1]? dim=None, bool keepdim=False, *,"
    " ScalarType? dtype=None) -> Tensor",
    layout=Layout.ROW_MAJOR,
    rows=_of_rows("ord", "dim"),
)
def vector_norm(
    self: Tensor,
    ord: Number = 2,
    dim: list[int] | None = None,
    keepdim: bool = False,
    dtype: int | None = None,
) -> Tensor:
    return vector_norm_of(self.array, ord, dim, keepdim, dtype)


# -- Matrices ----------------------------------------------------------------------------------


def _matrix_axes(dimensions: list[int], ndim: int) -> tuple[int, int]:
    if len(dimensions) != 2:
        listed = ", ".join(map(str, dimensions))
        raise refuse(f"linalg.matrix_norm: dim must be a 2-tuple, not ({listed})")
    first, second = (wrap_dimension(dimension, ndim) for dimension in dimensions)
    if first == second:
        raise refuse(f"linalg.matrix_norm: dims must be different, not ({first}, {second})")
    return first, second


def _matrix_argument(a: np.ndarray, dtype: int | None) -> np.ndarray:
    check_matrix("linalg.matrix_norm", a)
    target = _norm_dtype("linalg.matrix_norm", a, dtype)
    return a.astype(target, copy=False)


def _along(axes: tuple[int, int], a: np.ndarray, keepdim: bool, result: np.ndarray) -> Tensor:
    """`result`, which has the other dimensions of `a`, with the two put back if they are kept."""
    if keepdim:
        result = np.expand_dims(result, axes)
    return Tensor(asarray(result, REAL_OF_COMPLEX.get(a.dtype, a.dtype)))


@operator(
    'aten::linalg_matrix_norm.str_ord(Tensor self, str ord="fro", int[] dim=[-2, -1],'
    " bool keepdim=False, *, ScalarType? dtype=None) -> Tensor"
)
def matrix_norm_named(
    self: Tensor,
    ord: str = "fro",
    dim: list[int] | tuple[int, int] = (-2, -1),
    keepdim: bool = False,
    dtype: int | None = None,
) -> Tensor:
    """The Frobenius norm or the nuclear norm, the sum of the singular values."""
    a = _matrix_argument(self.array, dtype)
    if ord not in ("fro", "nuc"):
        raise refuse(f"linalg.matrix_norm: Order {ord} not supported.")
    axes = _matrix_axes(list(dim), a.ndim)
    if ord == "fro":
        return vector_norm_of(a, 2, list(axes), keepdim)
    values = singular_values(np.moveaxis(a, axes, (-2, -1)))
    return _along(axes, a, keepdim, values.sum(-1))


@operator(
    "aten::linalg_matrix_norm(Tensor self, Scalar ord, int[] dim=[-2, -1], bool keepdim=False, *,"
    " ScalarType? dtype=None) -> Tensor"
)
def matrix_norm(
    self: Tensor,
    ord: Number,
    dim: list[int] | tuple[int, int] = (-2, -1),
    keepdim: bool = False,
    dtype: int | None = None,
) -> Tensor:
    """Of order ±2, an extreme singular value; of ±1 and ±inf, an extreme sum of a column or row."""
    a = _matrix_argument(self.array, dtype)
    if isinstance(ord, complex):
        raise refuse(f"linalg.matrix_norm: Expected a non-complex scalar as the order, not {ord}")
    if abs(ord) not in (1, 2, math.inf):
        raise refuse(f"linalg.matrix_norm: Order {ord:g} not supported.")
    axes = _matrix_axes(list(dim), a.ndim)
    matrices = np.moveaxis(a, axes, (-2, -1))
    if abs(ord) == 2:
        sizes = singular_values(matrices)
    else:
        sizes = np.abs(matrices).sum(-2 if abs(ord) == 1 else -1)
    if ord > 0:
        return _along(axes, a, keepdim, sizes.max(-1, initial=0))
    if sizes.shape[-1] == 0:
        place = -1 if abs(ord) == 2 else 0
        raise ScriptError(
            "IndexError", f"amin(): Expected reduction dim {place} to have non-zero size."
        )
    return _along(axes, a, keepdim, sizes.min(-1))


def _norm_axes(a: np.ndarray, dim: list[int] | None) -> list[int] | None:
    if dim is not None and len(dim) not in (1, 2):
        raise refuse(f"linalg.norm: dim, where given, must be of length 1 or 2, not {list(dim)}")
    return dim


@operator(
    "aten::linalg_norm(Tensor self, Scalar? ord=None, int[1]? dim=None, bool keepdim=False, *,"
    " ScalarType? dtype=None) -> Tensor",
    layout=Layout.ROW_MAJOR,
)
def linalg_norm(
    self: Tensor,
    ord: Number | None = None,
    dim: list[int] | None = None,
    keepdim: bool = False,
    dtype: int | None = None,
) -> Tensor:
    """Of a vector or matrix, as `dim` or the tensor has one dimension or two; by default of all."""
    a = self.array
    axes = _norm_axes(a, dim)
    if ord is None:
        return vector_norm_of(a, 2, axes, keepdim, dtype)
    if axes is None and a.ndim not in (1, 2):
        raise refuse(
            "linalg.norm: with ord and without dim, the input must be 1D or 2D, not "
            f"{a.ndim}D; pass dim"
        )
    if len(axes or a.shape) == 1:
        return vector_norm_of(a, ord, axes, keepdim, dtype)
    return matrix_norm(self, ord, axes or [-2, -1], keepdim, dtype)


@operator(
    "aten::linalg_norm.ord_str(Tensor self, str ord, int[1]? dim=None, bool keepdim=False, *,"
    " ScalarType? dtype=None) -> Tensor",
    layout=Layout.ROW_MAJOR,
)
def linalg_norm_named(
    self: Tensor,
    ord: str,
    dim: list[int] | None = None,
    keepdim: bool = False,
    dtype: int | None = None,
) -> Tensor:
    a = self.array
    if dim is not None and len(dim) not in (1, 2):
        _norm_axes(a, dim)
    if dim is None and a.ndim not in (1, 2):
        raise refuse(
            "linalg.norm: with ord and without dim, the input must be 1D or 2D, not "
            f"{a.ndim}D; pass dim"
        )
    return matrix_norm_named(self, ord, [-2, -1] if dim is None else dim, keepdim, dtype)


# -- The older names ---------------------------------------------------------------------------


def _norm(
    a: np.ndarray, p: Number | None, dim: list[int] | None, keepdim: bool, dtype: int | None = None
) -> Tensor:
    if CATEGORY[a.dtype] < FLOATING:
        raise refuse(
            "norm(): input dtype should be floating point or complex, not "
            f"{scalar_name(a.dtype)}; convert it, as with .float()"
        )
    return vector_norm_of(a, 2 if p is None else p, dim, keepdim, dtype)


@operator(
    "aten::norm.Scalar(Tensor self, Scalar p=2) -> Tensor",
    layout=Layout.ROW_MAJOR,
    rows=_of_rows("p"),
)
def norm(self: Tensor, p: Number = 2) -> Tensor:
    return _norm(self.array, p, None, False)


@operator(
    "aten::norm.ScalarOpt_dim(Tensor self, Scalar? p, int[1] dim, bool keepdim=False) -> Tensor",
    layout=Layout.ROW_MAJOR,
    rows=_of_rows("p", "dim"),
)
def norm_dim(self: Tensor, p: Number | None, dim: list[int], keepdim: bool = False) -> Tensor:
    return _norm(self.array, p, dim, keepdim)


@operator(
    "aten::norm.ScalarOpt_dim_dtype(Tensor self, Scalar? p, int[1] dim, bool keepdim, *,"
    " ScalarType dtype) -> Tensor",
    layout=Layout.ROW_MAJOR,
)
def norm_dim_dtype(
    self: Tensor, p: Number | None, dim: list[int], keepdim: bool, dtype: int
) -> Tensor:
    return _norm(self.array, p, dim, keepdim, dtype)


@operator(
    "aten::norm.ScalarOpt_dtype(Tensor self, Scalar? p, *, ScalarType dtype) -> Tensor",
    layout=Layout.ROW_MAJOR,
)
def norm_dtype(self: Tensor, p: Number | None, dtype: int) -> Tensor:
    return _norm(self.array, p, None, False, dtype)


@operator("aten::frobenius_norm.dim(Tensor self, int[1] dim, bool keepdim=False) -> Tensor")
def frobenius_norm(self: Tensor, dim: list[int], keepdim: bool = False) -> Tensor:
    if len(dim) > 2:
        raise refuse(f"Expected at most 2 dimensions, but got {len(dim)} dimensions instead.")
    return vector_norm_of(self.array, 2, dim, keepdim)


@operator("aten::nuclear_norm(Tensor self, bool keepdim=False) -> Tensor")
def nuclear_norm(self: Tensor, keepdim: bool = False) -> Tensor:
    return matrix_norm_named(self, "nuc", [-2, -1], keepdim)


@operator("aten::nuclear_norm.dim(Tensor self, int[2] dim, bool keepdim=False) -> Tensor")
def nuclear_norm_dim(self: Tensor, dim: list[int], keepdim: bool = False) -> Tensor:
    return matrix_norm_named(self, "nuc", dim, keepdim)


@operator("aten::norm_except_dim(Tensor v, int pow=2, int dim=0) -> Tensor")
def norm_except_dim(v: Tensor, pow: int = 2, dim: int = 0) -> Tensor:
    """Over all dimensions but one, which is kept with the others as ones; over all for -1."""
    ndim = v.array.ndim
    if dim == -1:
        return norm(v, pow)
    kept = wrap_dimension(dim, ndim)
    return norm_dim(v, pow, [axis for axis in range(ndim) if axis != kept], True)


out_forms(
    SAME,
    """
    frobenius_norm.dim:out linalg_vector_norm norm.ScalarOpt_dtype norm.Scalar
    norm.ScalarOpt_dim_dtype:dtype_out norm.ScalarOpt_dim:out
    """,
)
out_forms(
    same("linalg.norm expected out tensor dtype {result} but got: {out}"),
    "linalg_norm linalg_norm.ord_str",
)
out_forms(
    same("linalg.matrix_norm expected out tensor dtype {result} but got: {out}"),
    "linalg_matrix_norm.str_ord nuclear_norm.dim nuclear_norm linalg_matrix_norm",
)
