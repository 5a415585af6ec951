"""Reductions: sums, means, extremes, tests over all elements or along dimensions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tsc.compiler.schema import Layout, RowExpression
from tsc.runtime.arrays.dimensions import reduced_dimensions
from tsc.runtime.arrays.dtypes import (
    BFLOAT16,
    BOOL,
    BYTE,
    CATEGORY,
    DOUBLE,
    FLOAT,
    FLOATING,
    HALF,
    LONG,
    NUMPY_OF_CODE,
    scalar_name,
)
from tsc.runtime.arrays.type_promotion import converted
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.operators.elementwise import COMPLEX_DTYPES, FLOATING_DTYPES
from tsc.runtime.operators.out_variants import (
    IN_DTYPE_OF_OUT,
    IN_FLOATING_DTYPE_OF_OUT,
    SAME,
    castable,
    out_forms,
    truth,
)
from tsc.runtime.operators.registration import operator
from tsc.runtime.values.tensor import Tensor, asarray, wrap

add_reduce: Callable[..., Any] = np.add.reduce
"""All arguments by position, which is quicker; NumPy's stubs want the last by keyword."""
LONG_SUM = 1 << 16
"""From this many elements on, how a sum is ordered matters."""
SUM_BLOCK = 256
"""Within so many numbers BLAS may add up in any order."""
SHORT_ROW = 16
ONES = np.ones(SUM_BLOCK, FLOAT)
WIDE = {HALF: FLOAT, BFLOAT16: FLOAT}
"""The dtypes sums are accumulated in, where they differ from the dtype of the result."""


def _accumulation_dtype(a: np.ndarray, dtype: int | None) -> np.dtype:
    """The dtype of a sum or product: integers add up in int64 unless told otherwise."""
    if dtype is not None:
        return NUMPY_OF_CODE[dtype]
    return a.dtype if a.dtype in FLOATING_DTYPES else LONG


def sum_array(a: np.ndarray, axis: tuple[int, ...] | int | None, keepdim: bool) -> np.ndarray:
    """The sum in the dtype of `a`.

    NumPy adds up rows one by one, which loses digits where they are many: long sums in float32 that
    are not over the last axis alone go through float64.
    """
    if a.size >= LONG_SUM and a.dtype is FLOAT:
        if axis not in (None, a.ndim - 1, (a.ndim - 1,)):
            return asarray(add_reduce(a, axis, DOUBLE, None, keepdim)).astype(FLOAT)
        if a.flags.c_contiguous:
            return _sum_of_rows(a, axis, keepdim)
    return asarray(add_reduce(a, axis, a.dtype, None, keepdim))


def _sum_of_rows(a: np.ndarray, axis: tuple[int, ...] | int | None, keepdim: bool) -> np.ndarray:
    """Sums of contiguous float32 rows: those of blocks by BLAS, several times as fast, then their sum."""
    length = a.size if axis is None else a.shape[-1]
    blocks, rest = divmod(length, SUM_BLOCK)
    rows = a.reshape(-1, length)
    whole = rows[:, : length - rest].reshape(-1, SUM_BLOCK) @ ONES
    result = add_reduce(whole.reshape(len(rows), blocks), 1)
    if rest:
        result += add_reduce(rows[:, length - rest :], 1)
    kept = (1,) * a.ndim if axis is None else (*a.shape[:-1], 1)
    return result.reshape(kept if keepdim else () if axis is None else a.shape[:-1])


def _product(a: np.ndarray, axis: tuple[int, ...] | int | None, keepdim: bool) -> np.ndarray:
    """The product in the dtype of `a`; long rows are halved until they are short, each time in one go."""
    if a.size >= LONG_SUM and a.ndim and axis in (None, a.ndim - 1, (a.ndim - 1,)):
        if axis is None:
            a, axis = a.reshape((1,) * (a.ndim - 1) + (-1,)), tuple(range(a.ndim))
        while (length := a.shape[-1]) > SHORT_ROW:
            half = length // 2
            odd = a[..., 2 * half :]
            a = a[..., :half] * a[..., half : 2 * half]
            a[..., : length % 2] *= odd
    return asarray(np.multiply.reduce(a, axis=axis, dtype=a.dtype, keepdims=keepdim))


def _reduce(
    ufunc: np.ufunc,
    a: np.ndarray,
    axis: tuple[int, ...] | int | None,
    keepdim: bool,
    dtype: int | None,
) -> Tensor:
    target = _accumulation_dtype(a, dtype)
    wide = WIDE.get(target, target)
    if a.dtype is not wide:
        a = converted(a, wide)
    if ufunc is np.add:
        result = sum_array(a, axis, keepdim)
    else:
        result = _product(a, axis, keepdim)
    return Tensor(result if wide is target else result.astype(target))


