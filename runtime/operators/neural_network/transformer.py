"""Layers around attention that PyTorch has as one operator each, for evaluation."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from tsc.runtime.arrays.dtypes import BOOL
from tsc.runtime.arrays.half_precision import narrowed, widened
from tsc.runtime.arrays.matrix_products import matrix_product
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.context.native_hooks import native_attention
from tsc.runtime.numerics.neural.attention import Masks, attention_weights, masks_of
from tsc.runtime.numerics.neural.dense import dense
from tsc.runtime.operators.neural_network.activation import gelu, relu
from tsc.runtime.operators.neural_network.attention import is_native_attention, merged_heads
from tsc.runtime.operators.neural_network.normalization import layer_norm
from tsc.runtime.operators.out_variants import SAME, out_forms
from tsc.runtime.operators.registration import operator
from tsc.runtime.values.nested_tensors import NestedTensor
from tsc.runtime.values.tensor import Tensor


def _refuse(message: str) -> None:
    raise ScriptError("RuntimeError", message)


def _linear(x: np.ndarray, weight: Tensor, bias: Tensor) -> np.ndarray:
    return dense(x, widened(weight.array).T, widened(bias.array))


def _split_heads(x: np.ndarray, heads: int) -> np.ndarray:
    """(batch, length, features) as (batch, heads, length, features / heads)."""
    batch, length, features = x.shape
    return x.reshape(batch, length, heads, features // heads).swapaxes(1, 2)


def _mask_of(mask: Tensor | None, mask_type: int | None, batch: int) -> np.ndarray | None:
    """Where there is attention; the mask is true, or not zero, where there is none.

    `mask_type` 0: (queries, keys); 1: (batch, keys); 2: (batch, heads, queries, keys).
    """
    if mask is None:
        return None
    hidden = mask.array.astype(BOOL, copy=False)
    return ~(hidden.reshape(batch, 1, 1, -1) if mask_type == 1 else hidden)


def _projected(inputs: Sequence[np.ndarray], qkv: tuple[Tensor, Tensor]) -> list[np.ndarray]:
    """Queries, keys and values: one product where all are made of the same."""
    query, features = inputs[0], inputs[0].shape[2]
    parts = [slice(k * features, (k + 1) * features) for k in range(3)]
    if all(each is query for each in inputs):
        joined = _linear(query, *qkv)
        return [joined[..., part] for part in parts]
    return [
        _linear(x, Tensor(qkv[0].array[part]), Tensor(qkv[1].array[part]))
        for x, part in zip(inputs, parts)
    ]


def _multi_head_attention(
    inputs: Sequence[np.ndarray],
    heads: int,
    qkv: tuple[Tensor, Tensor],
    projection: tuple[Tensor, Tensor],
    mask: np.ndarray | None,
    needs_weights: bool,
) -> tuple[np.ndarray, np.ndarray | None]:
    """The output, (batch, length, features), and the weights of each head, where they are computed."""
    q, k, v = (_split_heads(each, heads) for each in _projected(inputs, qkv))
    lead, length, features = q.shape[:2], q.shape[2], inputs[0].shape[2]
    if mask is None and not needs_weights and is_native_attention(q, k, lead):
        seen = native_attention().attend(q, k, v, lead, 1 / math.sqrt(q.shape[3]), None, False)
        return _linear(seen.swapaxes(1, 2).reshape(lead[0], length, features), *projection), None
    q, k, v = (merged_heads(each, lead) for each in (q, k, v))
    masks = Masks() if mask is None else masks_of(mask, False, lead, length, length)
    weights = attention_weights(q, k, 1 / math.sqrt(q.shape[2]), masks, blind=math.nan)
    joined = matrix_product(weights, v).reshape(*lead, length, -1).swapaxes(1, 2)
    output = _linear(joined.reshape(lead[0], length, features), *projection)
    return output, weights.reshape(*lead, length, length)


@operator(
    "aten::_native_multi_head_attention(Tensor query, Tensor key, Tensor value, int embed_dim, int num_head,"
    " Tensor qkv_weight, Tensor qkv_bias, Tensor proj_weight, Tensor proj_bias,"
    " Tensor? mask=None, bool need_weights=True, bool average_attn_weights=True,"
    " int? mask_type=None) -> (Tensor, Tensor)"
)
def native_multi_head_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    embed_dim: int,
    num_head: int,
    qkv_weight: Tensor,
    qkv_bias: Tensor,
    proj_weight: Tensor,
    proj_bias: Tensor,
    mask: Tensor | None = None,
    need_weights: bool = True,
    average_attn_weights: bool = True,
    mask_type: int | None = None,
) -> tuple[Tensor, Tensor | None]:
    a = query.array
    if a.ndim != 3:
        _refuse(f"expected 3-D `query`, got {a.ndim}-D tensor")
    if a.shape[2] != embed_dim:
        _refuse(f"passed-in embed_dim {embed_dim} didn't match last dim of query {a.shape[2]}")
    if a.shape != key.array.shape or a.shape != value.array.shape:
        _refuse(
            "expected `query`/`key`/`value` of one shape, not "
            f"{list(a.shape)}, {list(key.array.shape)} and {list(value.array.shape)}"
        )
    if num_head <= 0 or embed_dim % num_head:
        _refuse(f"`embed_dim` must divide evenly by `num_heads`: {embed_dim} by {num_head}")
    output, weights = _multi_head_attention(
        [widened(each.array) for each in (query, key, value)],
        num_head,
        (qkv_weight, qkv_bias),
        (proj_weight, proj_bias),
        _mask_of(mask, mask_type, len(a)),
        need_weights,
    )
    result = Tensor(narrowed(output, a.dtype))
    if not need_weights or weights is None:
        return result, None
    if average_attn_weights:
        weights = weights.mean(1)
    return result, Tensor(narrowed(weights, a.dtype))


@operator(
    "aten::_transformer_encoder_layer_fwd(Tensor src, int embed_dim, int num_heads,"
    " Tensor qkv_weight, Tensor qkv_bias, Tensor proj_weight, Tensor proj_bias, bool use_gelu,"
    " bool norm_first, float eps, Tensor norm_weight_1, Tensor norm_bias_1, Tensor norm_weight_2,"
    " Tensor norm_bias_2, Tensor ffn_weight_1, Tensor ffn_bias_1, Tensor ffn_weight_2,"
    " Tensor ffn_bias_2, Tensor? mask=None, int? mask_type=None) -> Tensor"
)
def transformer_encoder_layer(
    src: Tensor,
    embed_dim: int,
    num_heads: int,
    qkv_weight: Tensor,
    qkv_bias: Tensor,
    proj_weight: Tensor,
    proj_bias: Tensor,
    use_gelu: bool,
    norm_first: bool,
    eps: float,
    norm_weight_1: Tensor,
    norm_bias_1: Tensor,
    norm_weight_2: Tensor,
    norm_bias_2: Tensor,
    ffn_weight_1: Tensor,
    ffn_bias_1: Tensor,
    ffn_weight_2: Tensor,
    ffn_bias_2: Tensor,
    mask: Tensor | None = None,
    mask_type: int | None = None,
) -> Tensor:
    """Attention and a network of two layers, each with a shortcut and a norm before or after."""
    if isinstance(src, NestedTensor):
        weights = (qkv_weight, qkv_bias, proj_weight, proj_bias, use_gelu, norm_first, eps)
        norms = (norm_weight_1, norm_bias_1, norm_weight_2, norm_bias_2)
        layers = (ffn_weight_1, ffn_bias_1, ffn_weight_2, ffn_bias_2)
        return _of_nested(src, (embed_dim, num_heads, *weights, *norms, *layers), mask)

    def first_norm(x: Tensor) -> Tensor:
        return layer_norm(x, [embed_dim], norm_weight_1, norm_bias_1, eps)

    def second_norm(x: Tensor) -> Tensor:
        return layer_norm(x, [embed_dim], norm_weight_2, norm_bias_2, eps)

    def attended(x: Tensor) -> Tensor:
        weights = (qkv_weight, qkv_bias, proj_weight, proj_bias)
        options = (mask, False, True, mask_type)
        return native_multi_head_attention(x, x, x, embed_dim, num_heads, *weights, *options)[0]

    def fed_forward(x: Tensor) -> Tensor:
        hidden = _layer(x, ffn_weight_1, ffn_bias_1)
        return _layer(gelu(hidden) if use_gelu else relu(hidden), ffn_weight_2, ffn_bias_2)

    if norm_first:
        x = _sum(src, attended(first_norm(src)))
        return _sum(x, fed_forward(second_norm(x)))
    x = first_norm(_sum(src, attended(src)))
    return second_norm(_sum(x, fed_forward(x)))


def _of_nested(src: NestedTensor, parameters: tuple[Any, ...], mask: Tensor | None) -> Tensor:
    """The layer on padded sequences, whose padding no query sees."""
    if mask is not None:
        _refuse("NestedTensor with mask is not supported yet")
    padded, hidden = Tensor(src.padded_with(0.0)), Tensor(src.hidden)
    with np.errstate(invalid="ignore"):  # a sequence of nothing
        result = transformer_encoder_layer(padded, *parameters, mask=hidden, mask_type=1)
    return NestedTensor(result.array, src.lengths)


def _layer(x: Tensor, weight: Tensor, bias: Tensor) -> Tensor:
    return Tensor(narrowed(_linear(widened(x.array), weight, bias), x.array.dtype))


def _sum(a: Tensor, b: Tensor) -> Tensor:
    return Tensor(narrowed(widened(a.array) + widened(b.array), a.array.dtype))


out_forms(SAME, "_native_multi_head_attention _transformer_encoder_layer_fwd")
