"""Sorting, the largest elements, and extremes with their places."""

from __future__ import annotations

import onnx_ir as ir

from tsc.runtime.onnx.calls import CONVERSIONS, Call, Convert, converts
from tsc.runtime.onnx.refusals import Refused


def _extreme_with_place(reduce: str, place: str) -> Convert:
    def convert(call: Call) -> list[ir.Value]:
        if call.rank() == 0:
            raise Refused("a tensor without dimensions has no dimension to go over")
        keep, dim, value = int(bool(call.constant("keepdim"))), call.dim(), call.value()
        extreme = call.op(reduce, value, call.ints([dim]), keepdims=keep)
        return [extreme, call.op(place, value, axis=dim, keepdims=keep)]

    return convert


CONVERSIONS["aten::max.dim"] = _extreme_with_place("ReduceMax", "ArgMax")
CONVERSIONS["aten::min.dim"] = _extreme_with_place("ReduceMin", "ArgMin")


@converts("aten::sort")
def sort(call: Call) -> list[ir.Value]:
    """All elements: of equal ones, the first comes first."""
    if call.rank() == 0:
        raise Refused("a tensor without dimensions has nothing to sort")
    shape, dim = call.op("Shape", call.value()), call.dim()
    count = call.op("Gather", shape, call.ints([dim]), axis=0)
    return _largest(call, count, dim, bool(call.constant("descending")))


@converts("aten::topk")
def topk(call: Call) -> list[ir.Value]:
    count = call.builder.sizes(call.list("k"))
    return _largest(call, count, call.dim(), bool(call.constant("largest")))


def _largest(call: Call, count: ir.Value, dim: int, largest: bool) -> list[ir.Value]:
    found = call.builder.ops(
        *("TopK", 2, call.value(), count), axis=dim, largest=int(largest), sorted=1
    )
    return list(found)
