"""Matrices made of parts of others: triangles, diagonals, blocks, Kronecker and cross products."""

from __future__ import annotations

import functools
import warnings

import numpy as np

from tsc.compiler.schema import Layout
from tsc.runtime.arrays.array import Array
from tsc.runtime.arrays.dimensions import check_broadcast, wrap_dimension
from tsc.runtime.arrays.dtypes import BOOL, LONG, scalar_name
from tsc.runtime.arrays.selecting import zeroed
from tsc.runtime.arrays.type_promotion import (
    Number,
    checked_number_array,
    floating_dtype,
    result_dtype,
)
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.operators.elementwise import FLOATING_DTYPES, not_implemented, promote
from tsc.runtime.operators.layout.shape import diagonal, diagonal_view
from tsc.runtime.operators.linear_algebra import linear_algebra
from tsc.runtime.operators.out_variants import CASTABLE, SAME, apart, out_forms
from tsc.runtime.operators.registration import operator
from tsc.runtime.operators.variants import in_place_forms
from tsc.runtime.values.tensor import Tensor, asarray, wrap


@operator("aten::trace(Tensor self) -> Tensor")
def trace(self: Tensor) -> Tensor:
    a = self.array
    if a.ndim != 2:
        message = f"trace: expected a matrix, not a tensor of {a.ndim} dimensions"
        raise ScriptError("RuntimeError", message)
    if a.dtype is BOOL:
        raise not_implemented("trace", BOOL)
    return wrap(np.trace(a, dtype=a.dtype if a.dtype in FLOATING_DTYPES else LONG))


def _cross(a: np.ndarray, b: np.ndarray, dim: int) -> Tensor:
    if a.ndim != b.ndim:
        message = (
            "linalg.cross: inputs must have the same number of dimensions, not "
            f"{a.ndim} and {b.ndim}"
        )
        raise ScriptError("RuntimeError", message)
    if a.dtype is BOOL and b.dtype is BOOL:
        raise not_implemented("cross", BOOL)
    axis = wrap_dimension(dim, a.ndim)
    if a.shape[axis] != 3 or b.shape[axis] != 3:
        raise ScriptError(
            "RuntimeError",
            f"linalg.cross: inputs dimension {dim} must have length 3. "
            f"Got {a.shape[axis]} and {b.shape[axis]}",
        )
    if a.dtype is not b.dtype:
        names = f"{scalar_name(a.dtype)} but found {scalar_name(b.dtype)}"
        raise ScriptError("RuntimeError", f"expected scalar type {names}")
    check_broadcast(a, b)
    first, second = np.broadcast_arrays(a, b)
    return Tensor(np.cross(first, second, axis=axis))


@operator("aten::cross(Tensor self, Tensor other, int? dim=None) -> Tensor")
def cross(self: Tensor, other: Tensor, dim: int | None = None) -> Tensor:
    """Along the first dimension of size 3, if none is given."""
    a, b = self.array, other.array
    if dim is None:
        if 3 not in a.shape:
            raise ScriptError("RuntimeError", "no dimension of size 3 in input")
        dim = a.shape.index(3)
    return _cross(a, b, dim)


@operator("aten::linalg_cross(Tensor self, Tensor other, *, int dim=-1) -> Tensor")
def linalg_cross(self: Tensor, other: Tensor, dim: int = -1) -> Tensor:
    return _cross(self.array, other.array, dim)


@operator("aten::kron(Tensor self, Tensor other) -> Tensor")
def kron(self: Tensor, other: Tensor) -> Tensor:
    return wrap(np.kron(*promote(self.array, other.array)))


def _check_matrix(name: str, a: np.ndarray) -> None:
    if a.ndim < 2:
        message = f"{name}: input tensor must have at least 2 dimensions, not {a.ndim}"
        raise ScriptError("RuntimeError", message)


@functools.lru_cache(maxsize=32)
def _lower_triangle(rows: int, columns: int, diagonal: int) -> np.ndarray:
    return np.tri(rows, columns, diagonal, np.bool_)


