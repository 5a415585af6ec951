"""Further activations, and what combines a tensor with others element by element."""

from __future__ import annotations

import math

import onnx_ir as ir

from tsc.runtime.onnx.calls import CONVERSIONS, Call, Convert, converts
from tsc.runtime.onnx.element_types import arithmetic_type, is_floating
from tsc.runtime.onnx.refusals import Refused


@converts("aten::prelu", "aten::_prelu_kernel")
def prelu(call: Call) -> ir.Value:
    """A slope for each channel, or one for all."""
    slope = call.value("weight")
    if call.rank("weight") == 1 and call.rank() > 1:
        slope = call.op("Reshape", slope, call.ints([-1, *[1] * (call.rank() - 2)]))
    return call.op("PRelu", call.value(), slope)


def _softplus(call: Call, value: ir.Value) -> ir.Value:
    """log(1 + e^x), as max(x, 0) + log(1 + e^-|x|) in dtypes that ONNX Runtime has no kernel for."""
    if call.dtype == "float32":
        return call.op("Softplus", value)
    small = call.op("Exp", call.op("Neg", call.op("Abs", value)))
    logarithm = call.op("Log", call.op("Add", small, call.number(1)))
    return call.op("Add", call.op("Max", value, call.number(0)), logarithm)


@converts("aten::softplus")
def softplus(call: Call) -> ir.Value:
    """log(1 + e^(βx))/β; above the threshold, x."""
    value = call.value()
    steep = call.op("Mul", value, call.value("beta", call.dtype))
    soft = call.op("Div", _softplus(call, steep), call.value("beta", call.dtype))
    above = call.op("Greater", steep, call.value("threshold", call.dtype))
    return call.op("Where", above, value, soft)


@converts("aten::relu6")
def relu6(call: Call) -> ir.Value:
    return call.op("Min", call.op("Max", call.value(), call.number(0)), call.number(6))


@converts("aten::mish")
def mish(call: Call) -> ir.Value:
    return call.op("Mul", call.value(), call.op("Tanh", _softplus(call, call.value())))


@converts("aten::selu")
def selu(call: Call) -> ir.Value:
    return call.op("Selu", call.value())


@converts("aten::celu")
def celu(call: Call) -> ir.Value:
    """max(x, 0) + min(α(e^(x/α) - 1), 0)."""
    value, alpha, zero = call.value(), call.value("alpha", call.dtype), call.number(0)
    growth = call.op("Sub", call.op("Exp", call.op("Div", value, alpha)), call.number(1))
    below = call.op("Min", call.op("Mul", alpha, growth), zero)
    return call.op("Add", call.op("Max", value, zero), below)


@converts("aten::softsign")
def softsign(call: Call) -> ir.Value:
    return call.op("Softsign", call.value())


@converts("aten::log_sigmoid")
def log_sigmoid(call: Call) -> ir.Value:
    return call.op("Neg", _softplus(call, call.op("Neg", call.value())))


@converts("aten::tanhshrink")
def tanhshrink(call: Call) -> ir.Value:
    return call.op("Sub", call.value(), call.op("Tanh", call.value()))


@converts("aten::threshold")
def threshold(call: Call) -> ir.Value:
    below = call.op("LessOrEqual", call.value(), call.value("threshold", call.dtype))
    return call.op("Where", below, call.value("value", call.dtype), call.value())


@converts("aten::hardshrink")
def hardshrink(call: Call) -> ir.Value:
    inside = call.op("LessOrEqual", call.op("Abs", call.value()), call.value("lambd", call.dtype))
    return call.op("Where", inside, call.number(0), call.value())


@converts("aten::softshrink")
def softshrink(call: Call) -> ir.Value:
    width = float(call.constant("lambd"))
    return call.op("Shrink", call.value(), lambd=width, bias=width)


