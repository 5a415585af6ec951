"""Integrals, combinations, powers in float64, and special functions in terms of others."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np

from runtime.dimensions import check_broadcast, wrap_dimension
from runtime.dtypes import CATEGORY, COMPLEX, COMPLEX_DOUBLE, DOUBLE, scalar_name
from runtime.errors import ScriptError
from runtime.operators.elementwise import (
    NOT_REAL_FLOATING,
    Elementwise,
    binary,
)
from runtime.operators.registration import operator
from runtime.operators.variants import in_place_variant, store
from runtime.tensor import Tensor, wrap
from runtime.type_promotion import Number, floating_dtype, pair_dtype, result_dtype


def _areas(y: np.ndarray, spacing: np.ndarray | Number, dim: int) -> tuple[np.ndarray, int]:
    """The trapezoids between successive samples."""
    if y.ndim == 0:
        raise ScriptError("RuntimeError", "trapezoid: expected at least one dimension")
    axis = wrap_dimension(dim, y.ndim)
    y = y.astype(floating_dtype(y.dtype), copy=False)
    left = np.take(y, np.arange(y.shape[axis] - 1), axis)
    right = np.take(y, np.arange(1, y.shape[axis]), axis)
    if type(spacing) is np.ndarray:
        if spacing.ndim == 1:
            spacing = spacing.reshape([-1 if k == axis else 1 for k in range(y.ndim)])
        dtype = pair_dtype(y, spacing)
        steps = np.diff(spacing.astype(dtype), axis=axis)
        return (left + right).astype(dtype) * steps / dtype.type(2), axis
    return (left + right) * np.array(spacing / 2, y.dtype), axis


@operator(
    "aten::trapezoid.x(Tensor y, Tensor x, *, int dim=-1) -> Tensor",
    "aten::trapz.x(Tensor y, Tensor x, *, int dim=-1) -> Tensor",
)
def trapezoid(y: Tensor, x: Tensor, dim: int = -1) -> Tensor:
    areas, axis = _areas(y.array, x.array, dim)
    return wrap(areas.sum(axis))


@operator(
    "aten::trapezoid.dx(Tensor y, *, Scalar dx=1, int dim=-1) -> Tensor",
    "aten::trapz.dx(Tensor y, *, float dx=1., int dim=-1) -> Tensor",
)
def trapezoid_spaced(y: Tensor, dx: Number = 1, dim: int = -1) -> Tensor:
    areas, axis = _areas(y.array, dx, dim)
    return wrap(areas.sum(axis))


@operator("aten::cumulative_trapezoid.x(Tensor y, Tensor x, *, int dim=-1) -> Tensor")
def cumulative_trapezoid(y: Tensor, x: Tensor, dim: int = -1) -> Tensor:
    areas, axis = _areas(y.array, x.array, dim)
    return wrap(areas.cumsum(axis))


@operator("aten::cumulative_trapezoid.dx(Tensor y, *, Scalar dx=1, int dim=-1) -> Tensor")
def cumulative_trapezoid_spaced(y: Tensor, dx: Number = 1, dim: int = -1) -> Tensor:
    areas, axis = _areas(y.array, dx, dim)
    return wrap(areas.cumsum(axis))


@operator("aten::combinations(Tensor self, int r=2, bool with_replacement=False) -> Tensor")
def combinations(self: Tensor, r: int = 2, with_replacement: bool = False) -> Tensor:
    a = self.array
    if a.ndim != 1:
        raise ScriptError("RuntimeError", "Expect a 1D vector, but got shape " + str(list(a.shape)))
    choose = itertools.combinations_with_replacement if with_replacement else itertools.combinations
    places = np.array(list(choose(range(a.size), r)), np.int64).reshape(-1, r)
    return Tensor(a[places])


def _double(*operands: np.ndarray | Number) -> Iterator[np.ndarray]:
    """The operands in float64, or in complex128 if one of them is complex."""
    is_complex = CATEGORY[result_dtype(operands)] == COMPLEX
    dtype = COMPLEX_DOUBLE if is_complex else DOUBLE
    for operand in operands:
        yield operand.astype(dtype) if type(operand) is np.ndarray else np.array(operand, dtype)


def _float_power(base: np.ndarray | Number, exponent: np.ndarray | Number) -> Tensor:
    a, b = _double(base, exponent)
    check_broadcast(a, b)
    return wrap(np.power(a, b))


@operator("aten::float_power.Tensor_Tensor(Tensor self, Tensor exponent) -> Tensor")
def float_power(self: Tensor, exponent: Tensor) -> Tensor:
    return _float_power(self.array, exponent.array)


@operator("aten::float_power.Tensor_Scalar(Tensor self, Scalar exponent) -> Tensor")
def float_power_number(self: Tensor, exponent: Number) -> Tensor:
    return _float_power(self.array, exponent)


@operator("aten::float_power.Scalar(Scalar self, Tensor exponent) -> Tensor")
def number_float_power(self: Number, exponent: Tensor) -> Tensor:
    return _float_power(self, exponent.array)


def _checked_base(target: Tensor, result: Tensor) -> Tensor:
    """`result`, which must have the dtype of the tensor that it is to be written into."""
    if result.array.dtype is not target.array.dtype:
        raise ScriptError(
            "RuntimeError",
            f"the base given to float_power_ has dtype {scalar_name(target.array.dtype)} but the "
            f"operation's result requires dtype {scalar_name(result.array.dtype)}",
        )
    return result


@operator("aten::float_power_.Tensor(Tensor(a!) self, Tensor exponent) -> Tensor(a!)")
def float_power_(self: Tensor, exponent: Tensor) -> Tensor:
    return store(self, _checked_base(self, float_power(self, exponent)).array)


@operator("aten::float_power_.Scalar(Tensor(a!) self, Scalar exponent) -> Tensor(a!)")
def float_power_number_(self: Tensor, exponent: Number) -> Tensor:
    return store(self, _checked_base(self, float_power_number(self, exponent)).array)


nextafter = operator("aten::nextafter(Tensor self, Tensor other) -> Tensor")(
    binary(Elementwise(np.nextafter, "nextafter_cpu", refused=NOT_REAL_FLOATING))
)
in_place_variant("aten::nextafter_(Tensor(a!) self, Tensor other) -> Tensor(a!)", nextafter)
