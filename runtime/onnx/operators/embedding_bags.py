"""Sums, means and largest elements over bags of embeddings."""

from __future__ import annotations

import math

import onnx_ir as ir

from tsc.runtime.onnx.calls import Call, converts
from tsc.runtime.onnx.refusals import Refused

_SUM, _MEAN, _MAX = range(3)


@converts(
    *("aten::embedding_bag", "aten::embedding_bag.padding_idx"),
    *("aten::_embedding_bag", "aten::_embedding_bag_forward_only"),
)
def embedding_bag(call: Call) -> list[ir.Value]:
    """The bags alone: what else PyTorch gives is for gradients. Rows are written to the bag that they lie in."""
    if call.rank("indices") != 1:
        raise Refused("bags of one length are given without offsets", "give one row and offsets")
    mode, places = int(call.constant("mode")), call.value("indices", "int64")
    dtype = call.known("weight").dtype.name
    bags, count = _bags(call, places)
    rows = call.op("Gather", call.value("weight"), places, axis=0)
    if call.given("per_sample_weights"):
        factors = call.value("per_sample_weights")
        rows = call.op("Mul", rows, call.op("Unsqueeze", factors, call.ints([1])))
    there = _counted(call, places, dtype)
    width = call.op("Shape", call.value("weight"), start=1)
    shape = call.op("Concat", count, width, axis=0)
    if mode == _MAX:
        return [_largest(call, rows, bags, shape, there, dtype)]
    total = _written(call, call.op("Mul", rows, there), bags, shape, dtype)
    if mode == _SUM:
        return [total]
    one = call.op("Concat", count, call.ints([1]), axis=0)
    sizes = call.op("Max", _written(call, there, bags, one, dtype), call.number(1, dtype))
    return [call.op("Div", total, sizes)]


def _bags(call: Call, places: ir.Value) -> tuple[ir.Value, ir.Value]:
    """The bag of each place: how many offsets are not beyond it, less one; and how many bags there are."""
    offsets = call.value("offsets", "int64")
    if call.constant("include_last_offset"):
        offsets = call.op("Slice", offsets, call.ints([0]), call.ints([-1]))
    size = call.op("Squeeze", call.op("Shape", places))
    every = call.op("Range", call.ints(0), size, call.ints(1))
    column = call.op("Unsqueeze", every, call.ints([1]))
    begun = call.builder.cast(call.op("GreaterOrEqual", column, offsets), "int64")
    bags = call.op("Sub", call.op("ReduceSum", begun, call.ints([1]), keepdims=1), call.ints(1))
    return bags, call.op("Shape", offsets)


def _counted(call: Call, places: ir.Value, dtype: str) -> ir.Value:
    """A column of 1 for what counts, and 0 for padding."""
    padding = call.arguments.get("padding_idx")
    known = -1 if padding is None else int(str(padding))
    if known < 0 and padding is not None and not str(call.node.target).count("_embedding_bag"):
        size = call.known("weight").size[0]
        known = known + size if isinstance(size, int) else -1
    counts = call.op("Not", call.op("Equal", places, call.ints(known)))
    return call.op("Unsqueeze", call.builder.cast(counts, dtype), call.ints([1]))


def _written(call: Call, rows: ir.Value, bags: ir.Value, shape: ir.Value, dtype: str) -> ir.Value:
    start = call.op("Expand", call.number(0, dtype), shape)
    return call.op("ScatterND", start, bags, rows, reduction="add")


def _largest(
    call: Call, rows: ir.Value, bags: ir.Value, shape: ir.Value, there: ir.Value, dtype: str
) -> ir.Value:
    """An empty bag is 0."""
    least = call.number(-math.inf, dtype)
    kept = call.op("Where", call.builder.cast(there, "bool"), rows, least)
    start = call.op("Expand", least, shape)
    found = call.op("ScatterND", start, bags, kept, reduction="max")
    return call.op("Where", call.op("Equal", found, least), call.number(0, dtype), found)


@converts("aten::embedding_dense_backward")
def gradient_of_embedding(call: Call) -> ir.Value:
    """What reaches each row, added up."""
    if call.constant("scale_grad_by_freq"):
        raise Refused("gradients are divided by how often a row is used", "export without it")
    width = call.op("Shape", call.value("grad_output"), start=-1)
    flat = call.op("Concat", call.ints([-1]), width, axis=0)
    rows = call.op("Reshape", call.value("grad_output"), flat)
    places = call.op("Reshape", call.value("indices"), call.ints([-1, 1]))
    padding = call.op("Equal", places, call.value("padding_idx", "int64"))
    rows = call.op("Where", padding, call.number(0), rows)
    shape = call.op("Concat", call.builder.sizes(call.list("num_weights")), width, axis=0)
    return _written(call, rows, places, shape, call.dtype)