@converts("aten::glu")
def glu(call: Call) -> ir.Value:
    """The first half, gated by the second."""
    dim = call.dim()
    halves = call.builder.ops("Split", 2, call.value(), axis=dim, num_outputs=2)
    return call.op("Mul", halves[0], call.op("Sigmoid", halves[1]))


@converts("aten::rsub.Scalar", "aten::rsub.Tensor")
def subtract_from(call: Call) -> ir.Value:
    dtype = arithmetic_type(call.dtype)
    value = call.value(dtype=dtype)
    if call.constant("alpha") != 1:
        value = call.op("Mul", value, call.value("alpha", dtype))
    return call.in_result(call.op("Sub", call.value("other", dtype), value))


@converts("aten::lerp.Tensor", "aten::lerp.Scalar")
def between(call: Call) -> ir.Value:
    """From the nearer end, so that both ends are exact."""
    start, end, weight = (call.value(e, call.dtype) for e in ("self", "end", "weight"))
    way = call.op("Sub", end, start)
    rest = call.op("Sub", call.number(1), weight)
    near = call.op("Add", start, call.op("Mul", weight, way))
    far = call.op("Sub", end, call.op("Mul", way, rest))
    half = call.op("Less", call.op("Abs", weight), call.number(0.5))
    return call.op("Where", half, near, far)


def _added(kind: str) -> Convert:
    def convert(call: Call) -> ir.Value:
        dtype = arithmetic_type(call.dtype)
        first, second = (call.value(name, dtype) for name in ("tensor1", "tensor2"))
        found = call.op("Mul", call.op(kind, first, second), call.value("value", dtype))
        return call.in_result(call.op("Add", call.value(dtype=dtype), found))

    return convert


CONVERSIONS["aten::addcmul"] = _added("Mul")
CONVERSIONS["aten::addcdiv"] = _added("Div")


@converts("aten::atan2")
def angle_of_point(call: Call) -> ir.Value:
    return angle_of(call, call.value(dtype=call.dtype), call.value("other", call.dtype))


def angle_of(call: Call, y: ir.Value, x: ir.Value) -> ir.Value:
    """The arc tangent of the quotient, turned by π left of the axis; of infinities, that of their signs."""
    zero, pi = call.number(0), call.number(math.pi)
    both = call.op("And", call.op("IsInf", y), call.op("IsInf", x))
    y, x = (call.op("Where", both, call.op("Sign", each), each) for each in (y, x))
    angle = call.op("Atan", call.op("Div", y, x))
    turned = call.op("Where", call.op("Less", y, zero), call.op("Neg", pi), pi)
    angle = call.op("Where", call.op("Less", x, zero), call.op("Add", angle, turned), angle)
    origin = call.op("And", call.op("Equal", x, zero), call.op("Equal", y, zero))
    return call.op("Where", origin, zero, angle)


@converts("aten::clamp_max")
def clamp_max(call: Call) -> ir.Value:
    dtype = arithmetic_type(call.dtype)
    return call.in_result(call.op("Min", call.value(dtype=dtype), call.value("max", dtype)))


@converts("aten::square")
def square(call: Call) -> ir.Value:
    dtype = arithmetic_type(call.dtype)
    return call.in_result(call.op("Mul", call.value(dtype=dtype), call.value(dtype=dtype)))


@converts("aten::erfc")
def rest_of_erf(call: Call) -> ir.Value:
    raise Refused("1 - erf(x) loses what is small", "use 1 - torch.erf(x) if that is enough")


@converts("aten::exp2")
def power_of_two(call: Call) -> ir.Value:
    return call.op("Pow", call.number(2), call.value(dtype=call.dtype))


@converts("aten::isfinite")
def is_finite(call: Call) -> ir.Value:
    """A number less itself is 0, if it is no NaN and not infinite."""
    known = call.known("self").dtype.name
    dtype = known if is_floating(known) else "float32"
    value = call.value(dtype=dtype)
    return call.op("Equal", call.op("Sub", value, value), call.number(0, dtype))
