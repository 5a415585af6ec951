"""Layers around attention that PyTorch calls as one operator each, in evaluation."""

from __future__ import annotations

import math
from typing import Final

import onnx_ir as ir

from tsc.runtime.onnx.calls import Call, converts
from tsc.runtime.onnx.operators.activations import gelu_of
from tsc.runtime.onnx.refusals import Refused

_MASK_OF_KEYS: Final = 1


@converts("aten::_transformer_encoder_layer_fwd")
def encoder_layer(call: Call) -> ir.Value:
    """Attention and two layers with an activation between, each with a shortcut and a norm before or after."""
    source = call.value("src")
    is_first = bool(call.constant("norm_first"))

    def attended(x: ir.Value) -> ir.Value:
        return _attention(call, (x, x, x), int(call.constant("num_heads")))[0]

    def fed_forward(x: ir.Value) -> ir.Value:
        hidden = _linear(call, x, call.value("ffn_weight_1"), call.value("ffn_bias_1"))
        hidden = (
            gelu_of(call, hidden, _dtype(call))
            if call.constant("use_gelu")
            else call.op("Relu", hidden)
        )
        return _linear(call, hidden, call.value("ffn_weight_2"), call.value("ffn_bias_2"))

    for number, part in ((1, attended), (2, fed_forward)):
        given = _norm(call, source, number) if is_first else source
        source = call.op("Add", source, part(given))
        source = source if is_first else _norm(call, source, number)
    return source


@converts("aten::_native_multi_head_attention")
def multi_head_attention(call: Call) -> list[ir.Value]:
    """The output, and the weights, their mean over heads if it is asked for."""
    inputs = tuple(call.value(each) for each in ("query", "key", "value"))
    output, weights = _attention(call, inputs, int(call.constant("num_head")))
    if not call.constant("need_weights"):
        return [output]
    if call.constant("average_attn_weights"):
        weights = call.op("ReduceMean", weights, call.ints([1]), keepdims=0)
    return [output, weights]


def _attention(call: Call, inputs: tuple[ir.Value, ...], heads: int) -> tuple[ir.Value, ir.Value]:
    """The output, and the weights by head, of (batch, length, features)."""
    width = int(call.constant("embed_dim"))
    thirds = call.ints([width] * 3)
    weights = call.builder.ops("Split", 3, call.value("qkv_weight"), thirds, axis=0)
    biases = call.builder.ops("Split", 3, call.value("qkv_bias"), thirds, axis=0)
    q, k, v = (_heads(call, _linear(call, *given), heads) for given in zip(inputs, weights, biases))
    scale = call.number(1 / math.sqrt(width // heads), _dtype(call))
    turned = call.op("Transpose", k, perm=[0, 1, 3, 2])
    scores = _masked(call, call.op("MatMul", call.op("Mul", q, scale), turned))
    shares = call.op("Softmax", scores, axis=-1)
    mixed = call.op("Transpose", call.op("MatMul", shares, v), perm=[0, 2, 1, 3])
    joined = call.op("Reshape", mixed, call.ints([0, 0, width]))
    return _linear(call, joined, call.value("proj_weight"), call.value("proj_bias")), shares


def _masked(call: Call, scores: ir.Value) -> ir.Value:
    """The mask is true, or not zero, where there is no attention: (batch, keys), (queries, keys), or whole."""
    if not call.given("mask"):
        return scores
    hidden = call.value("mask", "bool")
    if call.constant("mask_type") == _MASK_OF_KEYS:
        hidden = call.op("Unsqueeze", hidden, call.ints([1, 2]))
    return call.op("Where", hidden, call.number(-math.inf, _dtype(call)), scores)


def _heads(call: Call, value: ir.Value, heads: int) -> ir.Value:
    """(batch, length, features) as (batch, heads, length, features / heads)."""
    parts = call.op("Reshape", value, call.ints([0, 0, heads, -1]))
    return call.op("Transpose", parts, perm=[0, 2, 1, 3])


def _linear(call: Call, value: ir.Value, weight: ir.Value, bias: ir.Value) -> ir.Value:
    product = call.op("MatMul", value, call.op("Transpose", weight, perm=[1, 0]))
    return call.op("Add", product, bias)


def _norm(call: Call, value: ir.Value, number: int) -> ir.Value:
    given = [call.value(f"norm_{each}_{number}") for each in ("weight", "bias")]
    epsilon = float(call.constant("eps"))
    return call.op("LayerNormalization", value, *given, axis=-1, epsilon=epsilon)


def _dtype(call: Call) -> str:
    name = "src" if "src" in call.arguments else "query"
    known = call.known(name)
    if len(known.size) != 3:
        raise Refused("the sequences are not (batch, length, features)", "give them so")
    return known.dtype.name
