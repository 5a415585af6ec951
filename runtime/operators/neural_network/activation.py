"""Activation functions."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Unpack

import numpy as np

from tsc.compiler.schema import Layout, Options, Promotion, ScalarExpression
from tsc.runtime.arrays.dimensions import check_broadcast, check_not_expanded, wrap_dimension
from tsc.runtime.arrays.dtypes import BFLOAT16, BOOL, BYTE, CATEGORY, FLOATING, scalar_name
from tsc.runtime.arrays.half_precision import narrowed, widened
from tsc.runtime.arrays.type_promotion import (
    COMPUTE_DTYPE,
    Number,
    number_array,
    real_number,
)
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.numerics.neural import activations
from tsc.runtime.numerics.neural.blocks import InPlace, in_blocks
from tsc.runtime.numerics.special.error_functions import gelu as gelu_array
from tsc.runtime.operators.elementwise import (
    BOOL_AND_COMPLEX,
    FLOATING_DTYPES,
    composed,
    not_implemented,
)
from tsc.runtime.operators.kernel_notes import Kernel
from tsc.runtime.operators.out_variants import (
    CASTABLE,
    SAME,
    SAME_FOUND,
    out_form,
    out_forms,
    same,
)
from tsc.runtime.operators.pointwise.clamping import at_least
from tsc.runtime.operators.registration import operator
from tsc.runtime.operators.variants import in_place_form, in_place_forms
from tsc.runtime.values.tensor import Tensor, asarray

ZERO = {dtype: np.zeros((), dtype) for dtype in CATEGORY}
_MANY = 1 << 11
"""From this size on, clipping is faster than taking the maximum with a number."""


def check_floating(name: str, a: np.ndarray) -> None:
    if CATEGORY[a.dtype] != FLOATING:
        raise not_implemented(name, a.dtype)


def activation(
    name: str, arguments: str = "", *, in_place: bool = True, **options: Unpack[Options]
) -> Callable[[Kernel], Kernel]:
    """Declare ``aten::<name>(Tensor self<arguments>)`` with its in-place form."""

    def declare(kernel: Kernel) -> Kernel:
        operator(f"aten::{name}(Tensor self{arguments}) -> Tensor", **options)(kernel)
        if in_place:
            in_place_forms(name)
        return kernel

    return declare


@activation("relu", in_place=False, expression=composed("torch.clamp_min(self, 0)"))
def relu(self: Tensor) -> Tensor:
    return Tensor(_rectified(self.array, None))


@in_place_form("relu")
def relu_(self: Tensor) -> Tensor:
    check_not_expanded(self.array)
    _rectified(self.array, self.array)
    return self


def _rectified(a: np.ndarray, out: np.ndarray | None) -> np.ndarray:
    if a.dtype in BOOL_AND_COMPLEX:
        raise _unbounded(a.dtype, "Boolean inputs not supported for relu")
    if a.size > _MANY and a.dtype.kind == "f":
        return np.clip(a, 0, np.inf, out)
    return asarray(at_least(a, ZERO[a.dtype], out))


def _unbounded(dtype: np.dtype, message: str) -> ScriptError:
    if dtype is BOOL:
        return ScriptError("RuntimeError", message)
    return ScriptError("NotImplementedError", "clamp is not supported for complex types")


@activation("relu6", expression=composed("torch.clamp_max(torch.clamp_min(self, 0), 6)"))
def relu6(self: Tensor) -> Tensor:
    return hardtanh(self, 0, 6)


@activation(
    "hardtanh",
    ", Scalar min_val=-1, Scalar max_val=1",
    in_place=False,
    expression=composed("torch.clamp_max(torch.clamp_min(self, min_val), max_val)"),
)
def hardtanh(self: Tensor, min_val: Number = -1, max_val: Number = 1) -> Tensor:
    return Tensor(_between(self.array, min_val, max_val, None))


@in_place_form("hardtanh")
def hardtanh_(self: Tensor, min_val: Number = -1, max_val: Number = 1) -> Tensor:
    check_not_expanded(self.array)
    _between(self.array, min_val, max_val, self.array)
    return self


def _between(a: np.ndarray, low: Number, high: Number, out: np.ndarray | None) -> np.ndarray:
    if a.dtype in BOOL_AND_COMPLEX:
        raise _unbounded(a.dtype, "Bool inputs not supported for hardtanh")
    low, high = real_number(low), real_number(high)
    if a.dtype is BYTE and int(low) < 0:
        message = f"cannot do hardtanh on an unsigned type (uint8) with the negative limit {low}"
        raise ScriptError("RuntimeError", message)
    lower, upper = number_array(low, a.dtype), number_array(high, a.dtype)
    if a.dtype is not BFLOAT16:
        return asarray(np.clip(a, lower, upper, out))
    result = np.clip(widened(a), widened(lower), widened(upper)).astype(BFLOAT16)
    if out is None:
        return asarray(result)
    out[...] = result
    return out


def elementwise(kernel: str, a: np.ndarray, function: InPlace) -> Tensor:
    """An activation of floating-point numbers; the half-precision ones are computed wider."""
    check_floating(kernel, a)
    return Tensor(narrowed(in_blocks(function, widened(a)), a.dtype))


def _numbers(kernel: str, a: np.ndarray, *values: Number) -> list[Any]:
    """`values` as scalars of the dtype that `a`, which must be floating-point, is computed in."""
    check_floating(kernel, a)
    kind = COMPUTE_DTYPE.get(a.dtype, a.dtype).type
    try:
        return [kind(value) for value in values]
    except TypeError:  # one is complex
        return [kind(real_number(value, "float")) for value in values]


@activation(
    "leaky_relu",
    ", Scalar negative_slope=0.01",
    layout=Layout.AS_FIRST,
    expression=composed("torch.where(self > 0, self, self * negative_slope)"),
)
def leaky_relu(self: Tensor, negative_slope: Number = 0.01) -> Tensor:
    (slope,) = _numbers("leaky_relu_cpu", self.array, negative_slope)
    return elementwise(
        "leaky_relu_cpu", self.array, lambda x, out: activations.leaky(x, out, slope)
    )


@activation(
    "elu",
    ", Scalar alpha=1, Scalar scale=1, Scalar input_scale=1",
    layout=Layout.AS_FIRST,
    expression=composed(
        "torch.where(self > 0, self * scale, torch.expm1(self * input_scale) * (alpha * scale))"
    ),
)
def elu(self: Tensor, alpha: Number = 1, scale: Number = 1, input_scale: Number = 1) -> Tensor:
    slope, outer, inner = _numbers("elu_cpu", self.array, alpha, scale, input_scale)
    numbers = slope * outer, outer, inner
    return elementwise(
        "elu_cpu", self.array, lambda x, out: activations.exponential_linear(x, out, *numbers)
    )


@activation(
    "celu",
    ", Scalar alpha=1.",
    expression=composed("torch.where(self > 0, self, torch.expm1(self / alpha) * alpha)"),
)
def celu(self: Tensor, alpha: Number = 1.0) -> Tensor:
    if alpha == 0:
        raise ScriptError(
            "RuntimeError", "ZeroDivisionError: alpha cannot be 0: celu divides by it"
        )
    return elu(self, alpha, 1.0, 1.0 / alpha)


SELU_ALPHA, SELU_SCALE = 1.6732632423543772848170429916717, 1.0507009873554804934193349852946


@activation(
    "selu",
    expression=composed(
        f"torch.where(self > 0, self * {SELU_SCALE}, torch.expm1(self) * {SELU_ALPHA * SELU_SCALE})"
    ),
)
def selu(self: Tensor) -> Tensor:
    return elu(self, SELU_ALPHA, SELU_SCALE, 1)


HALF_ROOT, TANH_ROOT = math.sqrt(0.5), math.sqrt(2 / math.pi)


@activation(
    "gelu",
    ', *, str approximate="none"',
    layout=Layout.AS_FIRST,
    expression=composed(
        f"0.5 * self * (1 + torch.tanh({TANH_ROOT} * (self + 0.044715 * self * self * self)))"
        f" if approximate == 'tanh' else 0.5 * self * (1 + torch.erf(self * {HALF_ROOT}))"
    ),
)
def gelu(self: Tensor, approximate: str = "none") -> Tensor:
    if approximate == "none":
        check_floating("GeluKernelImpl", self.array)
        return Tensor(narrowed(gelu_array(widened(self.array)), self.array.dtype))
    if approximate == "tanh":
        return elementwise("GeluKernelImpl", self.array, activations.tanh_gelu)
    message = f"approximate argument must be either 'none' or 'tanh', not {approximate!r}"
    raise ScriptError("RuntimeError", message)


@activation("silu", layout=Layout.AS_FIRST, expression=composed("self / (1 + torch.exp(-self))"))
def silu(self: Tensor) -> Tensor:
    a = self.array
    if a.dtype not in FLOATING_DTYPES:
        raise not_implemented("silu_cpu", a.dtype)
    result = in_blocks(activations.logistic_linear, widened(a))
    return Tensor(narrowed(result, a.dtype))


@activation(
    "mish",
    layout=Layout.AS_FIRST,
    expression=composed("self * torch.tanh(torch.log1p(torch.exp(self)))"),
)
def mish(self: Tensor) -> Tensor:
    return elementwise("mish_cpu", self.array, activations.mish)


@activation(
    "softplus",
    ", Scalar beta=1, Scalar threshold=20",
    in_place=False,
    layout=Layout.AS_FIRST,
    expression=composed(
        "torch.where(self * beta > threshold, self, torch.log1p(torch.exp(self * beta)) / beta)"
    ),
)
def softplus(self: Tensor, beta: Number = 1, threshold: Number = 20) -> Tensor:
    numbers = _numbers("softplus_cpu", self.array, beta, threshold)
    return elementwise(
        "softplus_cpu", self.array, lambda x, out: activations.softplus(x, out, *numbers)
    )


@activation(
    "hardsigmoid", expression=composed("torch.clamp_max(torch.clamp_min(self + 3, 0), 6) / 6")
)
def hardsigmoid(self: Tensor) -> Tensor:
    return elementwise("hardsigmoid_cpu", self.array, activations.hard_logistic)


@activation(
    "hardswish",
    layout=Layout.AS_FIRST,
    expression=composed("self * torch.clamp_max(torch.clamp_min(self + 3, 0), 6) / 6"),
)
def hardswish(self: Tensor) -> Tensor:
    return elementwise("hardswish_cpu", self.array, activations.hard_swish)


@activation(
    "log_sigmoid",
    in_place=False,
    layout=Layout.ROW_MAJOR,
    expression=composed("torch.clamp_max(self, 0) - torch.log1p(torch.exp(-torch.abs(self)))"),
)
def log_sigmoid(self: Tensor) -> Tensor:
    return elementwise("log_sigmoid_cpu", self.array, activations.log_logistic)


@operator("aten::log_sigmoid_forward(Tensor self) -> (Tensor output, Tensor buffer)")
def log_sigmoid_forward(self: Tensor) -> tuple[Tensor, Tensor]:
    """The buffer, for the gradient, is exp(-|x|)."""
    a = self.array
    result = log_sigmoid(self)
    return result, Tensor(narrowed(np.exp(-np.abs(widened(a))), a.dtype))


@activation(
    "glu",
    ", int dim=-1",
    in_place=False,
    layout=Layout.AS_IMAGE,
    expression=ScalarExpression(
        Promotion.MEETING, "first / (1 + torch.exp(-second))", halved_along="dim"
    ),
)
def glu(self: Tensor, dim: int = -1) -> Tensor:
    a = self.array
    if a.ndim == 0:
        message = "glu does not support 0-dimensional tensors"
        raise ScriptError("RuntimeError", message)
    dim = wrap_dimension(dim, a.ndim)
    if a.shape[dim] % 2:
        raise ScriptError(
            "RuntimeError",
            f"Halving dimension must be even: the size of dimension {dim} is {a.shape[dim]}",
        )
    check_floating("glu_cpu", a)
    first, second = (widened(half) for half in np.split(a, 2, dim))
    return Tensor(narrowed(in_blocks(activations.gated, first, second), a.dtype))


@operator("aten::prelu(Tensor self, Tensor weight) -> Tensor", layout=Layout.AS_OPERANDS)
def prelu(self: Tensor, weight: Tensor) -> Tensor:
    a, w = self.array, weight.array
    if a.dtype is not w.dtype:
        raise ScriptError(
            "RuntimeError",
            f"prelu: Type promoting not supported. Got {scalar_name(a.dtype)} and "
            f"{scalar_name(w.dtype)}",
        )
    if w.ndim > 1:
        message = f"prelu: Expected `weight` to be a scalar or 1D tensor, but got: ndim = {w.ndim}"
        raise ScriptError("RuntimeError", message)
    if w.size != 1:
        channels = a.shape[1] if a.ndim > 1 else 1
        if w.size != channels:
            raise ScriptError(
                "RuntimeError",
                "Mismatch of parameter numbers and input channel size: prelu has "
                f"{w.size} weights for {channels} channels; pass one, or one a channel",
            )
        w = w.reshape([-1 if k == 1 else 1 for k in range(a.ndim)])
    else:
        w = w.reshape(())
    return prelu_kernel(self, Tensor(w))


@operator(
    "aten::_prelu_kernel(Tensor self, Tensor weight) -> Tensor",
    expression=composed("torch.where(self > 0, self, weight * self)"),
)
def prelu_kernel(self: Tensor, weight: Tensor) -> Tensor:
    """The weight has as many dimensions as the input."""
    a = self.array
    check_floating("prelu_cpu", a)
    x = widened(a)
    check_broadcast(x, weight.array)
    result = np.empty(x.shape, x.dtype)
    activations.leaky(x, result, widened(weight.array))
    return Tensor(narrowed(result, a.dtype))


out_forms(CASTABLE, "glu")
out_forms(
    SAME_FOUND,
    "elu gelu hardsigmoid hardswish hardtanh leaky_relu mish silu softplus",
)
out_forms(SAME, "celu relu")
_SCALAR_TYPE = same("expected scalar type {result} but found {out}")
out_forms(_SCALAR_TYPE, "log_sigmoid")
out_form(
    _SCALAR_TYPE,
    "log_sigmoid_forward",
    "aten::log_sigmoid_forward.output(Tensor self, *, Tensor(a!) output, Tensor(b!) buffer)"
    " -> (Tensor(a!), Tensor(b!))",
)