@operator("aten::tril(Tensor self, SymInt diagonal=0) -> Tensor", layout=Layout.ROW_MAJOR)
def tril(self: Tensor, diagonal: int = 0) -> Tensor:
    a = self.array
    _check_matrix("tril", a)
    triangle = _lower_triangle(*a.shape[-2:], diagonal)
    return Tensor(zeroed(a, triangle))


@operator("aten::triu(Tensor self, SymInt diagonal=0) -> Tensor", layout=Layout.ROW_MAJOR)
def triu(self: Tensor, diagonal: int = 0) -> Tensor:
    a = self.array
    _check_matrix("triu", a)
    return Tensor(zeroed(a, ~_lower_triangle(*a.shape[-2:], diagonal - 1)))


@operator("aten::fill_diagonal_(Tensor(a!) self, Scalar fill_value, bool wrap=False) -> Tensor(a!)")
def fill_diagonal_(self: Tensor, fill_value: Number, wrap: bool = False) -> Tensor:
    a = self.array
    if a.ndim < 2:
        raise ScriptError("RuntimeError", "dimensions must larger than 1")
    if a.ndim > 2 and len(set(a.shape)) > 1:
        message = f"all dimensions of input must be of equal length: they are {list(a.shape)}"
        raise ScriptError("RuntimeError", message)
    np.fill_diagonal(a, checked_number_array(fill_value, a.dtype), wrap)
    return self


