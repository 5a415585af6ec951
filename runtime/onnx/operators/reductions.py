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
    "ReduceMean": ("mean", "mean.dim"),
    "ReduceProd": ("prod", "prod.dim_int"),
    "ReduceMax": ("amax", "max", "any", "any.dim", "any.dims"),
    "ReduceMin": ("amin", "min", "all", "all.dim"),
}.items():
    for _name in _names:
        CONVERSIONS[f"aten::{_name}"] = _reduction(_kind)


def _truth(kind: str) -> Convert:
    """Of `any` and `all`: elements are taken for true or false before."""

    def convert(call: Call) -> ir.Value:
        value = call.builder.cast(call.value(dtype="bool"), "int32")
        keep = int(bool(call.arguments.get("keepdim", False)))
        return call.builder.cast(call.op(kind, value, _axes(call), keepdims=keep), "bool")

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
