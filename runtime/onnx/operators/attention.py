"""Attention, and norms over groups, made of products and reductions."""

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
    return call.op("MatMul", call.op("Softmax", scores, axis=-1), call.value("value"))


def _masked(call: Call, scores: ir.Value) -> ir.Value:
    if call.constant("is_causal"):
        mask = call.op("Trilu", _ones(call, scores), upper=0)
        return _where(call, call.builder.cast(mask, "bool"), scores)
    if not call.given("attn_mask"):
        return scores
    if call.known("attn_mask").dtype.name == "bool":
        raise Refused("rows that a mask empties are 0, not NaN", "give the mask as numbers to add")
    return call.op("Add", scores, call.value("attn_mask", call.dtype))


def _ones(call: Call, like: ir.Value) -> ir.Value:
    return call.op("Expand", call.builder.constant(1, "float32"), call.op("Shape", like))


def _where(call: Call, mask: ir.Value, scores: ir.Value) -> ir.Value:
    return call.op("Where", mask, scores, call.builder.constant(-math.inf, call.dtype))


@converts("aten::group_norm")
def group_norm(call: Call) -> ir.Value:
    """Each group of channels as one row, which is normalized."""
    rank, groups = call.rank("input"), int(call.constant("num_groups"))
    value = call.value("input")
    rows = call.op("Reshape", value, call.ints([0, groups, -1]))
    axes = call.ints([-1])
    centred = call.op("Sub", rows, call.op("ReduceMean", rows, axes))
    spread = call.op("ReduceMean", call.op("Mul", centred, centred), axes)
    epsilon = call.builder.constant(call.constant("eps"), call.dtype)
    normal = call.op("Div", centred, call.op("Sqrt", call.op("Add", spread, epsilon)))
    result = call.op("Reshape", normal, call.op("Shape", value))
    shape = call.ints([-1, *[1] * (rank - 2)])
    if call.given("weight"):
        result = call.op("Mul", result, call.op("Reshape", call.value("weight"), shape))
    if call.given("bias"):
        result = call.op("Add", result, call.op("Reshape", call.value("bias"), shape))
    return result


def _correction(call: Call) -> float:
    """How many elements less the sum of squares is divided by: Bessel's one, if nothing else is said."""
    if "unbiased" in call.arguments:
        return int(bool(call.constant("unbiased")))
    found = call.constant("correction")
    return 1 if found is None else float(found)


@converts("aten::var.correction", "aten::std.correction", "aten::var.dim", "aten::std.dim")
def variance(call: Call) -> ir.Value:
    given = [each for each in call.list("dim") if each is not None]
    dims = [int(str(each)) % max(call.rank(), 1) for each in given] or list(range(call.rank()))
    sizes = [call.known("self").size[each] for each in dims]
    if not all(isinstance(each, int) for each in sizes):
        raise Refused("a size that changes is reduced", "make the dimension fixed")
    count = math.prod(sizes) - _correction(call)
    axes, value = call.ints(dims), call.value()
    centred = call.op("Sub", value, call.op("ReduceMean", value, axes, keepdims=1))
    keep = int(bool(call.constant("keepdim")))
    total = call.op("ReduceSum", call.op("Mul", centred, centred), axes, keepdims=keep)
    result = call.op("Div", total, call.builder.constant(max(count, 0), call.dtype))
    is_root = "std" in str(call.node.target)
    return call.op("Sqrt", result) if is_root else result
