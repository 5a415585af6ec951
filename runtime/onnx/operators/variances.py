"""Variances and deviations, alone and beside the mean."""

from __future__ import annotations

import onnx_ir as ir

from tsc.runtime.onnx.calls import CONVERSIONS, Call, Convert


def _correction(call: Call) -> float:
    """How many elements less the sum of squares is divided by: Bessel's one, if nothing else is said."""
    if "unbiased" in call.arguments:
        return int(bool(call.constant("unbiased")))
    found = call.arguments.get("correction")
    return 1 if found is None else float(str(found))


def _moments(call: Call) -> tuple[ir.Value, ir.Value]:
    """The variance and the mean, in the dtype of the argument."""
    dtype, rank = call.known("self").dtype.name, max(call.rank(), 1)
    given = call.list("dim") if "dim" in call.arguments else []
    dims = [int(str(each)) % rank for each in given if each is not None] or list(range(rank))
    value = call.value() if call.rank() else call.op("Reshape", call.value(), call.ints([1]))
    axes, keep = call.ints(dims), int(bool(call.arguments.get("keepdim", False)))
    keep = keep if call.rank() else 0
    centred = call.op("Sub", value, call.op("ReduceMean", value, axes, keepdims=1))
    total = call.op("ReduceSum", call.op("Mul", centred, centred), axes, keepdims=keep)
    sizes = call.op("Gather", call.op("Shape", value), axes, axis=0)
    count = call.builder.cast(call.op("ReduceProd", sizes, keepdims=0), dtype)
    freedom = call.op("Sub", count, call.number(_correction(call), dtype))
    freedom = call.op("Max", freedom, call.number(0, dtype))
    return call.op("Div", total, freedom), call.op("ReduceMean", value, axes, keepdims=keep)


def _spread(is_root: bool) -> Convert:
    def convert(call: Call) -> ir.Value:
        variance = _moments(call)[0]
        return call.op("Sqrt", variance) if is_root else variance

    return convert


def _spread_and_mean(is_root: bool) -> Convert:
    def convert(call: Call) -> list[ir.Value]:
        variance, mean = _moments(call)
        return [call.op("Sqrt", variance) if is_root else variance, mean]

    return convert


for _name, _is_root in (("var", False), ("std", True)):
    for _overload in ("", ".dim", ".correction"):
        CONVERSIONS[f"aten::{_name}{_overload}"] = _spread(_is_root)
        CONVERSIONS[f"aten::{_name}_mean{_overload}"] = _spread_and_mean(_is_root)
