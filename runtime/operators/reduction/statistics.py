"""Variance, norms, medians, quantiles and log-sum-exp."""

from __future__ import annotations

import math
from functools import partial

import numpy as np

from tsc.compiler.schema import Layout, RowExpression
from tsc.runtime.arrays.array import Array
from tsc.runtime.arrays.dimensions import reduced_dimensions, wrap_dimension
from tsc.runtime.arrays.dtypes import FLOAT, LONG
from tsc.runtime.arrays.half_precision import widened
from tsc.runtime.arrays.type_promotion import Number, real_number
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.operators.elementwise import BOOL_AND_COMPLEX, FLOATING_DTYPES, not_implemented
from tsc.runtime.operators.out_variants import CASTABLE, SAME, floating, out_forms, same
from tsc.runtime.operators.reduction.reduction import WIDE, add_reduce
from tsc.runtime.operators.registration import operator
from tsc.runtime.values.tensor import Tensor, asarray, wrap


def _check_floating(a: np.ndarray) -> None:
    if a.dtype not in FLOATING_DTYPES:
        message = f"std and var only support floating-point and complex numbers, not {a.dtype}"
        raise ScriptError("RuntimeError", message)


def _variance(
    a: np.ndarray, dim: list[int] | None, correction: Number | None, keepdim: bool
) -> tuple[np.ndarray, np.ndarray]:
    """The variance and the mean, in the dtype they are computed in."""
    _check_floating(a)
    axis = reduced_dimensions(dim, a.ndim)
    wide = a.astype(WIDE.get(a.dtype, a.dtype), copy=False)
    count = a.size if axis is None else math.prod(a.shape[k] for k in axis)
    average = np.add.reduce(wide, axis, keepdims=True) / np.array(count, wide.dtype)
    deviation = np.abs(wide - average)
    divisor = max(count - (1 if correction is None else real_number(correction)), 0)
    total = add_reduce(deviation * deviation, axis, None, None, keepdim)
    variance = asarray(np.true_divide(total, np.array(divisor, deviation.dtype)))
    return variance, asarray(average if keepdim else average.reshape(variance.shape))


def _spread(
    a: Array, dim: list[int] | None, correction: Number | None, keepdim: bool, root: bool
) -> tuple[Tensor, Tensor]:
    variance, average = _variance(a, dim, correction, keepdim)
    if root:
        variance = asarray(np.sqrt(variance))
    real = a.real.dtype
    return Tensor(variance.astype(real, copy=False)), Tensor(average.astype(a.dtype, copy=False))


UNBIASED = "(count - 1 if unbiased else count)"
CORRECTED = "(count - 1 if correction is None else torch.maximum(count - correction, 0))"
"""What the squares of a row are divided by."""


def _of_rows(divisor: str, root: bool) -> str:
    """The variance of a row, or its root."""
    distance = "(self - torch.sum(self) / count)"
    variance = f"torch.sum({distance} * {distance}) / {divisor}"
    return f"torch.sqrt({variance})" if root else variance


def _declare_spread(name: str, root: bool) -> None:
    """Declare ``var`` or ``std``, and the form that gives the mean as well."""

    def of_all(self: Tensor, unbiased: bool = True) -> Tensor:
        return _spread(self.array, None, int(unbiased), False, root)[0]

    def along(
        self: Tensor, dim: list[int] | None, unbiased: bool = True, keepdim: bool = False
    ) -> Tensor:
        return _spread(self.array, dim, int(unbiased), keepdim, root)[0]

    def corrected(
        self: Tensor,
        dim: list[int] | None = None,
        correction: Number | None = None,
        keepdim: bool = False,
    ) -> Tensor:
        return _spread(self.array, dim, correction, keepdim, root)[0]

    def of_all_with_mean(self: Tensor, unbiased: bool = True) -> tuple[Tensor, Tensor]:
        return _spread(self.array, None, int(unbiased), False, root)

    def along_with_mean(
        self: Tensor, dim: list[int] | None, unbiased: bool = True, keepdim: bool = False
    ) -> tuple[Tensor, Tensor]:
        return _spread(self.array, dim, int(unbiased), keepdim, root)

    def corrected_with_mean(
        self: Tensor,
        dim: list[int] | None = None,
        correction: Number | None = None,
        keepdim: bool = False,
    ) -> tuple[Tensor, Tensor]:
        return _spread(self.array, dim, correction, keepdim, root)

    spread = partial(operator, layout=Layout.ROW_MAJOR)
    correction = "int[1]? dim=None, *, Scalar? correction=None, bool keepdim=False"
    unbiased = "int[1]? dim, bool unbiased=True, bool keepdim=False"
    plain, given = (_of_rows(divisor, root) for divisor in (UNBIASED, CORRECTED))
    spread(f"aten::{name}(Tensor self, bool unbiased=True) -> Tensor", rows=RowExpression(plain))(
        of_all
    )
    spread(
        f"aten::{name}.dim(Tensor self, {unbiased}) -> Tensor", rows=RowExpression(plain, "dim")
    )(along)
    spread(
        f"aten::{name}.correction(Tensor self, {correction}) -> Tensor",
        rows=RowExpression(given, "dim"),
    )(corrected)
    pair = "(Tensor, Tensor)"
    spread(f"aten::{name}_mean(Tensor self, bool unbiased=True) -> {pair}")(of_all_with_mean)
    spread(f"aten::{name}_mean.dim(Tensor self, {unbiased}) -> {pair}")(along_with_mean)
    spread(f"aten::{name}_mean.correction(Tensor self, {correction}) -> {pair}")(
        corrected_with_mean
    )


