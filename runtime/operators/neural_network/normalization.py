"""Normalization of layers and groups, and by the lengths of vectors."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NoReturn

import numpy as np

from tsc.compiler.schema import Layout, RowExpression
from tsc.runtime.arrays.dimensions import wrap_dimension
from tsc.runtime.arrays.dtypes import BFLOAT16, CATEGORY, FLOAT, FLOATING, HALF, scalar_name
from tsc.runtime.arrays.half_precision import narrowed, widened
from tsc.runtime.arrays.type_promotion import Number
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.numerics.neural.normalizing import (
    normalized_rows,
    root_mean_square_rows,
    row_moments,
    scaled_rows,
)
from tsc.runtime.operators.elementwise import not_implemented
from tsc.runtime.operators.out_variants import SAME, SAME_IN_PLACE, out_forms
from tsc.runtime.operators.registration import operator
from tsc.runtime.operators.variants import in_place_forms
from tsc.runtime.values.tensor import Tensor

_FROM_MEAN = "(input - torch.sum(input) / count)"
CENTERED = f"{_FROM_MEAN} * (1 / torch.sqrt(torch.sum({_FROM_MEAN} * {_FROM_MEAN}) / count + eps))"
"""With mean 0 and variance 1."""
_AFFINE = (
    f"({CENTERED} if weight is None else {CENTERED} * weight) if bias is None else"
    f" ({CENTERED} + bias if weight is None else {CENTERED} * weight + bias)"
)
"""Moved and scaled after that."""
SCALED = "input * (1 / torch.sqrt(torch.sum(input * input) / count + eps))"
"""With a mean square of 1."""


def _refuse(message: str) -> NoReturn:
    raise ScriptError("RuntimeError", message)


def parameter_dtype(a: np.ndarray, *parameters: Tensor | None) -> np.dtype:
    """The dtype of statistics: that of `a`, or float32 if parameters of half precision are so.

    Parameters have the dtype of the input; beside a half-precision input they may be float32.
    """
    dtypes = [each.array.dtype for each in parameters if each is not None]
    if all(dtype is a.dtype for dtype in dtypes):
        return a.dtype
    if a.dtype is not HALF and a.dtype is not BFLOAT16:
        _refuse(
            "mixed dtype (CPU): parameters are of another dtype than the input, "
            f"{scalar_name(a.dtype)}; convert them, as with .to(input.dtype)"
        )
    for dtype in dtypes:
        if dtype is not FLOAT:
            _refuse(f"expected scalar type {scalar_name(a.dtype)} but found Float")
    return FLOAT


def array_of(tensor: Tensor | None) -> np.ndarray | None:
    return None if tensor is None else widened(tensor.array)


def _check_normalized_shape(
    a: np.ndarray, shape: Sequence[int], comma: str = ", ", **parameters: Tensor | None
) -> None:
    if not shape:
        _refuse(
            "Expected normalized_shape to be at least 1-dimensional, i.e., containing at least "
            "one element, but got normalized_shape = []"
        )
    expected_shape = tuple(shape)
    for name, parameter in parameters.items():
        if parameter is not None and parameter.array.shape != expected_shape:
            _refuse(
                f"Expected {name} to be of same shape as normalized_shape, {list(shape)}, not of "
                f"{list(parameter.array.shape)}"
            )
    if len(shape) > a.ndim or a.shape[a.ndim - len(shape) :] != expected_shape:
        _refuse(
            f"Given normalized_shape={list(shape)}, expected input with shape "
            f"[*{comma}{', '.join(map(str, shape))}], but got input of size{list(a.shape)}"
        )


def _flat(parameter: Tensor | None) -> np.ndarray | None:
    return None if parameter is None else widened(parameter.array).reshape(-1)


def _layer_norm(
    a: np.ndarray, shape: list[int], weight: Tensor | None, bias: Tensor | None, eps: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The result, the mean and the reciprocal deviation of each row."""
    _check_normalized_shape(a, shape, weight=weight, bias=bias)
    if CATEGORY[a.dtype] != FLOATING:
        raise not_implemented("LayerNormKernelImpl", a.dtype)
    dtype = parameter_dtype(a, weight, bias)
    lead = a.shape[: a.ndim - len(shape)]
    rows = widened(a).reshape(math.prod(lead), math.prod(shape))
    result, means, scales = normalized_rows(rows, eps, _flat(weight), _flat(bias))
    kept = (*lead, *(1,) * len(shape))
    return (
        narrowed(result.reshape(a.shape), a.dtype),
        narrowed(means.reshape(kept), dtype),
        narrowed(scales.reshape(kept), dtype),
    )


