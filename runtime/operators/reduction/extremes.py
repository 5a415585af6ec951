"""The largest and smallest elements and where they are: max, min, amax, amin, aminmax, argmax, argmin."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tsc.compiler.schema import Layout, RowExpression
from tsc.runtime.arrays.dimensions import reduced_dimensions, wrap_dimension
from tsc.runtime.arrays.dtypes import BFLOAT16, BOOL, FLOAT, LONG
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.operators.out_variants import SAME, castable, out_forms, same
from tsc.runtime.operators.reduction.reduction import check_real
from tsc.runtime.operators.registration import operator
from tsc.runtime.values.tensor import Tensor, asarray, wrap


def _check_not_empty(name: str, a: np.ndarray) -> None:
    if a.size == 0:
        raise ScriptError(
            "RuntimeError",
            f"{name}(): Expected reduction dim to be specified for an empty tensor: give 'dim'",
        )


def _check_extent(name: str, a: np.ndarray, dim: int) -> None:
    if a.ndim and a.shape[dim] == 0 and a.size == 0:
        raise ScriptError(
            "IndexError",
            f"{name}(): Expected reduction dim {dim} to have non-zero size.",
        )


def _ordered(a: np.ndarray) -> np.ndarray:
    """Where NumPy's argmax does not know a dtype, one that orders the same."""
    return a.astype(FLOAT) if a.dtype is BFLOAT16 else a


def _extreme_along(
    function: Callable[..., Any], a: np.ndarray, dim: int, keepdim: bool, name: str
) -> tuple[Tensor, Tensor]:
    """The extreme values along `dim` and where they stand; `function` is argmax or argmin."""
    dim = wrap_dimension(dim, a.ndim)
    check_real(name, a)
    if a.ndim == 0:
        return Tensor(a.copy()), Tensor(np.zeros((), LONG))
    _check_extent(name, a, dim)
    where = asarray(function(_ordered(a), dim, keepdims=keepdim))
    extreme = np.maximum if function is np.argmax else np.minimum
    return Tensor(asarray(extreme.reduce(a, dim, keepdims=keepdim))), Tensor(where)


@operator("aten::max(Tensor self) -> Tensor", rows=RowExpression("torch.amax(self)"))
def max_(self: Tensor) -> Tensor:
    _check_not_empty("max", self.array)
    check_real("max", self.array)
    return wrap(self.array.max())


@operator(
    "aten::max.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)",
    layout=Layout.ROW_MAJOR,
)
def max_dim(self: Tensor, dim: int, keepdim: bool = False) -> tuple[Tensor, Tensor]:
    return _extreme_along(np.argmax, self.array, dim, keepdim, "max")


@operator("aten::min(Tensor self) -> Tensor", rows=RowExpression("torch.amin(self)"))
def min_(self: Tensor) -> Tensor:
    _check_not_empty("min", self.array)
    check_real("min", self.array)
    return wrap(self.array.min())


@operator(
    "aten::min.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)",
    layout=Layout.ROW_MAJOR,
)
def min_dim(self: Tensor, dim: int, keepdim: bool = False) -> tuple[Tensor, Tensor]:
    return _extreme_along(np.argmin, self.array, dim, keepdim, "min")


def _extreme(
    ufunc: np.ufunc, name: str, a: np.ndarray, dim: list[int] | None, keepdim: bool
) -> Tensor:
    axis = reduced_dimensions(dim, a.ndim)
    check_real(name, a)
    if a.size == 0:
        if axis is None:
            _check_not_empty(name, a)
        for k in axis or ():
            _check_extent(name, a, k)
    return wrap(ufunc.reduce(a, axis=axis, keepdims=keepdim))


@operator(
    "aten::amax(Tensor self, int[1] dim=[], bool keepdim=False) -> Tensor",
    layout=Layout.ROW_MAJOR,
    rows=RowExpression("torch.amax(self)", "dim"),
)
def amax(self: Tensor, dim: list[int] | None = None, keepdim: bool = False) -> Tensor:
    return _extreme(np.maximum, "amax", self.array, dim, keepdim)


@operator(
    "aten::amin(Tensor self, int[1] dim=[], bool keepdim=False) -> Tensor",
    layout=Layout.ROW_MAJOR,
    rows=RowExpression("torch.amin(self)", "dim"),
)
def amin(self: Tensor, dim: list[int] | None = None, keepdim: bool = False) -> Tensor:
    return _extreme(np.minimum, "amin", self.array, dim, keepdim)


@operator(
    "aten::aminmax(Tensor self, *, int? dim=None, bool keepdim=False) -> (Tensor min, Tensor max)",
    layout=Layout.ROW_MAJOR,
)
def aminmax(self: Tensor, dim: int | None = None, keepdim: bool = False) -> tuple[Tensor, Tensor]:
    dims = None if dim is None else [dim]
    return amin(self, dims, keepdim), amax(self, dims, keepdim)


def _position(
    function: Callable[..., Any], name: str, a: np.ndarray, dim: int | None, keepdim: bool
) -> Tensor:
    if a.dtype is BOOL:
        raise ScriptError("RuntimeError", f"{name}(): does not support bool input")
    check_real(name, a)
    if dim is None:
        if a.size == 0:
            message = (
                f"{name}(): Expected reduction dim to be specified for an empty tensor: give 'dim'"
            )
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


out_forms(
    SAME,
    "max.dim:dim_max(max,max_values) min.dim:dim_min(min,min_indices) aminmax argmax argmin",
)
out_forms(
    same(
        "Expected the dtype for input and out to match, but got {result} for input's dtype and "
        "{out} for out's dtype."
    ),
    "amax amin",
)
out_forms(
    castable("Expected canCast(): {result} cannot be stored in {out}"),
    "max:unary_out min:unary_out",
)
