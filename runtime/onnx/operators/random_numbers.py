"""Random numbers: those of ONNX Runtime, of the same distributions, and not those of a seed of PyTorch's."""

from __future__ import annotations

from typing import Final

import onnx_ir as ir

from tsc.runtime.onnx.calls import CONVERSIONS, Call, Convert, converts
from tsc.runtime.onnx.element_types import element_type, is_floating
from tsc.runtime.onnx.refusals import Refused

_UNIFORM: Final = "RandomUniformLike"


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


@converts("aten::uniform")
def uniform(call: Call) -> ir.Value:
    low, high = (float(call.constant(each)) for each in ("from", "to"))
    return call.op(
        "Add", call.op("Mul", _drawn(call, _UNIFORM), call.number(high - low)), call.number(low)
    )


@converts("aten::normal_functional")
def normal(call: Call) -> ir.Value:
    drawn = call.op("Mul", _drawn(call, "RandomNormalLike"), call.value("std", call.dtype))
    return call.op("Add", drawn, call.value("mean", call.dtype))


@converts("aten::exponential")
def exponential(call: Call) -> ir.Value:
    """-log(1 - u)/λ for u from 0, and below 1."""
    rest = call.op("Sub", call.number(1), _drawn(call, _UNIFORM))
    return call.op("Div", call.op("Neg", call.op("Log", rest)), call.value("lambd", call.dtype))


@converts("aten::multinomial")
def multinomial(call: Call) -> ir.Value:
    """The largest of log(p) - log(-log(u)): as many, each once, or the largest of each of several draws (Gumbel)."""
    count = int(call.constant("num_samples"))
    dtype = call.known("self").dtype.name
    scores, rank = call.op("Log", call.value()), call.rank()
    if call.constant("replacement"):
        scores = call.op("Unsqueeze", scores, call.ints([-2]))
        ones = call.ints([1] * (rank - 1) + [count, 1])
        scores = call.op("Expand", scores, ones)
    drawn = call.op("RandomUniformLike", scores, dtype=int(element_type(dtype)))
    noise = call.op("Neg", call.op("Log", call.op("Neg", call.op("Log", drawn))))
    scores = call.op("Add", scores, noise)
    if call.constant("replacement"):
        return call.op("ArgMax", scores, axis=-1, keepdims=0)
    return call.builder.ops("TopK", 2, scores, call.ints([count]), axis=-1, sorted=1)[1]


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
    return _dropped(call, value, shape)


def _dropped(call: Call, value: ir.Value, shape: ir.Value) -> list[ir.Value]:
    """What is left is as much larger; with the mask, which is of a shape that broadcasts."""
    chance, dtype = float(call.constant("p")), call.known("input").dtype.name
    like = call.op("Expand", call.number(0, "float32"), shape)
    drawn = call.op(_UNIFORM, like, dtype=int(element_type("float64")))
    kept = call.op("GreaterOrEqual", drawn, call.number(chance, "float64"))
    factor = 0.0 if chance == 1 else 1 / (1 - chance)
    factors = call.op("Mul", call.builder.cast(kept, dtype), call.number(factor, dtype))
    return [call.op("Mul", value, factors), kept]


def _is_dropping(call: Call) -> bool:
    return bool(call.constant("train")) and call.constant("p") != 0


@converts("aten::dropout")
def dropout(call: Call) -> ir.Value:
    value = call.value("input")
    if not _is_dropping(call):
        return call.op("Identity", value)
    return _dropped(call, value, call.op("Shape", value))[0]


@converts("aten::feature_dropout")
def dropout_of_channels(call: Call) -> ir.Value:
    """A channel of a sample is left as a whole, or not at all."""
    value = call.value("input")
    if not _is_dropping(call):
        return call.op("Identity", value)
    channels = call.op("Shape", value, start=0, end=2)
    rest = call.ints([1] * max(call.rank("input") - 2, 0))
    return _dropped(call, value, call.op("Concat", channels, rest, axis=0))[0]


@converts("aten::alpha_dropout", "aten::feature_alpha_dropout")
def dropout_to_a_number(call: Call) -> ir.Value:
    if _is_dropping(call):
        raise Refused("what is dropped takes a number of its own", "export the module after eval()")
    return call.op("Identity", call.value("input"))
