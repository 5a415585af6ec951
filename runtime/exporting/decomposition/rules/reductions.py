"""Sums, means, extremes and orders."""

from __future__ import annotations

from typing import Any

from tsc.runtime.exporting.decomposition.calls import Calls
from tsc.runtime.exporting.decomposition.rules.forms import chosen, otherwise
from tsc.runtime.exporting.decomposition.table import decomposes


@decomposes("sum")
def sum_all(call: Calls, x: Any, dtype: int | None) -> Any:
    return call("sum.dim_IntList", x, [], dtype=dtype)


@decomposes("std")
def std(call: Calls, x: Any, unbiased: bool) -> Any:
    return _std(call, x, None, 1.0 if unbiased else 0.0, False)


@decomposes("std.dim")
def std_dim(call: Calls, x: Any, dims: Any, unbiased: bool, keepdim: bool) -> Any:
    return _std(call, x, dims, 1.0 if unbiased else 0.0, keepdim)


@decomposes("std.correction")
def std_correction(call: Calls, x: Any, dims: Any, correction: Any, keepdim: bool) -> Any:
    return _std(call, x, dims, 1.0 if correction is None else correction, keepdim)


def _std(call: Calls, x: Any, dims: Any, correction: float, keepdim: bool) -> Any:
    found = call("var.correction", x, dims, correction=float(correction), keepdim=keepdim)
    return call("sqrt", found)


@decomposes("var")
def var(call: Calls, x: Any, unbiased: bool) -> Any:
    return call("var.correction", x, correction=1 if unbiased else 0)


@decomposes("var.dim")
def var_dim(call: Calls, x: Any, dims: Any, unbiased: bool, keepdim: bool) -> Any:
    return call("var.correction", x, dims, correction=1 if unbiased else 0, keepdim=keepdim)


@decomposes("var_mean")
def var_mean(call: Calls, x: Any, unbiased: bool) -> Any:
    return call("var_mean.correction", x, correction=1 if unbiased else 0)


@decomposes("var_mean.dim")
def var_mean_dim(call: Calls, x: Any, dims: Any, unbiased: bool, keepdim: bool) -> Any:
    return call("var_mean.correction", x, dims, correction=1 if unbiased else 0, keepdim=keepdim)


@decomposes("std_mean")
def std_mean(call: Calls, x: Any, unbiased: bool) -> Any:
    return _std_mean(call, x, None, 1.0 if unbiased else 0.0, False)


@decomposes("std_mean.dim")
def std_mean_dim(call: Calls, x: Any, dims: Any, unbiased: bool, keepdim: bool) -> Any:
    return _std_mean(call, x, dims, 1.0 if unbiased else 0.0, keepdim)


@decomposes("std_mean.correction")
def std_mean_correction(call: Calls, x: Any, dims: Any, correction: Any, keepdim: bool) -> Any:
    return _std_mean(call, x, dims, 1.0 if correction is None else float(correction), keepdim)


def _std_mean(call: Calls, x: Any, dims: Any, correction: float, keepdim: bool) -> Any:
    variance, mean = call("var_mean.correction", x, dims, correction=correction, keepdim=keepdim)
    return call("sqrt", variance), mean


@decomposes("aminmax")
def aminmax(call: Calls, x: Any, dim: int | None, keepdim: bool) -> Any:
    dims = [] if dim is None else [dim]
    return call("amin", x, dims, keepdim), call("amax", x, dims, keepdim)


@decomposes("all")
def all_(call: Calls, x: Any) -> Any:
    return call("logical_not", call("any.dims", call("logical_not", x), None, False))


@decomposes("all.dim")
def all_dim(call: Calls, x: Any, dim: int, keepdim: bool) -> Any:
    return call("logical_not", call("any.dim", call("logical_not", x), dim, keepdim))


@decomposes("all.dims")
def all_dims(call: Calls, x: Any, dims: Any, keepdim: bool) -> Any:
    return call("logical_not", call("any.dims", call("logical_not", x), dims, keepdim))


@decomposes("count_nonzero")
def count_nonzero(call: Calls, x: Any, dim: int | None) -> Any:
    dims = None if dim is None else [dim]
    return call("sum.dim_IntList", call("ne.Scalar", x, 0), dims)


@decomposes("count_nonzero.dim_IntList")
def count_nonzero_dims(call: Calls, x: Any, dims: list[int]) -> Any:
    return call("sum.dim_IntList", call("ne.Scalar", x, 0), dims)


@decomposes("nansum")
def nansum(call: Calls, x: Any, dims: Any, keepdim: bool, dtype: int | None) -> Any:
    known = chosen(call, call("isnan", x), 0, x)
    return call("sum.dim_IntList", known, dims, keepdim, dtype=dtype)


@decomposes("nanmean")
def nanmean(call: Calls, x: Any, dims: Any, keepdim: bool, dtype: int | None) -> Any:
    own = call("detach", x)
    known = call("logical_not", call("ne.Tensor", own, own))
    count = call("sum.dim_IntList", known, dims, keepdim)
    return call("div.Tensor", call("nansum", x, dims, keepdim, dtype=dtype), count)


@decomposes("argsort")
def argsort(call: Calls, x: Any, dim: int, descending: bool) -> Any:
    return call("sort", x, dim, descending)[1]


@decomposes("argsort.stable")
def argsort_stable(call: Calls, x: Any, stable: bool, dim: int, descending: bool) -> Any:
    return call("sort.stable", x, stable=stable, dim=dim, descending=descending)[1]


@decomposes("msort")
def msort(call: Calls, x: Any) -> Any:
    return call("sort", x, 0)[0]


@decomposes("trapezoid.dx")
def trapezoid(call: Calls, x: Any, dx: Any, dim: int) -> Any:
    last, first = call("select.int", x, dim, -1), call("select.int", x, dim, 0)
    ends = call("mul.Scalar", call("add.Tensor", first, last), 0.5)
    inner = call("sub.Tensor", call("sum.dim_IntList", x, [dim]), ends)
    return call("mul.Scalar", inner, float(dx))


@decomposes("renorm")
def renorm(call: Calls, x: Any, p: Any, dim: int, most: Any) -> Any:
    dims = [each for each in range(x.dim) if each != dim % x.dim]
    lengths = call("linalg_vector_norm", x, p, dims, True)
    too_long = call("gt.Scalar", lengths, most)
    factor = call("mul.Tensor", call("reciprocal", call("add.Tensor", lengths, 1e-7)), most)
    return call("mul.Tensor", x, otherwise(call, too_long, factor, 1.0))
