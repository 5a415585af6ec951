"""What is written to places along a dimension: `scatter` and its kin, `index_add`, and parts that are put back."""

from __future__ import annotations

from typing import Final

import onnx_ir as ir

from tsc.runtime.onnx.calls import CONVERSIONS, Call, Convert, converts
from tsc.runtime.onnx.element_types import extremes, is_floating
from tsc.runtime.onnx.refusals import Refused

_REDUCTIONS: Final = {
    "sum": "add", "add": "add", "mean": "add", "prod": "mul", "multiply": "mul", "amax": "max",
    "amin": "min",
}  # fmt: skip
_END: Final = (1 << 63) - 1


def _source(call: Call) -> ir.Value:
    """ONNX wants as many elements as places; PyTorch takes those that there are places for."""
    shape = call.op("Shape", call.value("index"))
    if "value" in call.arguments:
        return call.op("Expand", call.value("value", call.dtype), shape)
    axes = call.ints(list(range(call.rank("index"))))
    zeros = call.ints([0] * call.rank("index"))
    return call.op("Slice", call.value("src"), zeros, shape, axes)


def _written(
    call: Call, to: ir.Value, places: ir.Value, source: ir.Value, how: str = "none"
) -> ir.Value:
    """What is there afterwards. ONNX Runtime adds no float16: that is done in float32."""
    if how != "none" and call.dtype == "float16":
        to, source = (call.builder.cast(each, "float32") for each in (to, source))
        return call.in_result(_placed(call, to, places, source, how))
    return _placed(call, to, places, source, how)


def _placed(call: Call, to: ir.Value, places: ir.Value, source: ir.Value, how: str) -> ir.Value:
    """A tensor without dimensions is written to as a row of one."""
    if call.rank() or "dim" not in call.arguments:
        dim = call.dim() if "dim" in call.arguments else 0
        return call.op("ScatterElements", to, places, source, axis=dim, reduction=how)
    row = [call.op("Reshape", each, call.ints([-1])) for each in (to, places, source)]
    return call.op("Reshape", call.op("ScatterElements", *row, reduction=how), call.ints([]))


@converts("aten::scatter.src", "aten::scatter.value")
def scatter(call: Call) -> ir.Value:
    return _written(call, call.value(), call.value("index"), _source(call))


@converts("aten::scatter_add")
def scatter_add(call: Call) -> ir.Value:
    return _written(call, call.value(), call.value("index"), _source(call), "add")


@converts("aten::scatter.reduce", "aten::scatter.value_reduce")
def scatter_and_reduce(call: Call) -> ir.Value:
    how = _REDUCTIONS[str(call.constant("reduce"))]
    return _written(call, call.value(), call.value("index"), _source(call), how)


def _neutral(call: Call, reduce: str) -> float | int:
    least, greatest = extremes(call.dtype)
    return {"sum": 0, "mean": 0, "prod": 1, "amax": least, "amin": greatest}[reduce]


@converts("aten::scatter_reduce.two")
def scatter_reduce(call: Call) -> ir.Value:
    """What was there takes part, or is replaced by the number that changes nothing before."""
    reduce, places, source = str(call.constant("reduce")), call.value("index"), _source(call)
    base, includes = call.value(), bool(call.constant("include_self"))
    if not includes:
        neutral = call.op("Expand", call.number(_neutral(call, reduce)), call.op("Shape", places))
        base = _written(call, base, places, neutral)
    result = _written(call, base, places, source, _REDUCTIONS[reduce])
    return _mean(call, result, places, includes) if reduce == "mean" else result


def _mean(call: Call, total: ir.Value, places: ir.Value, includes: bool) -> ir.Value:
    if not is_floating(call.dtype):
        raise Refused("means of integers are rounded", "convert to floats before")
    start = call.op("Expand", call.number(int(includes)), call.op("Shape", call.value()))
    ones = call.op("Expand", call.number(1), call.op("Shape", places))
    counts = _written(call, start, places, ones, "add")
    return call.op("Div", total, call.op("Max", counts, call.number(1)))


# -- Whole slices ----------------------------------------------------------------------------------


def _write_slices(call: Call, positions: ir.Value, source: ir.Value, how: str = "none") -> ir.Value:
    """Slices of `source` along a dimension, written to these positions; negative ones count from the end."""
    dim, rank = call.dim(), max(call.rank(), 1)
    shape = [1] * rank
    shape[dim] = -1
    column = call.op("Reshape", call.builder.cast(positions, "int64"), call.ints(shape))
    places = call.op("Expand", column, call.op("Shape", source))
    return _written(call, call.value(), places, source, how)


def _slices(name: str, how: str) -> Convert:
    def convert(call: Call) -> ir.Value:
        source = call.value(name, call.dtype)
        if call.arguments.get("alpha", 1) != 1:
            source = call.op("Mul", source, call.value("alpha", call.dtype))
        return _write_slices(call, call.value("index"), source, how)

    return convert


CONVERSIONS["aten::index_add"] = _slices("source", "add")
CONVERSIONS["aten::index_copy"] = _slices("source", "none")


@converts("aten::index_fill.int_Scalar", "aten::index_fill.int_Tensor")
def index_fill(call: Call) -> ir.Value:
    shape = call.op("Shape", call.op("Gather", call.value(), call.value("index"), axis=call.dim()))
    source = call.op("Expand", call.value("value", call.dtype), shape)
    return _write_slices(call, call.value("index"), source)


@converts("aten::select_scatter")
def select_scatter(call: Call) -> ir.Value:
    source = call.op("Unsqueeze", call.value("src", call.dtype), call.ints([call.dim()]))
    return _write_slices(call, call.builder.sizes(call.list("index")), source)


@converts("aten::slice_scatter")
def slice_scatter(call: Call) -> ir.Value:
    """The positions are a slice of all positions there are."""
    size = call.op("Gather", call.op("Shape", call.value()), call.ints(call.dim()), axis=0)
    every = call.op("Range", call.ints(0), size, call.ints(1))
    bounds = [
        call.builder.sizes([default if call.arguments[name] is None else call.arguments[name]])
        for name, default in (("start", 0), ("end", _END), ("step", 1))
    ]
    positions = call.op("Slice", every, *bounds[:2], call.ints([0]), bounds[2])
    return _write_slices(call, positions, call.value("src", call.dtype))


@converts("aten::masked_scatter")
def masked_scatter(call: Call) -> ir.Value:
    """The first elements of the source go to where the mask is, in order."""
    mask = call.op("Expand", call.value("mask", "bool"), call.op("Shape", call.value()))
    places = call.op("Transpose", call.op("NonZero", mask), perm=[1, 0])
    row = call.op("Reshape", call.value("source"), call.ints([-1]))
    count = call.op("Shape", places, end=1)
    first = call.op("Slice", row, call.ints([0]), count, call.ints([0]))
    return call.op("ScatterND", call.value(), places, first)
