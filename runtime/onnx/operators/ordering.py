"""Sorting, the largest elements, and extremes with their places."""

from __future__ import annotations

import math

import onnx_ir as ir

from tsc.runtime.onnx.calls import CONVERSIONS, Call, Convert, converts
from tsc.runtime.onnx.element_types import arithmetic_type, is_floating
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


@converts("aten::sort", "aten::sort.stable")
def sort(call: Call) -> list[ir.Value]:
    """All elements: of equal ones, the first comes first."""
    return _sorted(call)


def _sorted(call: Call) -> list[ir.Value]:
    if call.rank() == 0:
        return [call.op("Identity", call.value()), call.ints(0)]
    shape, dim = call.op("Shape", call.value()), call.dim()
    count = call.op("Gather", shape, call.ints([dim]), axis=0)
    return _largest(call, count, dim, bool(call.constant("descending")))


@converts("aten::argsort", "aten::argsort.stable")
def argsort(call: Call) -> ir.Value:
    return _sorted(call)[1]


@converts("aten::topk")
def topk(call: Call) -> list[ir.Value]:
    count = call.builder.sizes(call.list("k"))
    return _largest(call, count, call.dim(), bool(call.constant("largest")))


def _largest(call: Call, count: ir.Value, dim: int, largest: bool) -> list[ir.Value]:
    value = call.value()
    order = {"axis": dim, "largest": int(largest), "sorted": 1}
    places = call.builder.ops("TopK", 2, _key(call, value), count, **order)[1]
    return [call.op("GatherElements", value, places, axis=dim), places]


def _key(call: Call, value: ir.Value) -> ir.Value:
    """Numbers that lie as PyTorch orders elements: NaN above infinity, which is a large number in 64 bits.

    Of 64 bits themselves, NaN counts as infinity.
    """
    dtype = call.known("self").dtype.name
    if not is_floating(dtype):
        return call.builder.cast(value, arithmetic_type(dtype))
    wide = call.builder.cast(value, "float64")
    infinity, large = call.number(math.inf, "float64"), call.number(1e300, "float64")
    if dtype != "float64":
        wide = call.op("Where", call.op("Equal", wide, infinity), large, wide)
    return call.op("Where", call.op("IsNaN", wide), infinity, wide)
