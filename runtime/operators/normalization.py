"""Normalization over batches, layers, groups and instances."""

from __future__ import annotations

import math

import numpy as np

from runtime.dtypes import BFLOAT16, DOUBLE, FLOAT, HALF
from runtime.errors import ScriptError
from runtime.operators.registration import operator
from runtime.tensor import Tensor, asarray
from runtime.type_promotion import Number

add_reduce = np.add.reduce


def _wide(a: np.ndarray) -> np.ndarray:
    return a.astype(FLOAT) if a.dtype is HALF or a.dtype is BFLOAT16 else a


def _normalized(
    a: np.ndarray, axes: tuple[int, ...], count: int, eps: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """`a` with mean 0 and variance 1 over `axes`, the mean, and the reciprocal deviation."""
    kind = a.dtype.type
    average = add_reduce(a, axes, None, None, True) / kind(count)
    deviation = a - average
    variance = add_reduce(deviation * deviation, axes, None, None, True) / kind(count)
    scale = np.reciprocal(np.sqrt(variance + kind(eps)))
    return np.multiply(deviation, scale, deviation), average, scale


def _affine(result: np.ndarray, weight: np.ndarray | None, bias: np.ndarray | None) -> np.ndarray:
    """``result * weight + bias``, in place."""
    if weight is not None:
        result = (
            np.multiply(result, weight, result) if weight.dtype == result.dtype else result * weight
        )
    if bias is not None:
        result = np.add(result, bias, result) if bias.dtype == result.dtype else result + bias
    return result


def _check_normalized_shape(a: np.ndarray, shape: list[int], weight: Tensor | None) -> None:
    if not shape:
        raise ScriptError(
            "RuntimeError",
            "Expected normalized_shape to be at least 1-dimensional, i.e., containing at least "
            "one element, but got normalized_shape = []",
        )
    expected_shape = tuple(shape)
    if weight is not None and weight.array.shape != expected_shape:
        raise ScriptError(
            "RuntimeError",
            "Expected weight to be of same shape as normalized_shape, but got weight of shape "
            f"{list(weight.array.shape)} and normalized_shape = {list(shape)}",
        )
    if a.shape[a.ndim - len(shape) :] != expected_shape or len(shape) > a.ndim:
        expected = ", ".join(["*", *map(str, shape)])
        raise ScriptError(
            "RuntimeError",
            f"Given normalized_shape={list(shape)}, expected input with shape [{expected}], "
            f"but got input of size{list(a.shape)}",
        )


def _layer_norm(
    a: np.ndarray,
    shape: list[int],
    weight: Tensor | None,
    bias: Tensor | None,
    eps: float,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    _check_normalized_shape(a, shape, weight)
    axes = tuple(range(a.ndim - len(shape), a.ndim))
    result, average, scale = _normalized(_wide(a), axes, math.prod(shape), eps)
    result = _affine(
        result, None if weight is None else weight.array, None if bias is None else bias.array
    )
    return result.astype(a.dtype, copy=False), average, scale


@operator(
    "aten::layer_norm(Tensor input, SymInt[] normalized_shape, Tensor? weight=None,"
    " Tensor? bias=None, float eps=1.0000000000000001e-05, bool cudnn_enable=True) -> Tensor"
)
def layer_norm(
    input: Tensor,
    normalized_shape: list[int],
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    eps: float = 1e-5,
    cudnn_enable: bool = True,
) -> Tensor:
    return Tensor(_layer_norm(input.array, normalized_shape, weight, bias, eps)[0])


@operator(
    "aten::native_layer_norm(Tensor input, SymInt[] normalized_shape, Tensor? weight,"
    " Tensor? bias, float eps) -> (Tensor, Tensor, Tensor)"
)
def native_layer_norm(
    input: Tensor,
    normalized_shape: list[int],
    weight: Tensor | None,
    bias: Tensor | None,
    eps: float,
) -> tuple[Tensor, Tensor, Tensor]:
    results = _layer_norm(input.array, normalized_shape, weight, bias, eps)
    return tuple(Tensor(result) for result in results)


@operator(
    "aten::rms_norm(Tensor input, SymInt[] normalized_shape, Tensor? weight=None,"
    " float? eps=None) -> Tensor"
)
def rms_norm(
    input: Tensor,
    normalized_shape: list[int],
    weight: Tensor | None = None,
    eps: float | None = None,
) -> Tensor:
    a = input.array
    _check_normalized_shape(a, normalized_shape, weight)
    x = _wide(a)
    kind = x.dtype.type
    small = kind(np.finfo(x.dtype).eps if eps is None else eps)
    axes = tuple(range(a.ndim - len(normalized_shape), a.ndim))
    square = add_reduce(x * x, axes, None, None, True) / kind(math.prod(normalized_shape))
    result = x * np.reciprocal(np.sqrt(square + small))
    result = _affine(result, None if weight is None else weight.array, None)
    return Tensor(asarray(result, a.dtype))


def _per_channel(values: np.ndarray | None, ndim: int) -> np.ndarray | None:
    return None if values is None else values.reshape([-1 if k == 1 else 1 for k in range(ndim)])


def _array(tensor: Tensor | None) -> np.ndarray | None:
    return None if tensor is None else tensor.array


def _check_channels(a: np.ndarray, **vectors: Tensor | None) -> None:
    for name, vector in vectors.items():
        if vector is not None and vector.array.size != a.shape[1]:
            raise ScriptError(
                "RuntimeError",
                f"{name} should contain {a.shape[1]} elements not {vector.array.size}",
            )


def _batch_norm(
    input: Tensor,
    weight: Tensor | None,
    bias: Tensor | None,
    running_mean: Tensor | None,
    running_var: Tensor | None,
    training: bool,
    momentum: float,
    eps: float,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    a = input.array
    _check_channels(a, running_mean=running_mean, running_var=running_var, weight=weight, bias=bias)
    x = _wide(a)
    axes = (0, *range(2, a.ndim))
    if training:
        count = a.size // a.shape[1] if a.shape[1] else 0
        _check_batch(a, count)
        result, average, scale = _normalized(x, axes, count, eps)
        _update_running(running_mean, running_var, average, scale, count, momentum, eps)
        average, scale = average.reshape(-1), scale.reshape(-1)
    else:
        if running_mean is None or running_var is None:
            message = "Expected running_mean and running_var to be defined when training=False"
            raise ScriptError("RuntimeError", message)
        kind = x.dtype.type
        factor = np.reciprocal(np.sqrt(_per_channel(running_var.array, a.ndim) + kind(eps)))
        result = (x - _per_channel(running_mean.array, a.ndim)) * factor
        average = scale = np.empty(0, x.dtype)
    result = _affine(
        result, _per_channel(_array(weight), a.ndim), _per_channel(_array(bias), a.ndim)
    )
    return result.astype(a.dtype, copy=False), average, scale


def _check_batch(a: np.ndarray, count: int) -> None:
    if count == 0:
        message = "input tensor must have at least one element"
        raise ScriptError("ValueError", message)


def _update_running(
    running_mean: Tensor | None,
    running_var: Tensor | None,
    average: np.ndarray,
    scale: np.ndarray,
    count: int,
    momentum: float,
    eps: float,
) -> None:
    """Move the running statistics towards those of the batch; the variance is unbiased."""
    if running_mean is not None:
        kept = running_mean.array * (1 - momentum)
        running_mean.array[...] = kept + momentum * average.reshape(-1)
    if running_var is not None:
        variance = np.reciprocal(scale.reshape(-1).astype(DOUBLE) ** 2) - eps
        unbiased = variance * (count / max(count - 1, 1))
        running_var.array[...] = running_var.array * (1 - momentum) + momentum * unbiased


@operator(
    "aten::batch_norm(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean,"
    " Tensor? running_var, bool training, float momentum, float eps, bool cudnn_enabled)"
    " -> Tensor"
)
def batch_norm(
    input: Tensor,
    weight: Tensor | None,
    bias: Tensor | None,
    running_mean: Tensor | None,
    running_var: Tensor | None,
    training: bool,
    momentum: float,
    eps: float,
    cudnn_enabled: bool,
) -> Tensor:
    return Tensor(
        _batch_norm(input, weight, bias, running_mean, running_var, training, momentum, eps)[0]
    )


@operator(
    "aten::native_batch_norm(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean,"
    " Tensor? running_var, bool training, float momentum, float eps) -> (Tensor, Tensor, Tensor)"
)
def native_batch_norm(
    input: Tensor,
    weight: Tensor | None,
    bias: Tensor | None,
    running_mean: Tensor | None,
    running_var: Tensor | None,
    training: bool,
    momentum: float,
    eps: float,
) -> tuple[Tensor, Tensor, Tensor]:
    results = _batch_norm(input, weight, bias, running_mean, running_var, training, momentum, eps)
    return tuple(Tensor(result) for result in results)


@operator(
    "aten::group_norm(Tensor input, int num_groups, Tensor? weight=None, Tensor? bias=None,"
    " float eps=1.0000000000000001e-05, bool cudnn_enabled=True) -> Tensor"
)
def group_norm(
    input: Tensor,
    num_groups: int,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    eps: float = 1e-5,
    cudnn_enabled: bool = True,
) -> Tensor:
    a = input.array
    if num_groups <= 0 or a.shape[1] % num_groups:
        raise ScriptError(
            "RuntimeError",
            "Expected number of channels in input to be divisible by num_groups, but got input "
            f"of shape {list(a.shape)} and num_groups={num_groups}",
        )
    grouped = _wide(a).reshape(a.shape[0], num_groups, -1)
    result, _, _ = _normalized(grouped, (2,), grouped.shape[2], eps)
    result = _affine(
        result.reshape(a.shape),
        _per_channel(_array(weight), a.ndim),
        _per_channel(_array(bias), a.ndim),
    )
    return Tensor(result.astype(a.dtype, copy=False))


@operator(
    "aten::instance_norm(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean,"
    " Tensor? running_var, bool use_input_stats, float momentum, float eps, bool cudnn_enabled)"
    " -> Tensor"
)
def instance_norm(
    input: Tensor,
    weight: Tensor | None,
    bias: Tensor | None,
    running_mean: Tensor | None,
    running_var: Tensor | None,
    use_input_stats: bool,
    momentum: float,
    eps: float,
    cudnn_enabled: bool,
) -> Tensor:
    if not use_input_stats:
        return batch_norm(
            input, weight, bias, running_mean, running_var, False, momentum, eps, cudnn_enabled
        )
    a = input.array
    x = _wide(a)
    axes = tuple(range(2, a.ndim))
    count = math.prod(a.shape[2:])
    result, average, scale = _normalized(x, axes, count, eps)
    if running_mean is not None or running_var is not None:
        variance = np.reciprocal(scale.astype(DOUBLE) ** 2).mean(0)
        _update_running(
            running_mean,
            running_var,
            average.mean(0),
            np.reciprocal(np.sqrt(variance)),
            count,
            momentum,
            eps,
        )
    result = _affine(
        result, _per_channel(_array(weight), a.ndim), _per_channel(_array(bias), a.ndim)
    )
    return Tensor(result.astype(a.dtype, copy=False))


@operator("aten::_weight_norm(Tensor v, Tensor g, int dim=0) -> Tensor")
def weight_norm(v: Tensor, g: Tensor, dim: int = 0) -> Tensor:
    a = v.array
    axes = None if dim == -1 else tuple(k for k in range(a.ndim) if k != dim % a.ndim)
    length = np.sqrt(add_reduce(a * a, axes, None, None, axes is not None))
    return Tensor(asarray(a * (g.array / length)))


def renormalized(a: np.ndarray, p: Number, dim: int, limit: Number) -> np.ndarray:
    """Slices of `a` along `dim` whose norm exceeds `limit`, scaled down to it."""
    axes = tuple(k for k in range(a.ndim) if k != dim)
    length = add_reduce(np.abs(a) ** p, axes, None, None, True) ** (1 / p)
    factor = np.where(length > limit, limit / (length + 1e-7), 1)
    return a * factor.astype(a.dtype)


@operator("aten::renorm(Tensor self, Scalar p, int dim, Scalar maxnorm) -> Tensor")
def renorm(self: Tensor, p: Number, dim: int, maxnorm: Number) -> Tensor:
    return Tensor(renormalized(self.array, p, dim % self.array.ndim, maxnorm))