_declare_spread("var", root=False)
_declare_spread("std", root=True)
_FINITE_PEAK = "torch.where(torch.abs(torch.amax(self)) == float('inf'), 0, torch.amax(self))"


@operator(
    "aten::logsumexp(Tensor self, int[1] dim, bool keepdim=False) -> Tensor",
    layout=Layout.ROW_MAJOR,
    rows=RowExpression(
        f"torch.log(torch.sum(torch.exp(self - {_FINITE_PEAK}))) + {_FINITE_PEAK}", "dim"
    ),
)
def logsumexp(self: Tensor, dim: list[int], keepdim: bool = False) -> Tensor:
    a = self.array
    if a.dtype not in FLOATING_DTYPES:
        a = a.astype(FLOAT)
    axis = reduced_dimensions(dim, a.ndim)
    wide = a.astype(WIDE.get(a.dtype, a.dtype), copy=False)
    peak = np.maximum.reduce(wide, axis, keepdims=True, initial=-np.inf)
    shift = np.where(np.isinf(peak), np.zeros((), wide.dtype), peak)
    total = np.log(np.add.reduce(np.exp(wide - shift), axis, keepdims=True)) + shift
    result = total if keepdim else np.squeeze(total, axis)
    return Tensor(asarray(result).astype(a.dtype, copy=False))


def _median_along(a: np.ndarray, dim: int, keepdim: bool, skip_nan: bool) -> tuple[Tensor, Tensor]:
    """The lower median along `dim`; a NaN wins unless skipped."""
    if a.dtype in BOOL_AND_COMPLEX:
        raise not_implemented("median_cpu", a.dtype)
    dim = wrap_dimension(dim, a.ndim)
    if a.ndim == 0:
        return Tensor(a.copy()), Tensor(np.zeros((), LONG))
    extent = a.shape[dim]
    if extent == 0:
        message = f"median(): Expected reduction dim {dim} to have non-zero size."
        raise ScriptError("IndexError", message)
    moved = np.moveaxis(widened(a), dim, -1)
    where = _median_places(moved.reshape(math.prod(moved.shape[:-1]), extent), skip_nan)
    where = np.moveaxis(where.reshape(*moved.shape[:-1], 1), -1, dim)
    values = np.take_along_axis(a, where, dim)
    if not keepdim:
        values, where = values.squeeze(dim), where.squeeze(dim)
    return wrap(values), wrap(where)


def _median_places(rows: np.ndarray, skip_nan: bool) -> np.ndarray:
    """Where the lower median of each row stands; the first NaN, or the median of the other elements."""
    where = _place_in_order(rows, (rows.shape[1] - 1) // 2)
    if rows.dtype in FLOATING_DTYPES:
        missing = np.isnan(rows)
        for row in np.flatnonzero(missing.any(1)):
            others = np.flatnonzero(~missing[row])
            if skip_nan and others.size:
                middle = (others.size - 1) // 2
                where[row] = others[_place_in_order(rows[row : row + 1, others], middle)[0]]
            else:
                where[row] = missing[row].argmax()
    return where


def _place_in_order(rows: np.ndarray, k: int) -> np.ndarray:
    """Where the element stands that is at `k` after a stable sort of each row; none is NaN."""
    equal = rows == np.partition(rows, k, 1)[:, k : k + 1]
    where = equal.argmax(1)
    tied = np.flatnonzero(np.count_nonzero(equal, 1) > 1)
    if tied.size:
        where[tied] = np.argsort(rows[tied], 1, "stable")[:, k]
    return where


def _median_of_all(a: np.ndarray, skip_nan: bool) -> Tensor:
    if a.size == 0:
        return Tensor(asarray(np.array(np.nan if a.dtype in FLOATING_DTYPES else 0, a.dtype)))
    return _median_along(a.reshape(-1), 0, False, skip_nan)[0]


@operator("aten::median(Tensor self) -> Tensor")
def median(self: Tensor) -> Tensor:
    return _median_of_all(self.array, False)


@operator(
    "aten::median.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)"
)
def median_dim(self: Tensor, dim: int, keepdim: bool = False) -> tuple[Tensor, Tensor]:
    return _median_along(self.array, dim, keepdim, False)


@operator("aten::nanmedian(Tensor self) -> Tensor")
def nanmedian(self: Tensor) -> Tensor:
    return _median_of_all(self.array, True)


@operator(
    "aten::nanmedian.dim(Tensor self, int dim, bool keepdim=False)"
    " -> (Tensor values, Tensor indices)"
)
def nanmedian_dim(self: Tensor, dim: int, keepdim: bool = False) -> tuple[Tensor, Tensor]:
    return _median_along(self.array, dim, keepdim, True)


out_forms(CASTABLE, "std.correction std.dim:out var.correction var.dim:out")
out_forms(SAME, "median nanmedian std_mean.correction var_mean.correction")
out_forms(
    floating("logsumexp(): Expected floating point type for result tensor, but got: {out}"),
    "logsumexp",
)
out_forms(
    same(
        "Expected tensor for 'values' to have the same type as tensor for argument #2 'self'; but "
        "type torch.{out}Tensor does not equal torch.{result}Tensor (while checking arguments for "
        "median)"
    ),
    "median.dim:dim_values nanmedian.dim:dim_values",
)
