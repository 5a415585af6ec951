"""Attention, and distances and similarities between vectors."""

from __future__ import annotations

import math

import numpy as np

from runtime.dimensions import broadcast_shape, check_broadcast, wrap_dimension
from runtime.dtypes import BOOL
from runtime.errors import ScriptError
from runtime.neural.softmax import softmax_array
from runtime.operators.elementwise import promote
from runtime.operators.linear_algebra import product
from runtime.operators.random_sampling import dropout_mask
from runtime.operators.registration import operator
from runtime.tensor import Tensor, asarray, wrap
from runtime.type_promotion import Number, floating_dtype


def _attention_bias(
    scores: np.ndarray, attn_mask: Tensor | None, is_causal: bool
) -> np.ndarray | None:
    """What is added to the scores before the softmax."""
    if is_causal:
        if attn_mask is not None:
            message = "_scaled_dot_product_attention: Explicit attn_mask should not be set when "
            raise ScriptError("RuntimeError", message + "is_causal=True")
        allowed = np.tri(*scores.shape[-2:], dtype=np.bool_)
    elif attn_mask is None:
        return None
    elif attn_mask.array.dtype is not BOOL:
        return attn_mask.array
    else:
        allowed = attn_mask.array
    return np.where(allowed, scores.dtype.type(0), scores.dtype.type(-np.inf))


@operator(
    "aten::scaled_dot_product_attention(Tensor query, Tensor key, Tensor value,"
    " Tensor? attn_mask=None, float dropout_p=0., bool is_causal=False, *, float? scale=None,"
    " bool enable_gqa=False) -> Tensor"
)
def scaled_dot_product_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attn_mask: Tensor | None = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    scale: float | None = None,
    enable_gqa: bool = False,
) -> Tensor:
    q, k, v = query.array, key.array, value.array
    if enable_gqa:
        k = np.repeat(k, q.shape[-3] // k.shape[-3], -3)
        v = np.repeat(v, q.shape[-3] // v.shape[-3], -3)
    factor = 1 / math.sqrt(q.shape[-1]) if scale is None else scale
    scores = product(q * q.dtype.type(factor), k.swapaxes(-1, -2))
    bias = _attention_bias(scores, attn_mask, is_causal)
    if bias is not None:
        scores = scores + bias
    weights = softmax_array(scores, -1)
    weights = np.where(np.isnan(weights), scores.dtype.type(0), weights)
    if dropout_p > 0:
        weights = weights * dropout_mask(weights.shape, 1 - dropout_p, weights.dtype)
    return wrap(product(weights, v))


@operator("aten::cosine_similarity(Tensor x1, Tensor x2, int dim=1, float eps=1e-08) -> Tensor")
def cosine_similarity(x1: Tensor, x2: Tensor, dim: int = 1, eps: float = 1e-8) -> Tensor:
    a, b = promote(x1.array, x2.array)
    a, b = (x.astype(floating_dtype(x.dtype), copy=False) for x in (a, b))
    a, b = (np.broadcast_to(x, broadcast_shape(a.shape, b.shape)) for x in (a, b))
    if a.ndim == 0:
        a, b = a.reshape(1), b.reshape(1)
    axis = wrap_dimension(dim, a.ndim)
    kind = a.dtype.type
    first = np.maximum(np.sqrt((a * a).sum(axis, keepdims=True)), kind(eps))
    second = np.maximum(np.sqrt((b * b).sum(axis, keepdims=True)), kind(eps))
    return wrap(((a / first) * (b / second)).sum(axis))


def _norm(difference: np.ndarray, p: float, keepdim: bool = False) -> np.ndarray:
    size = np.abs(difference)
    if p == 2:
        return np.sqrt((size * size).sum(-1, keepdims=keepdim))
    if p == 0:
        return (size != 0).astype(size.dtype).sum(-1, keepdims=keepdim)
    if p == math.inf:
        return size.max(-1, keepdims=keepdim)
    kind = size.dtype.type
    return np.power(np.power(size, kind(p)).sum(-1, keepdims=keepdim), kind(1 / p))


@operator(
    "aten::pairwise_distance(Tensor x1, Tensor x2, float p=2., float eps=9.9999999999999995e-07,"
    " bool keepdim=False) -> Tensor"
)
def pairwise_distance(
    x1: Tensor, x2: Tensor, p: float = 2.0, eps: float = 1e-6, keepdim: bool = False
) -> Tensor:
    a, b = promote(x1.array, x2.array)
    a, b = (x.astype(floating_dtype(x.dtype), copy=False) for x in (a, b))
    check_broadcast(a, b)
    return wrap(_norm(a - b + a.dtype.type(eps), p, keepdim))


@operator("aten::cdist(Tensor x1, Tensor x2, float p=2., int? compute_mode=None) -> Tensor")
def cdist(x1: Tensor, x2: Tensor, p: float = 2.0, compute_mode: int | None = None) -> Tensor:
    a, b = x1.array, x2.array
    if a.ndim < 2 or b.ndim < 2:
        name, ndim = ("X1", a.ndim) if a.ndim < 2 else ("X2", b.ndim)
        message = f"cdist only supports at least 2D tensors, {name} got: {ndim}D"
        raise ScriptError("RuntimeError", message)
    if a.shape[-1] != b.shape[-1]:
        raise ScriptError(
            "RuntimeError",
            f"X1 and X2 must have the same number of columns. X1: {a.shape[-1]} X2: {b.shape[-1]}",
        )
    if p < 0:
        raise ScriptError("RuntimeError", "cdist only supports non-negative p values")
    return wrap(_norm(a[..., :, np.newaxis, :] - b[..., np.newaxis, :, :], p))


@operator("aten::pdist(Tensor self, float p=2.) -> Tensor")
def pdist(self: Tensor, p: float = 2.0) -> Tensor:
    a = self.array
    if a.ndim != 2:
        message = f"pdist only supports 2D tensors, got: {a.ndim}D"
        raise ScriptError("RuntimeError", message)
    rows, columns = np.triu_indices(len(a), 1)
    return wrap(_norm(a[rows] - a[columns], p))


@operator("aten::dist(Tensor self, Tensor other, Scalar p=2) -> Tensor")
def dist(self: Tensor, other: Tensor, p: Number = 2) -> Tensor:
    a, b = promote(self.array, other.array)
    check_broadcast(a, b)
    difference = asarray(np.subtract(a, b))
    return wrap(_norm(difference.reshape(-1), float(p)))


@operator(
    "aten::bilinear(Tensor input1, Tensor input2, Tensor weight, Tensor? bias=None) -> Tensor"
)
def bilinear(input1: Tensor, input2: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    a, b, w = input1.array, input2.array, weight.array
    result = np.einsum("...i,kij,...j->...k", a, w, b, optimize=True)
    return Tensor(asarray(result if bias is None else result + bias.array, a.dtype))