@operator(
    "aten::layer_norm(Tensor input, SymInt[] normalized_shape, Tensor? weight=None,"
    " Tensor? bias=None, float eps=1.0000000000000001e-05, bool cudnn_enable=True) -> Tensor",
    rows=RowExpression(
        _AFFINE,
        "normalized_shape",
    ),
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
    result, means, scales = _layer_norm(input.array, normalized_shape, weight, bias, eps)
    return Tensor(result), Tensor(means), Tensor(scales)


def _rms_norm(
    a: np.ndarray, shape: list[int], weight: Tensor | None, eps: float | None
) -> tuple[np.ndarray, np.ndarray]:
    _check_normalized_shape(a, shape, "", weight=weight)
    if CATEGORY[a.dtype] < FLOATING:
        raise not_implemented("rms_norm", a.dtype)
    x = widened(a)
    lead = a.shape[: a.ndim - len(shape)]
    rows = x.reshape(math.prod(lead), math.prod(shape))
    small = float(np.finfo(x.dtype).eps) if eps is None else eps
    result, scales = root_mean_square_rows(rows, small, _flat(weight))
    kept = (*lead, *(1,) * len(shape))
    return narrowed(result.reshape(a.shape), a.dtype), scales.reshape(kept)


@operator(
    "aten::rms_norm(Tensor input, SymInt[] normalized_shape, Tensor? weight=None,"
    " float? eps=None) -> Tensor",
    rows=RowExpression(f"{SCALED} if weight is None else {SCALED} * weight", "normalized_shape"),
)
def rms_norm(
    input: Tensor,
    normalized_shape: list[int],
    weight: Tensor | None = None,
    eps: float | None = None,
) -> Tensor:
    return Tensor(_rms_norm(input.array, normalized_shape, weight, eps)[0])


@operator(
    "aten::_fused_rms_norm(Tensor input, int[] normalized_shape, Tensor? weight, float? eps)"
    " -> (Tensor, Tensor)"
)
def fused_rms_norm(
    input: Tensor, normalized_shape: list[int], weight: Tensor | None, eps: float | None
) -> tuple[Tensor, Tensor]:
    result, scales = _rms_norm(input.array, normalized_shape, weight, eps)
    return Tensor(result), Tensor(scales)


def _check_groups(
    a: np.ndarray, channels: int, groups: int, weight: Tensor | None, bias: Tensor | None
) -> None:
    if groups <= 0:
        _refuse(f"Expected num groups to be greater than 0, not {groups}")
    if channels % groups:
        _refuse(
            "Expected number of channels in input to be divisible by num_groups, but got input "
            f"of shape {list(a.shape)}: {channels} channels for {groups} groups"
        )
    for name, parameter in {"weight": weight, "bias": bias}.items():
        if parameter is not None and parameter.array.shape != (channels,):
            _refuse(
                f"Expected {name} to be a vector of size equal to the number of channels in "
                f"input, but got {name} of shape {list(parameter.array.shape)} and input of "
                f"shape {list(a.shape)}"
            )


def _group_norm(
    a: np.ndarray,
    batch: int,
    channels: int,
    area: int,
    groups: int,
    weight: Tensor | None,
    bias: Tensor | None,
    eps: float,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The result, and of each group the mean and the reciprocal deviation: (batch, groups)."""
    _check_groups(a, channels, groups, weight, bias)
    if CATEGORY[a.dtype] != FLOATING:
        raise not_implemented("GroupNormKernelImpl", a.dtype)
    dtype = parameter_dtype(a, weight, bias)
    x = widened(a)
    kind = x.dtype.type
    means, squares = row_moments(x.reshape(batch * groups, channels // groups * area))
    variance = np.true_divide(squares, kind(channels // groups * area))
    scales = np.reciprocal(np.sqrt(variance + kind(eps)))
    factors, shifts = per_channel_affine(
        means.reshape(batch, groups, 1),
        scales.reshape(batch, groups, 1),
        None if weight is None else widened(weight.array).reshape(groups, -1),
        None if bias is None else widened(bias.array).reshape(groups, -1),
    )
    wide = (batch, groups, channels // groups)
    factors, shifts = (
        (each if each.shape == wide else np.broadcast_to(each, wide)).reshape(-1)
        for each in (factors, shifts)
    )
    result = scaled_rows(x.reshape(batch * channels, area), factors, shifts)
    return (
        narrowed(result.reshape(a.shape), a.dtype),
        narrowed(means.reshape(batch, groups), dtype),
        narrowed(scales.reshape(batch, groups), dtype),
    )


def per_channel_affine(
    means: np.ndarray, scales: np.ndarray, weight: np.ndarray | None, bias: np.ndarray | None
) -> tuple[np.ndarray, np.ndarray]:
    """Normalizing and the affine map after it as one factor and one shift a channel."""
    factors = scales if weight is None else scales * weight
    moved = means * factors
    return factors, -moved if bias is None else bias - moved


@operator(
    "aten::group_norm(Tensor input, int num_groups, Tensor? weight=None, Tensor? bias=None,"
    " float eps=1.0000000000000001e-05, bool cudnn_enabled=True) -> Tensor",
    layout=Layout.AS_IMAGES,
    rows=RowExpression(_AFFINE, "num_groups"),
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
    wrap_dimension(1, a.ndim)
    batch, channels = a.shape[:2]
    area = math.prod(a.shape[2:])
    return Tensor(_group_norm(a, batch, channels, area, num_groups, weight, bias, eps)[0])


@operator(
    "aten::native_group_norm(Tensor input, Tensor? weight, Tensor? bias, SymInt N, SymInt C,"
    " SymInt HxW, int group, float eps) -> (Tensor, Tensor, Tensor)",
    layout=Layout.AS_IMAGE,
)
def native_group_norm(
    input: Tensor,
    weight: Tensor | None,
    bias: Tensor | None,
    N: int,
    C: int,
    HxW: int,
    group: int,
    eps: float,
) -> tuple[Tensor, Tensor, Tensor]:
    a = input.array
    if a.size != N * C * HxW:
        _refuse(
            f"Expected X.numel() == N * C * HxW: there are {a.size} elements for {N} * {C} * {HxW}"
        )
    result, means, scales = _group_norm(a, N, C, HxW, group, weight, bias, eps)
    return Tensor(result), Tensor(means), Tensor(scales)


def _lengths(a: np.ndarray, p: float, axes: tuple[int, ...] | None) -> np.ndarray:
    """p-norms over `axes`, which are kept; over all of them if None."""
    size = np.abs(a)
    if p == 2:
        return np.sqrt(np.add.reduce(size * size, axes, keepdims=axes is not None))
    if p == math.inf:
        return np.maximum.reduce(size, axes, keepdims=axes is not None, initial=0)
    if p == 1:
        return np.add.reduce(size, axes, keepdims=axes is not None)
    kind = size.dtype.type
    return np.add.reduce(size ** kind(p), axes, keepdims=axes is not None) ** kind(1 / p)


def _all_but(ndim: int, dim: int) -> tuple[int, ...] | None:
    """The other dimensions; -1 stands for no dimension."""
    return None if dim == -1 else tuple(k for k in range(ndim) if k != dim)


@operator("aten::_weight_norm(Tensor v, Tensor g, int dim=0) -> Tensor")
def weight_norm(v: Tensor, g: Tensor, dim: int = 0) -> Tensor:
    a = v.array
    if CATEGORY[a.dtype] != FLOATING and dim in (0, a.ndim - 1):
        raise not_implemented("weight_norm_kernel", a.dtype)
    axes = _all_but(a.ndim, dim if dim == -1 else wrap_dimension(dim, a.ndim))
    length = narrowed(_lengths(widened(a), 2.0, axes), a.dtype)
    return Tensor(np.asarray(a * (g.array / length)))


@operator("aten::_weight_norm_interface(Tensor v, Tensor g, int dim=0) -> (Tensor, Tensor)")
def weight_norm_interface(v: Tensor, g: Tensor, dim: int = 0) -> tuple[Tensor, Tensor]:
    a = v.array
    if CATEGORY[a.dtype] != FLOATING:
        raise not_implemented("weight_norm_kernel", a.dtype)
    if dim not in (0, a.ndim - 1):
        _refuse(f"fused kernels can only be applied for the first or last dimension, not {dim}")
    length = _lengths(widened(a), 2.0, _all_but(a.ndim, dim))
    result = widened(a) * (widened(g.array) / length)
    kept = widened(a).dtype
    return Tensor(narrowed(result, a.dtype)), Tensor(narrowed(length, kept))


def renormalized(a: np.ndarray, p: float, dim: int, limit: float) -> np.ndarray:
    """Slices of `a` along `dim` whose norm exceeds `limit`, scaled down to it."""
    x = widened(a)
    length = _lengths(x, float(p), _all_but(a.ndim, dim))
    factor = np.where(length > limit, length.dtype.type(limit) / (length + 1e-7), 1)
    return narrowed(x * factor.astype(length.dtype), a.dtype)


@operator("aten::renorm(Tensor self, Scalar p, int dim, Scalar maxnorm) -> Tensor")
def renorm(self: Tensor, p: Number, dim: int, maxnorm: Number) -> Tensor:
    a = self.array
    if isinstance(p, complex):
        _refuse(f"renorm: p must be real-valued, not {p}")
    if p <= 0:
        _refuse("renorm: non-positive-norm not supported")
    if isinstance(maxnorm, complex):
        _refuse(f"renorm: maxnorm must be real-valued, not {maxnorm}")
    if maxnorm < 0:
        _refuse(f"renorm: expected maxnorm to be >= 0 but got {maxnorm:g}")
    if a.ndim < 2:
        _refuse(f"renorm: input needs at least 2 dimensions, not the shape {list(a.shape)}")
    dim = wrap_dimension(dim, a.ndim)
    if CATEGORY[a.dtype] < FLOATING:
        _refuse(
            "linalg.vector_norm: Expected a floating point or complex tensor as input. Got "
            f"{scalar_name(a.dtype)}"
        )
    return Tensor(renormalized(a, p, dim, maxnorm))


in_place_forms("renorm")
out_forms(SAME_IN_PLACE, "renorm")
out_forms(SAME, "native_layer_norm _weight_norm_interface native_group_norm")
