"""Arithmetic of three tensors in one step: addcmul, addcdiv and lerp."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tsc.runtime.arrays.dimensions import broadcast_shape
from tsc.runtime.arrays.dtypes import BOOL, CATEGORY, FLOATING
from tsc.runtime.arrays.type_promotion import (
    COMPUTE_DTYPE,
    Number,
    checked_number_array,
    result_dtype,
)
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.operators.elementwise import FLOATING_DTYPES, composed, not_implemented
from tsc.runtime.operators.out_variants import C_NAMES, CASTABLE, SAME_FOUND, out_forms
from tsc.runtime.operators.pointwise.arithmetic import add, add_number
from tsc.runtime.operators.registration import operator
from tsc.runtime.operators.variants import in_place_forms
from tsc.runtime.values.tensor import Tensor, asarray

FROM_START = "self + weight * (end - self)"
FROM_END = "end - (end - self) * (1 - weight)"


def _added(
    name: str,
    tensors: tuple[Tensor, Tensor, Tensor],
    value: Number,
    combine: Callable[..., np.ndarray],
) -> Tensor:
    """`combine` of three tensors and a number, reckoned in the dtype that the tensors meet in."""
    a, b, c = arrays = [tensor.array for tensor in tensors]
    dtype = a.dtype if a.dtype is b.dtype is c.dtype else result_dtype(arrays)
    if dtype is BOOL:
        raise not_implemented(name, dtype)
    if not a.shape == b.shape == c.shape:
        broadcast_shape(a.shape, b.shape, c.shape)
    compute = COMPUTE_DTYPE.get(dtype, dtype)
    if not a.dtype is b.dtype is c.dtype is compute:
        a, b, c = (each.astype(compute, copy=False) for each in arrays)
    result = asarray(combine(a, b, c, checked_number_array(value, compute)))
    return Tensor(result if result.dtype is dtype else result.astype(dtype))


@operator(
    "aten::addcmul(Tensor self, Tensor tensor1, Tensor tensor2, *, Scalar value=1) -> Tensor",
    expression=composed("self + value * tensor1 * tensor2"),
)
def addcmul(self: Tensor, tensor1: Tensor, tensor2: Tensor, value: Number = 1) -> Tensor:
    tensors = (self, tensor1, tensor2)
    return _added("addcmul_cpu_out", tensors, value, _plus_product)


def _plus_product(a: np.ndarray, b: np.ndarray, c: np.ndarray, value: np.ndarray) -> np.ndarray:
    return a + (b * c if value == 1 else value * b * c)


@operator(
    "aten::addcdiv(Tensor self, Tensor tensor1, Tensor tensor2, *, Scalar value=1) -> Tensor",
    expression=composed("self + value * tensor1 / tensor2"),
)
def addcdiv(self: Tensor, tensor1: Tensor, tensor2: Tensor, value: Number = 1) -> Tensor:
    if tensor1.array.dtype not in FLOATING_DTYPES and tensor2.array.dtype not in FLOATING_DTYPES:
        raise ScriptError(
            "RuntimeError",
            "Integer division with addcdiv is no longer supported, and in a future  release "
            "addcdiv will perform a true division of tensor1 and tensor2. The historic addcdiv "
            "behavior can be implemented as (input + value * torch.trunc(tensor1 / tensor2))"
            ".to(input.dtype) for integer inputs and as (input + value * tensor1 / tensor2) for "
            "float inputs. The future addcdiv behavior is just the latter implementation: "
            "(input + value * tensor1 / tensor2), for all dtypes.",
        )
    tensors = (self, tensor1, tensor2)
    return _added("addcdiv_cpu_out", tensors, value, lambda a, b, c, v: a + v * b / c)


def _check_dtype(name: str, expected: np.dtype, found: np.dtype) -> None:
    if expected is not found:
        raise ScriptError(
            "RuntimeError",
            f"expected dtype {C_NAMES[expected.name]} for `{name}` but got dtype "
            f"{C_NAMES[found.name]}",
        )


def _between(
    name: str, start: np.ndarray, end: np.ndarray, weight: np.ndarray, dtype: np.dtype
) -> Tensor:
    """From `start` to `end` in `dtype`, reckoned from the nearer of the two."""
    if start.shape != end.shape or weight.ndim:
        broadcast_shape(start.shape, end.shape, weight.shape)
    if CATEGORY[dtype] < FLOATING:
        raise not_implemented(name, dtype)
    compute = COMPUTE_DTYPE.get(dtype, dtype)
    a, b, w = (x.astype(compute, copy=False) for x in (start, end, weight))
    if w.ndim == 0:
        result = _from_start(a, b, w) if abs(w.item()) < 0.5 else _from_end(a, b, w)
    else:
        result = np.where(np.abs(w) < 0.5, _from_start(a, b, w), _from_end(a, b, w))
    return Tensor(asarray(result).astype(dtype, copy=False))


def _from_start(start: np.ndarray, end: np.ndarray, weight: np.ndarray) -> np.ndarray:
    return start + weight * (end - start)


def _from_end(start: np.ndarray, end: np.ndarray, weight: np.ndarray) -> np.ndarray:
    return end - (end - start) * (1 - weight)


@operator(
    "aten::lerp.Scalar(Tensor self, Tensor end, Scalar weight) -> Tensor",
    expression=composed(f"{FROM_START} if weight * weight < 0.25 else {FROM_END}"),
)
def lerp_number(self: Tensor, end: Tensor, weight: Number) -> Tensor:
    a, b = self.array, end.array
    _check_dtype("end", a.dtype, b.dtype)
    dtype: np.dtype = a.dtype
    number = checked_number_array(weight, COMPUTE_DTYPE.get(dtype, dtype))
    return _between("lerp_kernel_scalar", a, b, number, dtype)


@operator(
    "aten::lerp.Tensor(Tensor self, Tensor end, Tensor weight) -> Tensor",
    expression=composed(f"torch.where(torch.abs(weight) < 0.5, {FROM_START}, {FROM_END})"),
)
def lerp(self: Tensor, end: Tensor, weight: Tensor) -> Tensor:
    a, b, w = self.array, end.array, weight.array
    _check_dtype("end", a.dtype, b.dtype)
    if w.ndim == 0:
        return _between("lerp_kernel_tensor", a, b, w, result_dtype((a, b, w)))
    _check_dtype("weight", a.dtype, w.dtype)
    return _between("lerp_kernel_tensor", a, b, w, a.dtype)


def _positive_part(tensor: Tensor) -> Tensor:
    """Of a result that nobody else has: 0 where it is less, NaN where it is that."""
    a = tensor.array
    if a.dtype is BOOL:
        raise not_implemented("add_clamp", BOOL)
    return Tensor(asarray(np.maximum(a, a.dtype.type(0))))


@operator("aten::_add_relu.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor")
def add_relu(self: Tensor, other: Tensor, alpha: Number = 1) -> Tensor:
    return _positive_part(add(self, other, alpha))


@operator("aten::_add_relu.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor")
def add_number_relu(self: Tensor, other: Number, alpha: Number = 1) -> Tensor:
    return _positive_part(add_number(self, other, alpha))


in_place_forms("_add_relu.Tensor _add_relu.Scalar")
in_place_forms("addcmul addcdiv lerp.Scalar lerp.Tensor")
out_forms(CASTABLE, "addcdiv addcmul lerp.Scalar")
out_forms(SAME_FOUND, "lerp.Tensor")
