"""Running sums, products and extremes along a dimension, and differences."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np

from tsc.compiler.schema import Layout
from tsc.runtime.arrays.dimensions import wrap_dimension
from tsc.runtime.arrays.dtypes import BOOL, CODE_OF_NUMPY, DOUBLE, FLOAT, LONG, NUMPY_OF_CODE
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.context.native_availability import is_large_work
from tsc.runtime.context.native_hooks import native_arrays
from tsc.runtime.operators.elementwise import COMPLEX_DTYPES, FLOATING_DTYPES, not_implemented
from tsc.runtime.operators.layout.joining import cat
from tsc.runtime.operators.out_variants import (
    C_NAMES,
    CASTABLE,
    IN_DTYPE_OF_OUT,
    in_place,
    out_forms,
    same,
)
from tsc.runtime.operators.pointwise.pairs import log_add_exp
from tsc.runtime.operators.reduction.reduction import WIDE
from tsc.runtime.operators.registration import operator
from tsc.runtime.operators.variants import in_place_form, store
from tsc.runtime.values.tensor import Tensor, wrap

RUNNING_DTYPE = WIDE | {FLOAT: DOUBLE}
"""The dtypes running results are carried in, so that long ones keep their digits."""
_NATIVE: dict[Any, str] = {np.add: "add", np.multiply: "mul", np.maximum: "max", np.minimum: "min"}
"""What native code calls the functions."""
_NATIVE_DTYPES = frozenset({FLOAT, DOUBLE, LONG})
LONG_ROWS = 64
"""From this many elements on, a row is worth a call of its own."""


def _accumulate(
    name: str, ufunc: np.ufunc, a: np.ndarray, dim: int, dtype: int | None = None
) -> Tensor:
    target = a.dtype if a.dtype in FLOATING_DTYPES else LONG
    if dtype is not None:
        target = NUMPY_OF_CODE[dtype]
    if target is BOOL:
        raise not_implemented(f"{name}_out_cpu", target)
    dim = wrap_dimension(dim, a.ndim)
    carried = RUNNING_DTYPE.get(target, target)
    if ufunc in _NATIVE and _may_be_native(a, dim, target):
        made = native_arrays().running(_NATIVE[ufunc], _rows(a), carried, target)
        if made is not None:
            return Tensor(made.reshape(a.shape))
    a = a.astype(carried, copy=False)
    return Tensor(_running(ufunc, a, dim).astype(target, copy=False))


def _may_be_native(a: np.ndarray, dim: int, target: np.dtype) -> bool:
    is_last = a.ndim > 0 and dim == a.ndim - 1
    return is_last and is_large_work(a.size) and {a.dtype, target} <= _NATIVE_DTYPES


def _rows(a: np.ndarray) -> np.ndarray:
    return np.ascontiguousarray(a).reshape(-1, a.shape[-1])


def _running(ufunc: np.ufunc, a: np.ndarray, dim: int) -> np.ndarray:
    """What `ufunc` makes of all elements so far along `dim`.

    NumPy goes from element to element; where whole rows follow each other, they are taken at once.
    """
    if a.ndim == 0:
        return a.copy()
    if dim == a.ndim - 1 and ufunc is np.add and a.dtype is DOUBLE and a.size > a.shape[dim]:
        return _running_sums(a.reshape(-1, a.shape[dim])).reshape(a.shape)
    if dim == a.ndim - 1 or a.size < LONG_ROWS * a.shape[dim]:
        return ufunc.accumulate(a, dim)
    result = a.copy("C")
    rows = np.moveaxis(result, dim, 0)
    for before, row in itertools.pairwise(rows):
        ufunc(before, row, out=row)
    return result


def _running_sums(rows: np.ndarray) -> np.ndarray:
    """Two rows at once, as the parts of complex numbers: each sum waits for the one before it."""
    half = (len(rows) + 1) // 2
    first, second = rows[:half], rows[half:]
    pairs = np.empty(first.shape, np.complex128)
    pairs.real, pairs.imag[: len(second)] = first, second
    pairs.imag[len(second) :] = 0
    np.add.accumulate(pairs, 1, out=pairs)
    return np.concatenate([pairs.real, pairs.imag[: len(second)]])


@operator(
    "aten::cumsum(Tensor self, int dim, *, ScalarType? dtype=None) -> Tensor",
    layout=Layout.ROW_MAJOR,
)
def cumsum(self: Tensor, dim: int, dtype: int | None = None) -> Tensor:
    return _accumulate("cumsum", np.add, self.array, dim, dtype)


@operator(
    "aten::cumprod(Tensor self, int dim, *, ScalarType? dtype=None) -> Tensor",
    layout=Layout.ROW_MAJOR,
)
def cumprod(self: Tensor, dim: int, dtype: int | None = None) -> Tensor:
    return _accumulate("cumprod", np.multiply, self.array, dim, dtype)


def _in_place(function: Callable[..., Tensor]) -> Callable[..., Tensor]:
    """`function` in the dtype of its tensor, which a dtype that is given must be."""

    def in_place(self: Tensor, dim: int, dtype: int | None = None) -> Tensor:
        own = CODE_OF_NUMPY[self.array.dtype]
        if dtype is not None and dtype != own:
            raise ScriptError(
                "RuntimeError",
                f"Bad in-place call: input tensor dtype {C_NAMES[self.array.dtype.name]} and "
                f"output tensor dtype {C_NAMES[NUMPY_OF_CODE[dtype].name]} should match",
            )
        return store(self, function(self, dim, own).array)

    return in_place


in_place_form("cumsum")(_in_place(cumsum))
in_place_form("cumprod")(_in_place(cumprod))


def _complex_log_sums(a: np.ndarray, dim: int) -> np.ndarray:
    result = a.copy()
    rows = np.moveaxis(np.atleast_1d(result), dim, 0)
    for before, row in itertools.pairwise(rows):
        row[...] = log_add_exp(before, row)
    return result


@operator("aten::logcumsumexp(Tensor self, int dim) -> Tensor")
def logcumsumexp(self: Tensor, dim: int) -> Tensor:
    a = self.array
    if a.dtype not in FLOATING_DTYPES:
        raise not_implemented("logcumsumexp_out_cpu", a.dtype)
    if a.dtype in COMPLEX_DTYPES:
        return Tensor(_complex_log_sums(a, wrap_dimension(dim, a.ndim)))
    return _accumulate("logcumsumexp", np.logaddexp, a, dim)


def _running_extreme(ufunc: np.ufunc, a: np.ndarray, dim: int) -> tuple[Tensor, Tensor]:
    """The extreme so far along `dim`, and the last place it was met."""
    if a.dtype in COMPLEX_DTYPES:
        raise not_implemented("cummax_cpu", a.dtype)
    dim = wrap_dimension(dim, a.ndim)
    if a.ndim == 0:
        return Tensor(a.copy()), Tensor(np.zeros((), LONG))
    if _may_be_native(a, dim, a.dtype):
        made = native_arrays().running_extremes(_NATIVE[ufunc], _rows(a))
        if made is not None:
            return Tensor(made[0].reshape(a.shape)), Tensor(made[1].reshape(a.shape))
    values = _running(ufunc, a, dim)
    return wrap(values), wrap(_last_places(_met(values, a), dim))


def _met(values: np.ndarray, a: np.ndarray) -> np.ndarray:
    """Where the running extremes are elements of `a` themselves; NaN meets NaN."""
    met = np.equal(values, a)
    if a.dtype in FLOATING_DTYPES:
        met |= np.not_equal(values, values) & np.not_equal(a, a)
    return met


def _last_places(met: np.ndarray, dim: int) -> np.ndarray:
    """The last place along `dim` that is `met`, so far; the first one always is."""
    extent: int = met.shape[dim]
    if dim == met.ndim - 1:
        places = np.flatnonzero(met)
        return np.repeat(places % extent, np.diff(places, append=met.size)).reshape(met.shape)
    shape = [-1 if k == dim else 1 for k in range(met.ndim)]
    positions = np.arange(extent).reshape(shape)
    return _running(np.maximum, np.where(met, positions, 0), dim)


@operator(
    "aten::cummax(Tensor self, int dim) -> (Tensor values, Tensor indices)", layout=Layout.ROW_MAJOR
)
def cummax(self: Tensor, dim: int) -> tuple[Tensor, Tensor]:
    return _running_extreme(np.maximum, self.array, dim)


@operator(
    "aten::cummin(Tensor self, int dim) -> (Tensor values, Tensor indices)", layout=Layout.ROW_MAJOR
)
def cummin(self: Tensor, dim: int) -> tuple[Tensor, Tensor]:
    return _running_extreme(np.minimum, self.array, dim)


@operator(
    "aten::diff(Tensor self, int n=1, int dim=-1, Tensor? prepend=None, Tensor? append=None)"
    " -> Tensor"
)
def diff(
    self: Tensor,
    n: int = 1,
    dim: int = -1,
    prepend: Tensor | None = None,
    append: Tensor | None = None,
) -> Tensor:
    a = self.array
    if a.ndim == 0:
        message = "diff expects input to have a dimension, and this tensor has none"
        raise ScriptError("RuntimeError", message)
    if n < 0:
        raise ScriptError("RuntimeError", f"order must be non-negative but got {n}")
    dim = wrap_dimension(dim, a.ndim)
    if n == 0:
        return Tensor(a.copy())
    parts = [part for part in (prepend, self, append) if part is not None]
    if any(part.array.ndim != a.ndim for part in parts):
        message = (
            f"diff expects prepend and append to have as many dimensions as the input, {a.ndim}"
        )
        raise ScriptError("RuntimeError", message)
    joined = cat(parts, dim).array if len(parts) > 1 else a
    return Tensor(np.diff(joined, min(n, joined.shape[dim]), dim))


out_forms(in_place(IN_DTYPE_OF_OUT), "cumprod cumsum")
out_forms(
    in_place(same("expected scalar_type {result} but found {out}")), "cummax cummin logcumsumexp"
)
out_forms(CASTABLE, "diff")
