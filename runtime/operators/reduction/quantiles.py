"""Quantiles, with and without numbers that are not one."""

from __future__ import annotations

import numpy as np

from tsc.runtime.arrays.dimensions import wrap_dimension
from tsc.runtime.arrays.dtypes import DOUBLE, FLOAT
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.operators.out_variants import out_forms, same
from tsc.runtime.operators.registration import operator
from tsc.runtime.values.tensor import Tensor, asarray

_METHODS = ("linear", "lower", "higher", "midpoint", "nearest")


def _check(a: np.ndarray, q: np.ndarray, interpolation: str) -> None:
    if not a.size:
        message = "quantile() input tensor must be non-empty"
    elif q.ndim > 1:
        message = "quantile() q must be a scalar or 1D tensor"
    elif a.dtype is not FLOAT and a.dtype is not DOUBLE:
        message = "quantile() input tensor must be of dtype float or double"
    elif a.dtype is not q.dtype:
        message = "quantile() q tensor must be of the input's dtype"
    elif not ((q >= 0) & (q <= 1)).all():
        message = "quantile() q values must all be in the range [0, 1]"
    elif interpolation not in _METHODS:
        message = (
            "quantile() interpolation must be linear, lower, higher, midpoint or "
            f"nearest, not {interpolation}"
        )
    else:
        return
    raise ScriptError("RuntimeError", message)


def _quantiles(
    a: np.ndarray, q: np.ndarray, dim: int | None, keepdim: bool, method: str, skip_nan: bool
) -> Tensor:
    """The quantiles `q` along `dim` or of all; several of them stand along a first dimension."""
    _check(a, q, method)
    axis = None if dim is None else wrap_dimension(dim, a.ndim)
    rows = a.reshape(-1) if axis is None or a.ndim == 0 else np.moveaxis(a, axis, -1)
    result = _of_sorted(np.sort(rows, -1), q.reshape(-1), method, skip_nan)
    result = np.moveaxis(result, -1, 0)
    if keepdim and axis is None:
        result = result.reshape(-1, *[1] * a.ndim)
    elif keepdim and axis is not None and a.ndim:
        result = np.expand_dims(result, axis + 1)
    return Tensor(asarray(result[0] if q.ndim == 0 else result).astype(a.dtype, copy=False).copy())


def _of_sorted(rows: np.ndarray, q: np.ndarray, method: str, skip_nan: bool) -> np.ndarray:
    """The quantiles of sorted rows, in which NaNs come last: they decide unless skipped."""
    last: int = rows.shape[-1] - 1
    missing = np.isnan(rows)
    if skip_nan:
        valid = asarray(last - missing.sum(-1, keepdims=True))
        ranks = q * asarray(np.maximum(valid, 0)).astype(rows.dtype)
    else:
        highest = np.array(last, rows.dtype)
        ranks = np.where(missing[..., -1:], highest, asarray(q * highest))
    below, above = np.floor(ranks), np.ceil(ranks)
    if method == "lower":
        above = ranks = below
    elif method == "higher":
        below = ranks = above
    elif method == "nearest":
        below = above = ranks = np.rint(ranks)
    weight = 0.5 * (above != below) if method == "midpoint" else ranks - below
    low = np.take_along_axis(rows, below.astype(np.int64), -1)
    high = np.take_along_axis(rows, above.astype(np.int64), -1)
    return _interpolated(low, high, weight.astype(rows.dtype))


def _interpolated(low: np.ndarray, high: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """Between `low` and `high`, reckoned from the nearer end."""
    with np.errstate(invalid="ignore"):
        step = high - low
        between = np.where(weight < 0.5, low + weight * step, high - step * (1 - weight))
    return np.where(weight == 0, low, between)


def _declare(name: str, skip_nan: bool) -> None:
    rest = 'int? dim=None, bool keepdim=False, *, str interpolation="linear"'

    @operator(f"aten::{name}(Tensor self, Tensor q, {rest}) -> Tensor")
    def of_tensor(
        self: Tensor,
        q: Tensor,
        dim: int | None = None,
        keepdim: bool = False,
        interpolation: str = "linear",
    ) -> Tensor:
        return _quantiles(self.array, q.array, dim, keepdim, interpolation, skip_nan)

    @operator(f"aten::{name}.scalar(Tensor self, float q, {rest}) -> Tensor")
    def of_number(
        self: Tensor,
        q: float,
        dim: int | None = None,
        keepdim: bool = False,
        interpolation: str = "linear",
    ) -> Tensor:
        a = self.array
        if not 0 <= q <= 1:
            message = f"quantile() q must be in the range [0, 1], not {q:g}"
            raise ScriptError("RuntimeError", message)
        return _quantiles(a, np.array(q, a.dtype), dim, keepdim, interpolation, skip_nan)


_declare("quantile", skip_nan=False)
_declare("nanquantile", skip_nan=True)

out_forms(
    same("quantile() out tensor must be of dtype {result}, as the input, not {out}"),
    "quantile quantile.scalar nanquantile nanquantile.scalar",
)
