"""Random numbers: those of ONNX Runtime, of the same distributions, and not those of a seed of PyTorch's."""

from __future__ import annotations

import onnx_ir as ir

from tsc.runtime.onnx.calls import CONVERSIONS, Call, Convert, converts
from tsc.runtime.onnx.element_types import element_type, is_floating
from tsc.runtime.onnx.refusals import Refused


def _like(call: Call) -> ir.Value:
    """A tensor of the shape that is wanted."""
    if "size" not in call.arguments:
        return call.value()
    return call.op("Expand", call.number(0, "float32"), call.builder.sizes(call.list("size")))


def _drawn(call: Call, kind: str) -> ir.Value:
    wanted = call.dtype if is_floating(call.dtype) else "float64"
    return call.op(kind, _like(call), dtype=int(element_type(wanted)))


def _numbers(kind: str) -> Convert:
    return lambda call: _drawn(call, kind)


for _name in ("rand", "rand_like"):
    CONVERSIONS[f"aten::{_name}"] = _numbers("RandomUniformLike")
for _name in ("randn", "randn_like"):
    CONVERSIONS[f"aten::{_name}"] = _numbers("RandomNormalLike")


@converts(
    "aten::randint", "aten::randint.low", "aten::randint_like", "aten::randint_like.low_dtype"
)
def whole_numbers(call: Call) -> ir.Value:
    """From `low`, and below `high`."""
    low = call.value("low", "float64") if "low" in call.arguments else call.number(0, "float64")
    width = call.op("Sub", call.value("high", "float64"), low)
    drawn = call.op("RandomUniformLike", _like(call), dtype=int(element_type("float64")))
    return call.in_result(call.op("Floor", call.op("Add", call.op("Mul", drawn, width), low)))


@converts("aten::randperm")
def permutation(call: Call) -> ir.Value:
    """Where random numbers stand in order."""
    count = call.builder.sizes(call.list("n"))
    shape = call.op("Expand", call.number(0, "float32"), count)
    drawn = call.op("RandomUniformLike", shape, dtype=int(element_type("float64")))
    return call.in_result(call.builder.ops("TopK", 2, drawn, count, sorted=1)[1])


@converts("aten::bernoulli", "aten::bernoulli.p")
def bernoulli(call: Call) -> ir.Value:
    """1 where a number drawn is below the probability."""
    drawn = call.op("RandomUniformLike", call.value(), dtype=int(element_type("float64")))
    chance = call.value("p" if "p" in call.arguments else "self", "float64")
    return call.in_result(call.op("Less", drawn, chance))


@converts("aten::native_dropout")
def dropout_with_mask(call: Call) -> list[ir.Value]:
    value = call.value("input")
    shape = call.op("Shape", value)
    if call.arguments["train"] is False:
        return [call.op("Identity", value), call.op("Expand", call.number(True, "bool"), shape)]
    chance = float(call.constant("p"))
    if chance == 1:
        raise Refused("everything is dropped", "multiply by 0")
    dtype = call.known("input").dtype.name
    drawn = call.op("RandomUniformLike", value, dtype=int(element_type("float64")))
    kept = call.op("GreaterOrEqual", drawn, call.number(chance, "float64"))
    factors = call.op("Mul", call.builder.cast(kept, dtype), call.number(1 / (1 - chance), dtype))
    return [call.op("Mul", value, factors), kept]


@converts("aten::dropout", "aten::feature_dropout", "aten::alpha_dropout")
def dropout(call: Call) -> ir.Value:
    if call.constant("train") and call.constant("p"):
        raise Refused("dropout in training is random", "export the module after eval()")
    return call.op("Identity", call.value("input"))
