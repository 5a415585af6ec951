"""Operators that take dimensions together."""

from __future__ import annotations

import onnx_ir as ir

from tsc.runtime.onnx.calls import CONVERSIONS, Call, Convert, converts
from tsc.runtime.onnx.element_types import SMALL_INTEGERS, is_floating


def _axes(call: Call) -> ir.Value | None:
    """The dimensions; None stands for all of them, as an empty list does."""
    found = (
        [each for each in call.list("dim") if each is not None] if "dim" in call.arguments else []
    )
    return call.ints(found) if found and call.rank() else None


def _reduction(kind: str) -> Convert:
    def convert(call: Call) -> ir.Value:
        dtype = "int32" if call.dtype in SMALL_INTEGERS else call.dtype
        keep = int(bool(call.arguments.get("keepdim", False)))
        value = call.op(kind, call.value(dtype=dtype), _axes(call), keepdims=keep)
        return call.in_result(value)

    return convert


for _kind, _names in {
    "ReduceSum": ("sum", "sum.dim_IntList"),
    "ReduceProd": ("prod", "prod.dim_int"),
    "ReduceMax": ("amax", "max", "any", "any.dim", "any.dims"),
    "ReduceMin": ("amin", "min", "all", "all.dim"),
}.items():
    for _name in _names:
        CONVERSIONS[f"aten::{_name}"] = _reduction(_kind)


@converts("aten::mean", "aten::mean.dim")
def mean(call: Call) -> ir.Value:
    """Of no elements it is NaN, which ONNX Runtime does not give: where there may be none, the sum is divided."""
    value, axes, keep = call.value(dtype=call.dtype), _axes(call), call.arguments.get("keepdim")
    taken = [int(str(e)) for e in call.list("dim")] if axes is not None else range(call.rank())
    kept = {"keepdims": int(bool(keep))}
    sizes = [call.known("self").size[each] for each in taken]
    if all(isinstance(each, int) and each for each in sizes):
        return call.op("ReduceMean", value, axes, **kept)
    lengths = call.op("Gather", call.op("Shape", value), call.ints(list(taken)), axis=0)
    count = call.op("ReduceProd", lengths, keepdims=0)
    return call.op("Div", call.op("ReduceSum", value, axes, **kept), call.in_result(count))


def _truth(kind: str) -> Convert:
    """Of `any` and `all`: elements are 0 or 1 before. Of none, ONNX gives the least or the greatest integer."""

    def convert(call: Call) -> ir.Value:
        value = call.builder.cast(call.value(dtype="bool"), "int32")
        keep = int(bool(call.arguments.get("keepdim", False)))
        found = call.op(kind, value, _axes(call), keepdims=keep)
        return call.op("Greater", found, call.number(0, "int32"))

    return convert


for _name in ("any", "any.dim", "any.dims"):
    CONVERSIONS[f"aten::{_name}"] = _truth("ReduceMax")
for _name in ("all", "all.dim"):
    CONVERSIONS[f"aten::{_name}"] = _truth("ReduceMin")


def _place_of_extreme(kind: str) -> Convert:
    def convert(call: Call) -> ir.Value:
        value, keep = call.value(), int(bool(call.constant("keepdim")))
        if call.rank() == 0 or not call.given("dim"):
            flat = call.op("Reshape", value, call.ints([-1]))
            found = call.op(kind, flat, axis=0, keepdims=0)
            return call.op("Reshape", found, call.ints([1] * len(call.result.size)))
        return call.op(kind, value, axis=call.dim(), keepdims=keep)

    return convert


CONVERSIONS["aten::argmax"] = _place_of_extreme("ArgMax")
CONVERSIONS["aten::argmin"] = _place_of_extreme("ArgMin")


@converts("aten::cumsum")
def cumulative_sum(call: Call) -> ir.Value:
    if call.rank() == 0:
        return call.value(dtype=call.dtype)
    dtype = call.dtype if is_floating(call.dtype) else "int64"
    value = call.op("CumSum", call.value(dtype=dtype), call.ints(call.dim()))
    return call.in_result(value)
