"""What grows along a dimension and ONNX has no operator for: products and extremes, as `Scan`."""

from __future__ import annotations

import onnx_ir as ir

from tsc.runtime.onnx.calls import CONVERSIONS, Call, Convert, GraphBuilder, converts
from tsc.runtime.onnx.element_types import arithmetic_type, element_type, is_floating


def _slice_of(call: Call, value: ir.Value) -> ir.Value:
    """The first slice along the dimension, which the state before has the shape of."""
    return call.op("Shape", call.op("Gather", value, call.ints(0), axis=call.dim()))


def _input(call: Call, name: str, dtype: str, rank: int) -> ir.Value:
    return ir.val(f"{call.node.name}_{name}", element_type(dtype), [None] * rank)


def _whole(call: Call, value: ir.Value) -> ir.Value:
    """Of no dimensions: a row of one, over which can be gone."""
    return value if call.rank() else call.op("Reshape", value, call.ints([1]))


def _as_given(call: Call, value: ir.Value) -> ir.Value:
    return value if call.rank() else call.op("Reshape", value, call.ints([]))


@converts("aten::cumprod")
def cumulative_product(call: Call) -> ir.Value:
    dtype = arithmetic_type(call.dtype)
    value = _whole(call, call.value(dtype=dtype))
    start = call.op("Expand", call.number(1, dtype), _slice_of(call, value))
    inside, rank = call.builder.inner(), max(call.rank(), 1) - 1
    before, given = (_input(call, name, dtype, rank) for name in ("before", "given"))
    product = inside.op("Mul", before, given)
    outputs = [product, inside.op("Identity", product)]
    body = ir.Graph([before, given], outputs, nodes=inside.nodes, name=f"{call.node.name}_body")
    found = _scan(call, body, 1, [start, value], 1)
    return call.in_result(_as_given(call, found[1]))


def _scan(
    call: Call, body: ir.Graph, states: int, inputs: list[ir.Value], scanned: int
) -> list[ir.Value]:
    """The last states, then what each turn gave, put together along the dimension."""
    attributes = {
        "num_scan_inputs": scanned,
        "scan_input_axes": [call.dim()] * scanned,
        "scan_output_axes": [call.dim()] * (len(body.outputs) - states),
    }
    count = len(body.outputs)
    return list(call.builder.ops("Scan", count, *inputs, body=body, **attributes))


def _later_is_taken(
    inside: GraphBuilder, kind: str, dtype: str, best: ir.Value, given: ir.Value
) -> ir.Value:
    """Whether an element takes the place of the best so far: equal ones do, and NaN does in any case."""
    taken = inside.op("Or", inside.op(kind, given, best), inside.op("Equal", given, best))
    if not is_floating(dtype):
        return taken
    kept = inside.op("And", taken, inside.op("Not", inside.op("IsNaN", best)))
    return inside.op("Or", kept, inside.op("IsNaN", given))


def _extreme(kind: str) -> Convert:
    def convert(call: Call) -> list[ir.Value]:
        dtype = arithmetic_type(call.known("self").dtype.name)
        value = _whole(call, call.value(dtype=dtype))
        shape = _slice_of(call, value)
        first = call.op("Gather", value, call.ints(0), axis=call.dim())
        zeros = call.op("Expand", call.ints(0), shape)
        size = call.op("Gather", call.op("Shape", value), call.ints(call.dim()), axis=0)
        steps = call.op("Range", call.ints(0), size, call.ints(1))
        found = _scan_extremes(call, kind, dtype, [first, zeros, value, steps])
        values = call.builder.cast(found[2], call.known("self").dtype.name)
        return [_as_given(call, each) for each in (values, found[3])]

    return convert


def _scan_extremes(call: Call, kind: str, dtype: str, inputs: list[ir.Value]) -> list[ir.Value]:
    inside, rank = call.builder.inner(), max(call.rank(), 1) - 1
    best, given = (_input(call, name, dtype, rank) for name in ("best", "given"))
    place, step = _input(call, "place", "int64", rank), _input(call, "step", "int64", 0)
    taken = _later_is_taken(inside, kind, dtype, best, given)
    following = [inside.op("Where", taken, given, best), inside.op("Where", taken, step, place)]
    outputs = [*following, *(inside.op("Identity", each) for each in following)]
    name = f"{call.node.name}_body"
    body = ir.Graph([best, place, given, step], outputs, nodes=inside.nodes, name=name)
    axes = {"scan_input_axes": [call.dim(), 0], "scan_output_axes": [call.dim()] * 2}
    return list(call.builder.ops("Scan", 4, *inputs, body=body, num_scan_inputs=2, **axes))


CONVERSIONS["aten::cummax"] = _extreme("Greater")
CONVERSIONS["aten::cummin"] = _extreme("Less")
