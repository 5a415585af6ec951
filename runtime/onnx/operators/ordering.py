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
    return _sorted(call, bool(call.constant("descending")))


def _sorted(call: Call, descending: bool) -> list[ir.Value]:
    if call.rank() == 0:
        return [call.op("Identity", call.value()), call.ints(0)]
    shape, dim = call.op("Shape", call.value()), call.dim()
    count = call.op("Gather", shape, call.ints([dim]), axis=0)
    return _largest(call, count, dim, descending)


@converts("aten::argsort", "aten::argsort.stable")
def argsort(call: Call) -> ir.Value:
    return _sorted(call, bool(call.constant("descending")))[1]


@converts("aten::kthvalue")
def kth_value(call: Call) -> list[ir.Value]:
    """The last of the k least."""
    if call.rank() == 0:
        return [call.op("Identity", call.value()), call.ints(0)]
    (count,) = call.list("k")
    least = _largest(call, call.builder.sizes([count]), call.dim(), largest=False)
    return [_chosen(call, each, call.ints([-1])) for each in least]


@converts("aten::median.dim", "aten::nanmedian.dim")
def median_of_rows(call: Call) -> list[ir.Value]:
    """The lower one of two in the middle."""
    if call.rank() == 0:
        return [call.op("Identity", call.value()), call.ints(0)]
    ordered, places = _sorted(call, descending=False)
    middle = _middle(call, ordered, call.dim())
    found = [call.op("GatherElements", e, middle, axis=call.dim()) for e in (ordered, places)]
    return found if call.constant("keepdim") else [_without(call, each) for each in found]


@converts("aten::median", "aten::nanmedian")
def median(call: Call) -> ir.Value:
    """The same of all elements."""
    row = call.op("Reshape", call.value(), call.ints([-1]))
    ordered = _largest(call, call.op("Shape", row), 0, largest=False, of=row)[0]
    found = call.op("GatherElements", ordered, _middle(call, ordered, 0))
    return call.op("Reshape", found, call.ints([]))


def _middle(call: Call, ordered: ir.Value, dim: int) -> ir.Value:
    """The place of the median in each row, which is in order. NaN comes last: it is the median, or does not count."""
    count = call.op("ReduceSum", _ones_like(call, ordered), call.ints([dim]))
    last = call.op("Sub", count, call.ints(1))
    if not is_floating(call.known("self").dtype.name):
        return call.op("Div", last, call.ints(2))
    nans = call.builder.cast(call.op("IsNaN", ordered), "int64")
    nans = call.op("ReduceSum", nans, call.ints([dim]))
    if str(call.node.target).startswith("torch.ops.aten.nan"):
        known = call.op("Max", call.op("Sub", last, nans), call.ints(0))
        return call.op("Div", known, call.ints(2))
    is_nan = call.op("Greater", nans, call.ints(0))
    first_nan = call.op("Sub", count, nans)
    return call.op("Where", is_nan, first_nan, call.op("Div", last, call.ints(2)))


def _ones_like(call: Call, value: ir.Value) -> ir.Value:
    return call.op("Expand", call.ints(1), call.op("Shape", value))


def _without(call: Call, value: ir.Value) -> ir.Value:
    return call.op("Squeeze", value, call.ints([call.dim()]))


def _chosen(call: Call, value: ir.Value, place: ir.Value) -> ir.Value:
    """One element of each row, with or without its dimension."""
    found = call.op("Gather", value, place, axis=call.dim())
    return found if call.constant("keepdim") else _without(call, found)


@converts("aten::topk")
def topk(call: Call) -> list[ir.Value]:
    count = call.builder.sizes(call.list("k"))
    return _largest(call, count, call.dim(), bool(call.constant("largest")))


def _largest(
    call: Call, count: ir.Value, dim: int, largest: bool, of: ir.Value | None = None
) -> list[ir.Value]:
    value = call.value() if of is None else of
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
