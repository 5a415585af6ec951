"""Reductions: sums, means, extremes, tests over all elements or along dimensions."""

from __future__ import annotations

import numpy as np

from tsc.runtime.arrays.dimensions import reduced_dimensions, wrap_dimension
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
    same,
    truth,
)
from tsc.runtime.operators.registration import operator
from tsc.runtime.values.tensor import Tensor, asarray, wrap

add_reduce = np.add.reduce
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
    " ScalarType? dtype=None) -> Tensor"
)
def sum_dim(
    self: Tensor, dim: list[int] | None, keepdim: bool = False, dtype: int | None = None
) -> Tensor:
    a = self.array
    if dtype is None and a.dtype is FLOAT and dim and len(dim) == 1 and 0 <= dim[0] < a.ndim:
        return Tensor(sum_array(a, dim[0], keepdim))
    return _reduce(np.add, a, reduced_dimensions(dim, a.ndim), keepdim, dtype)


@operator("aten::sum(Tensor self, *, ScalarType? dtype=None) -> Tensor")
def sum_(self: Tensor, dtype: int | None = None) -> Tensor:
    a = self.array
    if dtype is None and a.dtype is FLOAT:
        return Tensor(sum_array(a, None, False))
    return _reduce(np.add, a, None, False, dtype)


@operator(
    "aten::nansum(Tensor self, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None)"
    " -> Tensor"
)
def nansum(
    self: Tensor, dim: list[int] | None = None, keepdim: bool = False, dtype: int | None = None
) -> Tensor:
    a = self.array
    if a.dtype in COMPLEX_DTYPES:
        raise ScriptError("RuntimeError", "nansum on CPU does not support complex inputs")
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
            f"complex dtype. Got: {scalar_name(target)}",
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


@operator("aten::mean(Tensor self, *, ScalarType? dtype=None) -> Tensor")
def mean(self: Tensor, dtype: int | None = None) -> Tensor:
    return _mean(self.array, None, False, dtype)


@operator(
    "aten::mean.dim(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None)"
    " -> Tensor"
)
def mean_dim(
    self: Tensor, dim: list[int] | None, keepdim: bool = False, dtype: int | None = None
) -> Tensor:
    a = self.array
    return _mean(a, reduced_dimensions(dim, a.ndim), keepdim, dtype)


@operator(
    "aten::nanmean(Tensor self, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None)"
    " -> Tensor"
)
def nanmean(
    self: Tensor, dim: list[int] | None = None, keepdim: bool = False, dtype: int | None = None
) -> Tensor:
    a = self.array
    if a.dtype not in FLOATING_DTYPES:
        raise ScriptError(
            "RuntimeError",
            "nanmean(): expected input to have floating point or complex dtype but got "
            f"{scalar_name(a.dtype)}",
        )
    _check_floating_mean("nanmean", a, dtype)
    axis = reduced_dimensions(dim, a.ndim)
    total = nansum(self, dim, keepdim, dtype).array
    count = np.sum(~np.isnan(a), axis=axis, keepdims=keepdim)
    return wrap(np.true_divide(total, asarray(count).astype(total.dtype)))


@operator("aten::prod(Tensor self, *, ScalarType? dtype=None) -> Tensor")
def prod(self: Tensor, dtype: int | None = None) -> Tensor:
    return _reduce(np.multiply, self.array, None, False, dtype)


@operator(
    "aten::prod.dim_int(Tensor self, int dim, bool keepdim=False, *, ScalarType? dtype=None)"
    " -> Tensor"
)
def prod_dim(self: Tensor, dim: int, keepdim: bool = False, dtype: int | None = None) -> Tensor:
    a = self.array
    return _reduce(np.multiply, a, reduced_dimensions(dim, a.ndim), keepdim, dtype)


def _check_not_empty(name: str, a: np.ndarray) -> None:
    if a.size == 0:
        raise ScriptError(
            "RuntimeError",
            f"{name}(): Expected reduction dim to be specified for input.numel() == 0. "
            "Specify the reduction dim with the 'dim' argument.",
        )


def _check_extent(name: str, a: np.ndarray, dim: int) -> None:
    if a.ndim and a.shape[dim] == 0 and a.size == 0:
        raise ScriptError(
            "IndexError",
            f"{name}(): Expected reduction dim {dim} to have non-zero size.",
        )


def check_real(name: str, a: np.ndarray) -> None:
    """Complex numbers have no order."""
    if a.dtype in COMPLEX_DTYPES:
        raise ScriptError("RuntimeError", f"{name}(): does not support complex input")


def _ordered(a: np.ndarray) -> np.ndarray:
    """Where NumPy's argmax does not know a dtype, one that orders the same."""
    return a.astype(FLOAT) if a.dtype is BFLOAT16 else a


def _extreme_along(
    function, a: np.ndarray, dim: int, keepdim: bool, name: str
) -> tuple[Tensor, Tensor]:
    """The extreme values along `dim` and where they stand; `function` is argmax or argmin."""
    dim = wrap_dimension(dim, a.ndim)
    check_real(name, a)
    if a.ndim == 0:
        return Tensor(a.copy()), Tensor(np.zeros((), LONG))
    _check_extent(name, a, dim)
    where = asarray(function(_ordered(a), dim, keepdims=keepdim))
    extreme = np.maximum if function is np.argmax else np.minimum
    return Tensor(asarray(extreme.reduce(a, dim, None, None, keepdim))), Tensor(where)


@operator("aten::max(Tensor self) -> Tensor")
def max_(self: Tensor) -> Tensor:
    _check_not_empty("max", self.array)
    check_real("max", self.array)
    return wrap(self.array.max())


