"""Integrals, combinations, and special functions in terms of others."""

from __future__ import annotations

import itertools

import numpy as np

from tsc.runtime.arrays.dimensions import wrap_dimension
from tsc.runtime.arrays.dtypes import BOOL
from tsc.runtime.arrays.type_promotion import Number
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.operators.elementwise import (
    NOT_REAL_FLOATING,
    Elementwise,
    binary,
)
from tsc.runtime.operators.layout.shape import FULL
from tsc.runtime.operators.out_variants import CASTABLE, out_forms
from tsc.runtime.operators.pointwise.arithmetic import add, div_number, mul, mul_number, sub
from tsc.runtime.operators.reduction.cumulative import cumsum
from tsc.runtime.operators.reduction.reduction import sum_dim
from tsc.runtime.operators.registration import operator
from tsc.runtime.operators.selecting.indexing import select
from tsc.runtime.operators.variants import in_place_forms
from tsc.runtime.values.tensor import Tensor


def _sides(y: Tensor, axis: int) -> tuple[Tensor, Tensor]:
    """The samples without the last one, and without the first."""
    before: tuple[slice, ...] = (FULL,) * axis
    return Tensor(y.array[(*before, slice(0, -1))]), Tensor(y.array[(*before, slice(1, None))])


def _checked_axis(name: str, y: Tensor, dim: int, *others: Tensor) -> int:
    """The axis that is integrated along; samples are no truth values."""
    if y.array.ndim == 0:
        message = f"Dimension specified as {dim} but tensor has no dimensions"
        raise ScriptError("IndexError", message)
    if any(tensor.array.dtype is BOOL for tensor in (y, *others)):
        which = "`x` or `y`" if others else "`y`"
        message = f"{name}: received a bool input for {which}, but bool is not supported"
        raise ScriptError("RuntimeError", message)
    return wrap_dimension(dim, y.array.ndim)


def _steps(name: str, y: Tensor, x: Tensor, axis: int) -> Tensor:
    """The distances between samples, which stand at `x`."""
    a, ndim = x.array, y.array.ndim
    if a.ndim == 1:
        if a.size != y.array.shape[axis]:
            message = (
                f"{name}: There must be one `x` for each sample point: {y.array.shape[axis]}, "
                f"not {a.size}"
            )
            raise ScriptError("RuntimeError", message)
        a = a.reshape([-1 if k == axis else 1 for k in range(ndim)])
    else:
        a = a.reshape((1,) * (ndim - a.ndim) + a.shape)
    return Tensor(np.diff(a, axis=axis))


def _checked_step(name: str, dx: Number) -> float:
    if isinstance(dx, (bool, complex)):
        message = f"{name} can only support dx as a real number, not {dx}"
        raise ScriptError("RuntimeError", message)
    return float(dx)


@operator(
    "aten::trapezoid.x(Tensor y, Tensor x, *, int dim=-1) -> Tensor",
    "aten::trapz.x(Tensor y, Tensor x, *, int dim=-1) -> Tensor",
)
def trapezoid(y: Tensor, x: Tensor, dim: int = -1) -> Tensor:
    if _is_empty(y, dim):
        return _nothing(y, dim)
    axis = _checked_axis("trapezoid", y, dim, x)
    areas = mul(add(*_sides(y, axis)), _steps("trapezoid", y, x, axis))
    return div_number(sum_dim(areas, [axis]), 2.0)


@operator(
    "aten::trapezoid.dx(Tensor y, *, Scalar dx=1, int dim=-1) -> Tensor",
    "aten::trapz.dx(Tensor y, *, float dx=1., int dim=-1) -> Tensor",
)
def trapezoid_spaced(y: Tensor, dx: Number = 1, dim: int = -1) -> Tensor:
    if _is_empty(y, dim):
        return _nothing(y, dim)
    axis = _checked_axis("trapezoid", y, dim)
    step = _checked_step("trapezoid", dx)
    first, last = select(y, axis, 0), select(y, axis, -1)
    ends = mul_number(add(first, last), 0.5)
    return mul_number(sub(sum_dim(y, [axis]), ends), step)


def _is_empty(y: Tensor, dim: int) -> bool:
    return y.array.ndim > 0 and y.array.shape[wrap_dimension(dim, y.array.ndim)] == 0


def _nothing(y: Tensor, dim: int) -> Tensor:
    """Zeros in the shape of `y` without one dimension."""
    shape = list(y.array.shape)
    del shape[wrap_dimension(dim, len(shape))]
    return Tensor(np.zeros(shape, y.array.dtype))


@operator("aten::cumulative_trapezoid.x(Tensor y, Tensor x, *, int dim=-1) -> Tensor")
def cumulative_trapezoid(y: Tensor, x: Tensor, dim: int = -1) -> Tensor:
    name = "cumulative_trapezoid"
    axis = _checked_axis(name, y, dim, x)
    areas = mul(_steps(name, y, x, axis), add(*_sides(y, axis)))
    return div_number(cumsum(areas, axis), 2.0)


@operator("aten::cumulative_trapezoid.dx(Tensor y, *, Scalar dx=1, int dim=-1) -> Tensor")
def cumulative_trapezoid_spaced(y: Tensor, dx: Number = 1, dim: int = -1) -> Tensor:
    name = "cumulative_trapezoid"
    axis = _checked_axis(name, y, dim)
    step = _checked_step(name, dx)
    return cumsum(mul_number(add(*_sides(y, axis)), step / 2), axis)


@operator("aten::combinations(Tensor self, int r=2, bool with_replacement=False) -> Tensor")
def combinations(self: Tensor, r: int = 2, with_replacement: bool = False) -> Tensor:
    a = self.array
    if a.ndim != 1:
        raise ScriptError("RuntimeError", "Expect a 1D vector, but got shape " + str(list(a.shape)))
    choose = itertools.combinations_with_replacement if with_replacement else itertools.combinations
    if r < 0:
        raise ScriptError("RuntimeError", f"Expect a non-negative number, but got {r}")
    if r == 0:
        return Tensor(np.empty(0, a.dtype))
    places = np.array(list(choose(range(a.size), r)), np.int64).reshape(-1, r)
    return Tensor(a[places])


operator("aten::nextafter(Tensor self, Tensor other) -> Tensor")(
    binary(Elementwise(np.nextafter, "nextafter_cpu", refused=NOT_REAL_FLOATING))
)
in_place_forms("nextafter")

out_forms(CASTABLE, "nextafter")