@operator(
    "aten::sum.dim_IntList(Tensor self, int[1]? dim, bool keepdim=False, *,"
    " ScalarType? dtype=None) -> Tensor",
    layout=Layout.ROW_MAJOR,
    rows=RowExpression("torch.sum(self)", "dim"),
)
def sum_dim(
    self: Tensor, dim: list[int] | None, keepdim: bool = False, dtype: int | None = None
) -> Tensor:
    a = self.array
    if dtype is None and a.dtype is FLOAT and dim and len(dim) == 1 and 0 <= dim[0] < a.ndim:
        return Tensor(sum_array(a, dim[0], keepdim))
    return _reduce(np.add, a, reduced_dimensions(dim, a.ndim), keepdim, dtype)


@operator(
    "aten::sum(Tensor self, *, ScalarType? dtype=None) -> Tensor",
    rows=RowExpression("torch.sum(self)"),
)
def sum_(self: Tensor, dtype: int | None = None) -> Tensor:
    a = self.array
    if dtype is None and a.dtype is FLOAT:
        return Tensor(sum_array(a, None, False))
    return _reduce(np.add, a, None, False, dtype)


@operator(
    "aten::nansum(Tensor self, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None)"
    " -> Tensor",
    layout=Layout.ROW_MAJOR,
)
def nansum(
    self: Tensor, dim: list[int] | None = None, keepdim: bool = False, dtype: int | None = None
) -> Tensor:
    a = self.array
    if a.dtype in COMPLEX_DTYPES:
        raise ScriptError("RuntimeError", "nansum does not support complex numbers")
    if a.dtype in FLOATING_DTYPES:
        a = np.where(np.isnan(a), np.zeros((), a.dtype), a)
    return _reduce(np.add, a, reduced_dimensions(dim, a.ndim), keepdim, dtype)


def _check_floating_mean(name: str, a: np.ndarray, dtype: int | None) -> np.dtype:
    target = a.dtype if dtype is None else NUMPY_OF_CODE[dtype]
    if CATEGORY[target] < FLOATING:
        what = "Input dtype" if dtype is None else "Optional dtype"
        raise ScriptError(
            "RuntimeError",
            f"{name}(): could not infer output dtype. {what} must be either a floating point or "
            f"complex one, not {scalar_name(target)}: convert the tensor, as with .float()",
        )
    return target


def _mean(a: np.ndarray, axis: tuple[int, ...] | None, keepdim: bool, dtype: int | None) -> Tensor:
    target = _check_floating_mean("mean", a, dtype)
    wide = WIDE.get(target, target)
    if a.dtype is not wide:
        a = a.astype(wide)
    total = sum_array(a, axis, keepdim)
    count = a.size // total.size if total.size else 0
    if count == 0:
        count = a.size if axis is None else int(np.prod([a.shape[k] for k in axis]))
    result = asarray(np.true_divide(total, np.array(count, wide)))
    return Tensor(result if wide is target else result.astype(target))


@operator(
    "aten::mean(Tensor self, *, ScalarType? dtype=None) -> Tensor",
    rows=RowExpression("torch.sum(self) / count"),
)
def mean(self: Tensor, dtype: int | None = None) -> Tensor:
    return _mean(self.array, None, False, dtype)


@operator(
    "aten::mean.dim(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None)"
    " -> Tensor",
    layout=Layout.ROW_MAJOR,
    rows=RowExpression("torch.sum(self) / count", "dim"),
)
def mean_dim(
    self: Tensor, dim: list[int] | None, keepdim: bool = False, dtype: int | None = None
) -> Tensor:
    a = self.array
    return _mean(a, reduced_dimensions(dim, a.ndim), keepdim, dtype)


@operator(
    "aten::nanmean(Tensor self, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None)"
    " -> Tensor",
    layout=Layout.ROW_MAJOR,
)
def nanmean(
    self: Tensor, dim: list[int] | None = None, keepdim: bool = False, dtype: int | None = None
) -> Tensor:
    a = self.array
    if a.dtype not in FLOATING_DTYPES:
        raise ScriptError(
            "RuntimeError",
            "nanmean(): expected input to have a floating-point or complex dtype, not "
            f"{scalar_name(a.dtype)}",
        )
    _check_floating_mean("nanmean", a, dtype)
    axis = reduced_dimensions(dim, a.ndim)
    total = nansum(self, dim, keepdim, dtype).array
    count = np.sum(~np.isnan(a), axis=axis, keepdims=keepdim)
    return wrap(np.true_divide(total, asarray(count).astype(total.dtype)))


@operator(
    "aten::prod(Tensor self, *, ScalarType? dtype=None) -> Tensor",
    rows=RowExpression("torch.prod(self)"),
)
def prod(self: Tensor, dtype: int | None = None) -> Tensor:
    return _reduce(np.multiply, self.array, None, False, dtype)


@operator(
    "aten::prod.dim_int(Tensor self, int dim, bool keepdim=False, *, ScalarType? dtype=None)"
    " -> Tensor",
    layout=Layout.ROW_MAJOR,
    rows=RowExpression("torch.prod(self)", "dim"),
)
def prod_dim(self: Tensor, dim: int, keepdim: bool = False, dtype: int | None = None) -> Tensor:
    a = self.array
    return _reduce(np.multiply, a, reduced_dimensions(dim, a.ndim), keepdim, dtype)


