"""Activation functions and softmax."""

from __future__ import annotations

import math
from collections.abc import Callable

import ml_dtypes
import numpy as np

from runtime.dimensions import wrap_dimension
from runtime.dtypes import (
    BFLOAT16,
    BYTE,
    CATEGORY,
    FLOAT,
    FLOATING,
    HALF,
    NUMPY_OF_CODE,
    scalar_name,
)
from runtime.errors import ScriptError
from runtime.operators.elementwise import BOOL_AND_COMPLEX, FLOATING_DTYPES, not_implemented
from runtime.operators.registration import Kernel, operator
from runtime.operators.variants import in_place_variant
from runtime.special.error_functions import gelu as gelu_array
from runtime.special.logistic import sigmoid as sigmoid_array
from runtime.tensor import Tensor, asarray, wrap
from runtime.type_promotion import Number, number_array

np_maximum, np_subtract, np_exp, np_divide = np.maximum, np.subtract, np.exp, np.true_divide
greatest, total = np.maximum.reduce, np.add.reduce
ZERO = {dtype: np.zeros((), dtype) for dtype in CATEGORY}


def _wide(a: np.ndarray) -> np.ndarray:
    return a.astype(FLOAT) if a.dtype is HALF or a.dtype is BFLOAT16 else a


def _check_floating(name: str, a: np.ndarray) -> None:
    if CATEGORY[a.dtype] != FLOATING:
        raise not_implemented(name, a.dtype)


def activation(
    name: str, arguments: str = "", *, in_place: bool = True
) -> Callable[[Kernel], Kernel]:
    """Declare ``aten::<name>(Tensor self<arguments>)`` with its in-place form."""

    def declare(kernel: Kernel) -> Kernel:
        operator(f"aten::{name}(Tensor self{arguments}) -> Tensor")(kernel)
        if in_place:
            in_place_variant(f"aten::{name}_(Tensor(a!) self{arguments}) -> Tensor(a!)", kernel)
        return kernel

    return declare


@activation("relu")
def relu(self: Tensor) -> Tensor:
    a = self.array
    if a.dtype in BOOL_AND_COMPLEX:
        raise ScriptError("RuntimeError", "Boolean inputs not supported for relu")
    return wrap(np_maximum(a, ZERO[a.dtype]))


@activation("relu6")
def relu6(self: Tensor) -> Tensor:
    return hardtanh(self, 0, 6)


@activation("hardtanh", ", Scalar min_val=-1, Scalar max_val=1")
def hardtanh(self: Tensor, min_val: Number = -1, max_val: Number = 1) -> Tensor:
    a = self.array
    if a.dtype in BOOL_AND_COMPLEX:
        raise ScriptError("RuntimeError", "Bool inputs not supported for hardtanh")
    if a.dtype is BYTE and min_val < 0:
        message = "cannot do hardtanh on an unsigned type with negative limits"
        raise ScriptError("RuntimeError", message)
    low, high = number_array(min_val, a.dtype), number_array(max_val, a.dtype)
    return wrap(np.minimum(np_maximum(a, low), high))


@activation("leaky_relu", ", Scalar negative_slope=0.01")
def leaky_relu(self: Tensor, negative_slope: Number = 0.01) -> Tensor:
    a = self.array
    _check_floating("leaky_relu_cpu", a)
    scaled = (_wide(a) * np.array(negative_slope, _wide(a).dtype)).astype(a.dtype)
    return wrap(np.where(np.greater(a, ZERO[a.dtype]), a, scaled))


@activation("elu", ", Scalar alpha=1, Scalar scale=1, Scalar input_scale=1")
def elu(self: Tensor, alpha: Number = 1, scale: Number = 1, input_scale: Number = 1) -> Tensor:
    a = self.array
    _check_floating("elu_cpu", a)
    x = _wide(a)
    kind = x.dtype.type
    negative = kind(alpha) * np.expm1(x * kind(input_scale)) * kind(scale)
    return Tensor(asarray(np.where(x < 0, negative, x * kind(scale)), a.dtype))


@activation("celu", ", Scalar alpha=1.")
def celu(self: Tensor, alpha: Number = 1.0) -> Tensor:
    if alpha == 0:
        raise ScriptError("RuntimeError", "ZeroDivisionError: alpha cannot be 0 for CELU")
    return elu(self, alpha, 1.0, 1.0 / alpha)


SELU_ALPHA, SELU_SCALE = 1.6732632423543772848170429916717, 1.0507009873554804934193349852946


@activation("selu")
def selu(self: Tensor) -> Tensor:
    return elu(self, SELU_ALPHA, SELU_SCALE, 1)


