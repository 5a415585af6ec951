"""Attention, made of products and a softmax."""

from __future__ import annotations

import math

import onnx_ir as ir

from tsc.runtime.onnx.calls import Call, converts
from tsc.runtime.onnx.refusals import Refused


@converts("aten::scaled_dot_product_attention")
def attention(call: Call) -> ir.Value:
    """softmax(q·kᵀ·scale + mask)·v."""
    if call.constant("dropout_p") or call.constant("enable_gqa"):
        raise Refused("dropout and shared heads are not converted", "decompose the program")
    scale = call.arguments["scale"]
    width = call.known("query").size[-1]
    if scale is None:
        if not isinstance(width, int):
            raise Refused("the width of a head changes", "give scale as a number")
        scale = 1 / math.sqrt(width)
    order = list(range(call.rank("key")))
    order[-2:] = reversed(order[-2:])
    turned = call.op("Transpose", call.value("key"), perm=order)
    query = call.op("Mul", call.value("query"), call.builder.constant(scale, call.dtype))
    scores = _masked(call, call.op("MatMul", query, turned))
    weights = call.op("Softmax", scores, axis=-1)
    return call.op("MatMul", _without_empty_rows(call, scores, weights), call.value("value"))


def _without_empty_rows(call: Call, scores: ir.Value, weights: ir.Value) -> ir.Value:
    """Weights are 0 in rows that a mask leaves nothing of, where a softmax is NaN."""
    if not call.given("attn_mask"):
        return weights
    largest = call.op("ReduceMax", scores, call.ints([-1]), keepdims=1)
    is_empty = call.op("Equal", largest, call.builder.constant(-math.inf, call.dtype))
    return call.op("Where", is_empty, call.builder.constant(0, call.dtype), weights)


def _masked(call: Call, scores: ir.Value) -> ir.Value:
    if call.constant("is_causal"):
        mask = call.op("Trilu", _ones(call, scores), upper=0)
        return _where(call, call.builder.cast(mask, "bool"), scores)
    if not call.given("attn_mask"):
        return scores
    if call.known("attn_mask").dtype.name == "bool":
        return _where(call, call.value("attn_mask"), scores)
    return call.op("Add", scores, call.value("attn_mask", call.dtype))


def _ones(call: Call, like: ir.Value) -> ir.Value:
    return call.op("Expand", call.builder.constant(1, "float32"), call.op("Shape", like))


def _where(call: Call, mask: ir.Value, scores: ir.Value) -> ir.Value:
    return call.op("Where", mask, scores, call.builder.constant(-math.inf, call.dtype))
