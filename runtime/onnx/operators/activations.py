"""Activations, softmax, and dropout outside of training."""

from __future__ import annotations

import math

import onnx_ir as ir

from tsc.runtime.onnx.calls import Call, converts
from tsc.runtime.onnx.element_types import SMALL_INTEGERS
from tsc.runtime.onnx.refusals import Refused


@converts("aten::relu")
def relu(call: Call) -> ir.Value:
    if call.dtype in SMALL_INTEGERS:
        raise Refused(f"relu of {call.dtype} is not in ONNX Runtime", "convert to int32 before")
    if call.dtype == "float16":  # ONNX Runtime has no kernel
        return call.op("Max", call.value(), call.number(0))
    return call.op("Relu", call.value())


@converts("aten::leaky_relu")
def leaky_relu(call: Call) -> ir.Value:
    slope = float(call.constant("negative_slope"))
    if call.dtype == "float64":
        return _below_zero(call, call.op("Mul", call.value(), call.number(slope)))
    return call.op("LeakyRelu", call.value(), alpha=slope)


def _below_zero(call: Call, below: ir.Value) -> ir.Value:
    """The argument, and something else where it is negative: ONNX Runtime has float32 alone of many activations."""
    is_below = call.op("Less", call.value(), call.number(0))
    return call.op("Where", is_below, below, call.value())


@converts("aten::elu")
def elu(call: Call) -> ir.Value:
    if (call.constant("scale"), call.constant("input_scale")) != (1, 1):
        raise Refused("this elu is scaled", "multiply its argument and its result")
    alpha = float(call.constant("alpha"))
    if call.dtype == "float64":
        power = call.op("Sub", call.op("Exp", call.value()), call.number(1))
        return _below_zero(call, call.op("Mul", power, call.number(alpha)))
    return call.op("Elu", call.value(), alpha=alpha)


@converts("aten::silu")
def silu(call: Call) -> ir.Value:
    return call.op("Mul", call.value(), call.op("Sigmoid", call.value()))


@converts("aten::gelu")
def gelu(call: Call) -> ir.Value:
    return gelu_of(call, call.value(), call.dtype, str(call.constant("approximate")))


def gelu_of(call: Call, x: ir.Value, dtype: str, approximate: str = "none") -> ir.Value:
    """x/2 · (1 + erf(x/√2)), or with tanh(√(2/π) · (x + 0.044715 x³)) (Hendrycks and Gimpel, 2016)."""
    number = call.builder.constant
    if approximate == "tanh":
        cube = call.op("Mul", x, call.op("Mul", x, x))
        inner = call.op("Add", x, call.op("Mul", cube, number(0.044715, dtype)))
        scaled = call.op("Mul", inner, number(math.sqrt(2 / math.pi), dtype))
        gate = call.op("Tanh", scaled)
    else:
        gate = call.op("Erf", call.op("Div", x, number(math.sqrt(2), dtype)))
    half = call.op("Mul", x, number(0.5, dtype))
    return call.op("Mul", half, call.op("Add", gate, number(1, dtype)))


@converts("aten::softmax.int", "aten::_softmax")
def softmax(call: Call) -> ir.Value:
    return call.op("Softmax", call.value(dtype=call.dtype), axis=call.dim())


@converts("aten::log_softmax.int", "aten::_log_softmax")
def log_softmax(call: Call) -> ir.Value:
    return call.op("LogSoftmax", call.value(dtype=call.dtype), axis=call.dim())


@converts("aten::clamp_min")
def clamp_min(call: Call) -> ir.Value:
    return call.op("Max", call.value(dtype=call.dtype), call.value("min", call.dtype))


@converts("aten::hardsigmoid")
def hardsigmoid(call: Call) -> ir.Value:
    if call.dtype == "float64":
        return _hard_gate(call)
    return call.op("HardSigmoid", call.value(), alpha=1 / 6, beta=0.5)


@converts("aten::hardswish")
def hardswish(call: Call) -> ir.Value:
    if call.dtype == "float64":
        return call.op("Mul", call.value(), _hard_gate(call))
    return call.op("HardSwish", call.value())


def _hard_gate(call: Call) -> ir.Value:
    line = call.op("Div", call.op("Add", call.value(), call.number(3)), call.number(6))
    return call.op("Clip", line, call.number(0), call.number(1))