def check_real(name: str, a: np.ndarray) -> None:
    """Complex numbers have no order."""
    if a.dtype in COMPLEX_DTYPES:
        raise ScriptError("RuntimeError", f"{name}(): does not support complex input")


def _test(ufunc: np.ufunc, a: np.ndarray, dim: list[int] | int | None, keepdim: bool) -> Tensor:
    """any or all; the result is bool, except for uint8, whose result is uint8."""
    if isinstance(dim, list) and not dim:
        axis = () if a.ndim else None
    else:
        axis = reduced_dimensions(dim, a.ndim)
    truth = a if a.dtype is BOOL else a.astype(BOOL)
    result = asarray(ufunc.reduce(truth, axis=axis, keepdims=keepdim))
    return Tensor(result.astype(BYTE) if a.dtype is BYTE else result)


@operator("aten::any(Tensor self) -> Tensor")
def any_(self: Tensor) -> Tensor:
    return _test(np.logical_or, self.array, None, False)


@operator(
    "aten::any.dim(Tensor self, int dim, bool keepdim=False) -> Tensor", layout=Layout.ROW_MAJOR
)
def any_dim(self: Tensor, dim: int, keepdim: bool = False) -> Tensor:
    return _test(np.logical_or, self.array, dim, keepdim)


@operator("aten::any.dims(Tensor self, int[]? dim=None, bool keepdim=False) -> Tensor")
def any_dims(self: Tensor, dim: list[int] | None = None, keepdim: bool = False) -> Tensor:
    return _test(np.logical_or, self.array, dim, keepdim)


@operator("aten::all(Tensor self) -> Tensor")
def all_(self: Tensor) -> Tensor:
    return _test(np.logical_and, self.array, None, False)


@operator(
    "aten::all.dim(Tensor self, int dim, bool keepdim=False) -> Tensor", layout=Layout.ROW_MAJOR
)
def all_dim(self: Tensor, dim: int, keepdim: bool = False) -> Tensor:
    return _test(np.logical_and, self.array, dim, keepdim)


@operator("aten::all.dims(Tensor self, int[]? dim=None, bool keepdim=False) -> Tensor")
def all_dims(self: Tensor, dim: list[int] | None = None, keepdim: bool = False) -> Tensor:
    return _test(np.logical_and, self.array, dim, keepdim)


@operator("aten::count_nonzero(Tensor self, int? dim=None) -> Tensor")
def count_nonzero(self: Tensor, dim: int | None = None) -> Tensor:
    return count_nonzero_dims(self, None if dim is None else [dim])


@operator("aten::count_nonzero.dim_IntList(Tensor self, int[] dim) -> Tensor")
def count_nonzero_dims(self: Tensor, dim: list[int] | None) -> Tensor:
    a = self.array
    axis = reduced_dimensions(dim, a.ndim)
    return Tensor(asarray(add_reduce(a.astype(BOOL), axis, LONG)))


@operator("aten::_grad_sum_to_size(Tensor(a) self, int[]? size) -> Tensor(a)")
def grad_sum_to_size(self: Tensor, size: list[int] | None) -> Tensor:
    return self if size is None else sum_to_size(self, size)


@operator("aten::sum_to_size(Tensor self, SymInt[] size) -> Tensor")
def sum_to_size(self: Tensor, size: list[int]) -> Tensor:
    a = self.array
    lead = a.ndim - len(size)
    if lead < 0 or any(n not in (1, m) for n, m in zip(size, a.shape[lead:])):
        raise ScriptError(
            "RuntimeError",
            f"size {{{list(size)}}} is not expandable to size {{{list(a.shape)}}}.",
        )
    if not size:
        return sum_(self)
    axes = [*range(lead), *(lead + k for k, n in enumerate(size) if n == 1 != a.shape[lead + k])]
    return Tensor(np.asarray(sum_dim(self, axes, True).array if axes else a).reshape(size))


@operator("aten::_is_all_true(Tensor self) -> Tensor")
def is_all_true(self: Tensor) -> Tensor:
    return wrap(self.array.all())


@operator("aten::_is_any_true(Tensor self) -> Tensor")
def is_any_true(self: Tensor) -> Tensor:
    return wrap(self.array.any())


out_forms(SAME, "count_nonzero.dim_IntList count_nonzero prod sum")
out_forms(IN_DTYPE_OF_OUT, "nanmean nansum prod.dim_int:int_out sum.dim_IntList:IntList_out")
out_forms(IN_FLOATING_DTYPE_OF_OUT, "mean.dim:out")
out_forms(
    truth("all only supports bool tensor for result, got: {out}"),
    "all:all_out all.dims all.dim:out",
)
out_forms(
    truth("any only supports bool tensor for result, got: {out}"),
    "any:all_out any.dims any.dim:out",
)
out_forms(
    castable("mean.dtype_out(): input types can't be cast to the desired output type {out}"),
    "mean:dtype_out",
)