@activation("gelu", ', *, str approximate="none"')
def gelu(self: Tensor, approximate: str = "none") -> Tensor:
    a = self.array
    _check_floating("GeluKernelImpl", a)
    x = _wide(a)
    kind = x.dtype.type
    if approximate == "none":
        return Tensor(asarray(gelu_array(x), a.dtype))
    if approximate == "tanh":
        gate = np.tanh(kind(math.sqrt(2 / math.pi)) * (x + kind(0.044715) * x * x * x))
    else:
        raise ScriptError("RuntimeError", "approximate argument must be either none or tanh.")
    return Tensor(asarray(kind(0.5) * x * (kind(1) + gate), a.dtype))


@activation("silu")
def silu(self: Tensor) -> Tensor:
    a = self.array
    if a.dtype not in FLOATING_DTYPES:
        raise not_implemented("silu_cpu", a.dtype)
    x = _wide(a)
    return Tensor(asarray(x * sigmoid_array(x), a.dtype))


@activation("mish")
def mish(self: Tensor) -> Tensor:
    a = self.array
    _check_floating("mish_cpu", a)
    x = _wide(a)
    return Tensor(asarray(x * np.tanh(np.logaddexp(x, ZERO[x.dtype])), a.dtype))


@activation("softplus", ", Scalar beta=1, Scalar threshold=20", in_place=False)
def softplus(self: Tensor, beta: Number = 1, threshold: Number = 20) -> Tensor:
    a = self.array
    _check_floating("softplus_cpu", a)
    x = _wide(a)
    kind = x.dtype.type
    scaled = x * kind(beta)
    smooth = np.log1p(np.exp(np.minimum(scaled, kind(threshold)))) / kind(beta)
    return Tensor(asarray(np.where(scaled > kind(threshold), x, smooth), a.dtype))


@activation("hardsigmoid")
def hardsigmoid(self: Tensor) -> Tensor:
    a = self.array
    _check_floating("hardsigmoid_cpu", a)
    x = _wide(a)
    kind = x.dtype.type
    shifted = np.minimum(np_maximum(x + kind(3), kind(0)), kind(6))
    return Tensor(asarray(shifted / kind(6), a.dtype))


@activation("hardswish")
def hardswish(self: Tensor) -> Tensor:
    a = self.array
    _check_floating("hardswish_cpu", a)
    x = _wide(a)
    kind = x.dtype.type
    gate = np.minimum(np_maximum(x + kind(3), kind(0)), kind(6)) / kind(6)
    return Tensor(asarray(x * gate, a.dtype))


@activation("softshrink", ", Scalar lambd=0.5", in_place=False)
def softshrink(self: Tensor, lambd: Number = 0.5) -> Tensor:
    a = self.array
    _check_floating("softshrink_cpu", a)
    if lambd < 0:
        top = float(ml_dtypes.finfo(a.dtype).max)
        message = (
            f"lambda must be in range [0, {top:g}] for input dtype {scalar_name(a.dtype)}, "
            f"but found {lambd:g}"
        )
        raise ScriptError("RuntimeError", message)
    bound = number_array(lambd, a.dtype)
    zero = ZERO[a.dtype]
    inside = np.where(np.less(a, -bound), a + bound, a * zero)
    return wrap(np.where(np.greater(a, bound), a - bound, inside))


@activation("hardshrink", ", Scalar lambd=0.5", in_place=False)
def hardshrink(self: Tensor, lambd: Number = 0.5) -> Tensor:
    a = self.array
    bound = number_array(lambd, a.dtype)
    inside = np.greater_equal(a, -bound) & np.less_equal(a, bound)
    return wrap(np.where(inside, ZERO[a.dtype], a))


@activation("threshold", ", Scalar threshold, Scalar value")
def threshold(self: Tensor, threshold: Number, value: Number) -> Tensor:
    a = self.array
    if a.dtype in BOOL_AND_COMPLEX:
        raise not_implemented("threshold_cpu", a.dtype)
    above = ~np.less_equal(a, number_array(threshold, a.dtype))
    return wrap(np.where(above, a, number_array(value, a.dtype)))


@activation("log_sigmoid", in_place=False)
def log_sigmoid(self: Tensor) -> Tensor:
    a = self.array
    _check_floating("log_sigmoid_cpu", a)
    x = _wide(a)
    return Tensor(asarray(np.minimum(x, 0) - np.log1p(np.exp(-np.abs(x))), a.dtype))