@operator(
    "aten::max.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)"
)
def max_dim(self: Tensor, dim: int, keepdim: bool = False) -> tuple[Tensor, Tensor]:
    return _extreme_along(np.argmax, self.array, dim, keepdim, "max")


@operator("aten::min(Tensor self) -> Tensor")
def min_(self: Tensor) -> Tensor:
    _check_not_empty("min", self.array)
    check_real("min", self.array)
    return wrap(self.array.min())


@operator(
    "aten::min.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)"
)
def min_dim(self: Tensor, dim: int, keepdim: bool = False) -> tuple[Tensor, Tensor]:
    return _extreme_along(np.argmin, self.array, dim, keepdim, "min")


def _extreme(ufunc: np.ufunc, name: str, a: np.ndarray, dim: list[int], keepdim: bool) -> Tensor:
    axis = reduced_dimensions(dim, a.ndim)
    check_real(name, a)
    if a.size == 0:
        if axis is None:
            _check_not_empty(name, a)
        for k in axis:
            _check_extent(name, a, k)
    return wrap(ufunc.reduce(a, axis=axis, keepdims=keepdim))


@operator("aten::amax(Tensor self, int[1] dim=[], bool keepdim=False) -> Tensor")
def amax(self: Tensor, dim: list[int] | None = None, keepdim: bool = False) -> Tensor:
    return _extreme(np.maximum, "amax", self.array, dim, keepdim)


@operator("aten::amin(Tensor self, int[1] dim=[], bool keepdim=False) -> Tensor")
def amin(self: Tensor, dim: list[int] | None = None, keepdim: bool = False) -> Tensor:
    return _extreme(np.minimum, "amin", self.array, dim, keepdim)


@operator(
    "aten::aminmax(Tensor self, *, int? dim=None, bool keepdim=False) -> (Tensor min, Tensor max)"
)
def aminmax(self: Tensor, dim: int | None = None, keepdim: bool = False) -> tuple[Tensor, Tensor]:
    dims = None if dim is None else [dim]
    return amin(self, dims, keepdim), amax(self, dims, keepdim)


def _position(function, name: str, a: np.ndarray, dim: int | None, keepdim: bool) -> Tensor:
    if a.dtype is BOOL:
        raise ScriptError("RuntimeError", f"{name}(): does not support bool input")
    check_real(name, a)
    if dim is None:
        if a.size == 0:
            message = f"{name}(): Expected reduction dim to be specified for input.numel() == 0."
            raise ScriptError("IndexError", message)
        result = function(_ordered(a), None, keepdims=keepdim)
        return Tensor(asarray(result, LONG))
    dim = wrap_dimension(dim, a.ndim)
    if a.ndim == 0:
        return Tensor(np.zeros((), LONG))
    _check_extent(name, a, dim)
    return Tensor(asarray(function(_ordered(a), dim, keepdims=keepdim), LONG))


@operator("aten::argmax(Tensor self, int? dim=None, bool keepdim=False) -> Tensor")
def argmax(self: Tensor, dim: int | None = None, keepdim: bool = False) -> Tensor:
    return _position(np.argmax, "argmax", self.array, dim, keepdim)


@operator("aten::argmin(Tensor self, int? dim=None, bool keepdim=False) -> Tensor")
def argmin(self: Tensor, dim: int | None = None, keepdim: bool = False) -> Tensor:
    return _position(np.argmin, "argmin", self.array, dim, keepdim)


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


@operator("aten::any.dim(Tensor self, int dim, bool keepdim=False) -> Tensor")
def any_dim(self: Tensor, dim: int, keepdim: bool = False) -> Tensor:
    return _test(np.logical_or, self.array, dim, keepdim)


@operator("aten::any.dims(Tensor self, int[]? dim=None, bool keepdim=False) -> Tensor")
def any_dims(self: Tensor, dim: list[int] | None = None, keepdim: bool = False) -> Tensor:
    return _test(np.logical_or, self.array, dim, keepdim)


@operator("aten::all(Tensor self) -> Tensor")
def all_(self: Tensor) -> Tensor:
    return _test(np.logical_and, self.array, None, False)


@operator("aten::all.dim(Tensor self, int dim, bool keepdim=False) -> Tensor")
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


out_forms(
    SAME,
    """
    aminmax argmax argmin count_nonzero.dim_IntList count_nonzero max.dim:dim_max(max,max_values)
    min.dim:dim_min(min,min_indices) prod sum
    """,
)
out_forms(IN_DTYPE_OF_OUT, "nanmean nansum prod.dim_int:int_out sum.dim_IntList:IntList_out")
out_forms(IN_FLOATING_DTYPE_OF_OUT, "mean.dim:out")
out_forms(
    truth("all only supports bool tensor for result, got: {out}"),
    "all:all_out all.dims all.dim:out",
)
out_forms(
    same(
        "Expected the dtype for input and out to match, but got {result} for input's dtype and "
        "{out} for out's dtype."
    ),
    "amax amin",
)
out_forms(
    truth("any only supports bool tensor for result, got: {out}"),
    "any:all_out any.dims any.dim:out",
)
out_forms(
    castable(
        "Expected canCast( typeMetaToScalarType(self.dtype()), "
        "typeMetaToScalarType(out.dtype())) to be true, but got false."
        "  (Could this error message be improved?  If so, please report an enhancement request "
        "to PyTorch.)"
    ),
    "max:unary_out min:unary_out",
)
out_forms(
    castable("mean.dtype_out(): input types can't be cast to the desired output type {out}"),
    "mean:dtype_out",
)
