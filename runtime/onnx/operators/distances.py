"""Norms, and distances between rows."""

from __future__ import annotations

import math

import numpy as np
import onnx_ir as ir

from tsc.runtime.onnx.calls import Call, converts
from tsc.runtime.onnx.refusals import Refused


def norm(call: Call, value: ir.Value, order: float, axes: ir.Value | None, keep: int) -> ir.Value:
    """(Σ|x|ᵖ)^(1/p); the largest for ∞, the least for -∞, and how many are not 0 for 0."""
    size = call.op("Abs", value)
    if math.isinf(order):
        kind = "ReduceMax" if order > 0 else "ReduceMin"
        return call.op(kind, size, axes, keepdims=keep)
    if order == 0:
        there = call.op("Not", call.op("Equal", size, call.number(0)))
        return call.op("ReduceSum", call.in_result(there), axes, keepdims=keep)
    if order in (1, 2):
        return call.op(f"ReduceL{int(order)}", value, axes, keepdims=keep)
    total = call.op("ReduceSum", call.op("Pow", size, call.number(order)), axes, keepdims=keep)
    return call.op("Pow", total, call.number(1 / order))


@converts(
    *("aten::norm.ScalarOpt_dim", "aten::norm.Scalar", "aten::norm.ScalarOpt_dim_dtype"),
    *("aten::linalg_vector_norm", "aten::norm.ScalarOpt_dtype", "aten::frobenius_norm.dim"),
)
def vector_norm(call: Call) -> ir.Value:
    order = call.arguments.get("p", call.arguments.get("ord", 2))
    dims = [e for e in call.list("dim") if e is not None] if "dim" in call.arguments else []
    axes = call.ints(dims) if dims and call.rank() else None
    keep = int(bool(call.arguments.get("keepdim", False)))
    power = 2.0 if order is None else float(str(order))
    return norm(call, call.value(dtype=call.dtype), power, axes, keep)


@converts("aten::linalg_matrix_norm.str_ord")
def matrix_norm(call: Call) -> ir.Value:
    """The root of the sum of squares. Raises `Refused` for the sum of singular values."""
    if call.constant("ord") != "fro":
        raise Refused("ONNX has no singular values", "take the norm 'fro'")
    keep = int(bool(call.constant("keepdim")))
    axes = call.ints([int(str(each)) for each in call.list("dim")])
    return norm(call, call.value(dtype=call.dtype), 2, axes, keep)


@converts("aten::cdist", "aten::_cdist_forward")
def distances_of_rows(call: Call) -> ir.Value:
    """Each row of the first with each of the second."""
    first = call.op("Unsqueeze", call.value("x1"), call.ints([-2]))
    second = call.op("Unsqueeze", call.value("x2"), call.ints([-3]))
    difference = call.op("Sub", first, second)
    return norm(call, difference, float(call.constant("p")), call.ints([-1]), 0)


@converts("aten::pdist", "aten::_pdist_forward")
def distances_of_pairs(call: Call) -> ir.Value:
    """Each row with each one after it."""
    rows = np.triu_indices(call.fixed_size(0), 1)
    pair = [call.op("Gather", call.value(), call.ints(each), axis=0) for each in rows]
    return norm(call, call.op("Sub", *pair), float(call.constant("p")), call.ints([-1]), 0)


@converts("aten::pairwise_distance")
def pairwise_distance(call: Call) -> ir.Value:
    difference = call.op("Sub", call.value("x1"), call.value("x2"))
    difference = call.op("Add", difference, call.value("eps", call.dtype))
    keep = int(bool(call.constant("keepdim")))
    return norm(call, difference, float(call.constant("p")), call.ints([-1]), keep)


@converts("aten::cosine_similarity")
def cosine_similarity(call: Call) -> ir.Value:
    """Each is divided by its length, which counts for as much as `eps` at least."""
    axes = call.ints([call.constant("dim")])
    least = call.value("eps", call.dtype)
    units: list[ir.Value] = []
    for name in ("x1", "x2"):
        value = call.value(name, call.dtype)
        length = call.op("Max", norm(call, value, 2, axes, 1), least)
        units.append(call.op("Div", value, length))
    return call.op("ReduceSum", call.op("Mul", *units), axes, keepdims=0)