@activation("glu", ", int dim=-1", in_place=False)
def glu(self: Tensor, dim: int = -1) -> Tensor:
    a = self.array
    if a.ndim == 0:
        message = "glu does not support 0-dimensional tensors"
        raise ScriptError("RuntimeError", message)
    dim = wrap_dimension(dim, a.ndim)
    if a.shape[dim] % 2:
        raise ScriptError(
            "RuntimeError",
            f"Halving dimension must be even, but dimension {dim} is size {a.shape[dim]}",
        )
    first, second = np.split(a, 2, dim)
    return Tensor(asarray(_wide(first) * sigmoid_array(_wide(second)), a.dtype))


@operator("aten::prelu(Tensor self, Tensor weight) -> Tensor")
def prelu(self: Tensor, weight: Tensor) -> Tensor:
    a, w = self.array, weight.array
    if w.ndim > 1:
        message = f"prelu: Expected `weight` to be a scalar or 1D tensor, but got: ndim = {w.ndim}"
        raise ScriptError("RuntimeError", message)
    if w.size != 1:
        channels = a.shape[1] if a.ndim > 1 else 1
        if w.size != channels:
            raise ScriptError(
                "RuntimeError",
                "Mismatch of parameter numbers and input channel size. Found parameter numbers = "
                f"{w.size} and channel size = {channels}.",
            )
        w = w.reshape([-1 if k == 1 else 1 for k in range(a.ndim)])
    else:
        w = w.reshape(())
    return wrap(np.where(np.greater(a, ZERO[a.dtype]), a, a * w))


def _softmax_argument(a: np.ndarray, dtype: int | None, name: str) -> tuple[np.ndarray, np.dtype]:
    """The array to take the softmax of, and the dtype of the result."""
    target = a.dtype if dtype is None else NUMPY_OF_CODE[dtype]
    if CATEGORY[target] != FLOATING:
        raise not_implemented(f"{name}_lastdim_kernel_impl", target)
    return _wide(a.astype(target, copy=False)), target


def _shifted(a: np.ndarray, dim: int) -> np.ndarray:
    """`a` minus its greatest element along `dim`, as a fresh array."""
    if a.shape[dim] == 0:
        return a.copy()
    return np_subtract(a, greatest(a, dim, None, None, True))


def softmax_array(a: np.ndarray, dim: int) -> np.ndarray:
    if a.ndim == 0:
        return np.ones_like(a)
    result = _shifted(a, dim)
    np_exp(result, result)
    return np_divide(result, total(result, dim, None, None, True), result)


def log_softmax_array(a: np.ndarray, dim: int) -> np.ndarray:
    if a.ndim == 0:
        return np.zeros_like(a)
    result = _shifted(a, dim)
    return np_subtract(result, np.log(total(np_exp(result), dim, None, None, True)), result)


@operator("aten::softmax.int(Tensor self, int dim, ScalarType? dtype=None) -> Tensor")
def softmax(self: Tensor, dim: int, dtype: int | None = None) -> Tensor:
    a = self.array
    if dtype is None and a.dtype is FLOAT and -a.ndim <= dim < a.ndim:
        return Tensor(softmax_array(a, dim))
    a, target = _softmax_argument(a, dtype, "softmax")
    wrap_dimension(dim, a.ndim)
    return Tensor(asarray(softmax_array(a, dim), target))


@operator("aten::log_softmax.int(Tensor self, int dim, ScalarType? dtype=None) -> Tensor")
def log_softmax(self: Tensor, dim: int, dtype: int | None = None) -> Tensor:
    a, target = _softmax_argument(self.array, dtype, "log_softmax")
    wrap_dimension(dim, a.ndim)
    return Tensor(asarray(log_softmax_array(a, dim), target))


@operator("aten::_softmax(Tensor self, int dim, bool half_to_float) -> Tensor")
def softmax_forward(self: Tensor, dim: int, half_to_float: bool) -> Tensor:
    return softmax(self, dim, 6 if half_to_float else None)


@operator("aten::_log_softmax(Tensor self, int dim, bool half_to_float) -> Tensor")
def log_softmax_forward(self: Tensor, dim: int, half_to_float: bool) -> Tensor:
    return log_softmax(self, dim, 6 if half_to_float else None)


@operator("aten::_safe_softmax(Tensor self, int dim, ScalarType? dtype=None) -> Tensor")
def safe_softmax(self: Tensor, dim: int, dtype: int | None = None) -> Tensor:
    """Zeros, not NaN, where everything along `dim` is masked by negative infinity."""
    result = softmax(self, dim, dtype).array
    masked = np.equal(self.array, -np.inf)
    if masked.ndim:
        masked = masked.all(wrap_dimension(dim, masked.ndim), keepdims=True)
    return Tensor(asarray(np.where(masked, np.zeros((), result.dtype), result)))
