"""Variances and deviations."""

from __future__ import annotations

import math

import onnx_ir as ir

from tsc.runtime.onnx.calls import Call, converts
from tsc.runtime.onnx.refusals import Refused


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