@operator(
    "aten::linalg_diagonal(Tensor(a) A, *, int offset=0, int dim1=-2, int dim2=-1) -> Tensor(a)"
)
def linalg_diagonal(A: Tensor, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Tensor:
    return diagonal(A, offset, dim1, dim2)


in_place_forms("tril triu")


@operator("aten::diag(Tensor self, int diagonal=0) -> Tensor")
def diag(self: Tensor, diagonal: int = 0) -> Tensor:
    if self.array.ndim not in (1, 2):
        message = f"diag(): Supports 1D or 2D tensors. Got {self.array.ndim}D"
        raise ScriptError("RuntimeError", message)
    return Tensor(np.diag(self.array, diagonal).copy())


@operator("aten::diagflat(Tensor self, int offset=0) -> Tensor")
def diagflat(self: Tensor, offset: int = 0) -> Tensor:
    return Tensor(np.diagflat(self.array, offset))


@operator("aten::diag_embed(Tensor self, int offset=0, int dim1=-2, int dim2=-1) -> Tensor")
def diag_embed(self: Tensor, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Tensor:
    a = self.array
    first, second = wrap_dimension(dim1, a.ndim + 1), wrap_dimension(dim2, a.ndim + 1)
    if first == second:
        message = f"diagonal dimensions cannot be identical {dim1}, {dim2}"
        raise ScriptError("RuntimeError", message)
    extent = a.shape[-1] + abs(offset)
    shape = list(a.shape[:-1])
    for dim in sorted((first, second)):
        shape.insert(dim, extent)
    result = np.zeros(shape, a.dtype)
    diagonal_view(result, offset, first, second)[...] = a
    return Tensor(result)


@operator("aten::block_diag(Tensor[] tensors) -> Tensor")
def block_diag(tensors: list[Tensor]) -> Tensor:
    for index, tensor in enumerate(tensors):
        if tensor.array.ndim > 2:
            raise ScriptError(
                "RuntimeError",
                "torch.block_diag: Input tensors must have 2 or fewer dimensions, but tensor "
                f"{index} has {tensor.array.ndim}",
            )
    dtype = result_dtype(tensor.array for tensor in tensors)
    blocks = [np.atleast_2d(tensor.array) for tensor in tensors] or [np.empty((1, 0))]
    rows, columns = (sum(block.shape[axis] for block in blocks) for axis in (0, 1))
    result = np.zeros((rows, columns), dtype)
    row = column = 0
    for block in blocks:
        result[row : row + block.shape[0], column : column + block.shape[1]] = block
        row, column = row + block.shape[0], column + block.shape[1]
    return Tensor(result)


# -- Covariances -------------------------------------------------------------------------------


def _check_weights(name: str, weights: np.ndarray, count: int) -> None:
    if weights.ndim > 1:
        message = f"cov(): expected {name} to have one or fewer dimensions but got {name} with "
        raise ScriptError("RuntimeError", f"{message}{weights.ndim} dimensions")
    if weights.size != count:
        raise ScriptError(
            "RuntimeError",
            f"cov(): expected {name} to have the same numel as there are observations: "
            f"{weights.size} weights for {count}",
        )
    if weights.size and weights.min() < 0:
        raise ScriptError("RuntimeError", f"cov(): {name} cannot be negative")


@operator(
    "aten::cov(Tensor self, *, int correction=1, Tensor? fweights=None, Tensor? aweights=None)"
    " -> Tensor"
)
def cov(
    self: Tensor,
    correction: int = 1,
    fweights: Tensor | None = None,
    aweights: Tensor | None = None,
) -> Tensor:
    """Of variables in rows and observations in columns, which may bear weights."""
    a = self.array
    if a.ndim > 2:
        message = f"cov(): expected input to have two or fewer dimensions, not {a.ndim}"
        raise ScriptError("RuntimeError", message)
    if a.dtype is BOOL:
        raise ScriptError("RuntimeError", "cov(): bool dtype is not supported for input")
    a = np.atleast_2d(a)
    weights = _combined_weights(a, fweights, aweights)
    a = a.astype(floating_dtype(result_dtype([a, weights])), copy=False)
    total = weights.sum()
    factor = total - correction
    if aweights is not None and correction != 0:
        squares = (weights * aweights.array.reshape(-1)).sum()
        factor = total - correction * squares / total
    if factor <= 0:
        warnings.warn(
            "cov(): degrees of freedom is <= 0: the correction takes all that the observations "
            f"give ({correction})",
            stacklevel=2,
        )
        factor = 0
    weights = weights.astype(a.dtype)
    centred = a - ((a * weights).sum(1, keepdims=True) / asarray(total, a.dtype)).astype(a.dtype)
    product = linear_algebra.product(centred, (centred * weights).conj().T)
    return Tensor(asarray(np.squeeze(product / asarray(factor, a.dtype)), a.dtype))


def _combined_weights(
    a: np.ndarray, fweights: Tensor | None, aweights: Tensor | None
) -> np.ndarray:
    """The weight of each observation; ones unless given."""
    parts: list[np.ndarray] = []
    for name, given, kinds in (("fweights", fweights, "iu"), ("aweights", aweights, "fV")):
        if given is None:
            continue
        _check_weights(name, given.array, a.shape[1])
        if given.array.dtype.kind not in kinds:
            wanted = "integral" if name == "fweights" else "floating point"
            message = f"cov(): expected {name} to have {wanted} dtype but got {name} with "
            raise ScriptError("RuntimeError", f"{message}{given.dtype.scalar_name} dtype")
        parts.append(given.array.reshape(-1))
    if not parts:
        return np.ones((a.shape[1],), LONG)
    weights = parts[0]
    for each in parts[1:]:
        weights = each * weights.astype(each.dtype)
    if a.shape[1] and weights.sum() == 0:
        message = "cov(): weights sum to zero, so that there is no weighted mean"
        raise ScriptError("ZeroDivisionError", message)
    return weights


@operator("aten::corrcoef(Tensor self) -> Tensor")
def corrcoef(self: Tensor) -> Tensor:
    """Covariances over the products of the deviations, kept within ±1."""
    if self.array.ndim > 2:
        message = "corrcoef(): expected input to have two or fewer dimensions, not "
        raise ScriptError("RuntimeError", f"{message}{self.array.ndim}")
    covariances = cov(self).array
    if covariances.ndim == 0:
        return Tensor(asarray(covariances / covariances, covariances.dtype))
    variances: Array = np.diagonal(covariances)
    deviations = np.sqrt(variances.real)
    result = covariances / deviations[:, np.newaxis] / deviations
    if result.dtype.kind == "c":
        result.real, result.imag = np.clip(result.real, -1, 1), np.clip(result.imag, -1, 1)
        return Tensor(result)
    one = np.ones((), result.dtype)
    return Tensor(np.minimum(np.maximum(result, -one), one))


out_forms(SAME, "block_diag diag diag_embed trace tril triu")
out_forms(CASTABLE, "kron")
out_forms(apart(SAME), "cross linalg_cross")
