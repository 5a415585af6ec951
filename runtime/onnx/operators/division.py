"""Quotients that are rounded, and remainders: ONNX cuts off and PyTorch rounds down, or the other way round."""

from __future__ import annotations

import onnx_ir as ir

from tsc.runtime.onnx.calls import Call, converts
from tsc.runtime.onnx.element_types import arithmetic_type, is_floating


def _operands(call: Call) -> tuple[ir.Value, ir.Value]:
    dtype = arithmetic_type(call.dtype)
    return call.value(dtype=dtype), call.value("other", dtype)


def _remainder(call: Call, number: ir.Value, divisor: ir.Value) -> ir.Value:
    """With the sign of the divisor, which ONNX has for integers alone."""
    if not is_floating(call.dtype):
        return call.op("Mod", number, divisor)
    zero = call.builder.constant(0, call.dtype)
    cut = call.op("Mod", number, divisor, fmod=1)
    signs = call.op("Xor", call.op("Less", cut, zero), call.op("Less", divisor, zero))
    other_sign = call.op("And", signs, call.op("Not", call.op("Equal", cut, zero)))
    return call.op("Where", other_sign, call.op("Add", cut, divisor), cut)


@converts("aten::remainder.Tensor", "aten::remainder.Scalar", "aten::remainder.Scalar_Tensor")
def remainder(call: Call) -> ir.Value:
    return call.in_result(_remainder(call, *_operands(call)))


@converts("aten::fmod.Tensor", "aten::fmod.Scalar")
def fmod(call: Call) -> ir.Value:
    return call.in_result(call.op("Mod", *_operands(call), fmod=1))


def _rounded_down(call: Call) -> ir.Value:
    """What is left after the remainder, divided: exact but for rounding, which is taken away."""
    number, divisor = _operands(call)
    exact = call.op("Sub", number, _remainder(call, number, divisor))
    quotient = call.op("Div", exact, divisor)
    if not is_floating(call.dtype):
        return call.in_result(quotient)
    zero = call.op("Equal", divisor, call.builder.constant(0, call.dtype))
    plain = call.op("Div", number, divisor)
    return call.op("Where", zero, plain, call.op("Round", quotient))


@converts("aten::floor_divide", "aten::floor_divide.Scalar")
def floor_divide(call: Call) -> ir.Value:
    return _rounded_down(call)


@converts("aten::div.Tensor_mode", "aten::div.Scalar_mode")
def divide_and_round(call: Call) -> ir.Value:
    mode = call.constant("rounding_mode")
    if mode == "floor":
        return _rounded_down(call)
    quotient = call.op("Div", *_operands(call))
    if mode is None or not is_floating(call.dtype):
        return call.in_result(quotient)
    below = call.op("Less", quotient, call.builder.constant(0, call.dtype))
    return call.op("Where", below, call.op("Ceil", quotient), call.op("Floor", quotient))


@converts("aten::expm1")
def exp_minus_one(call: Call) -> ir.Value:
    """tanh(x/2) · (eˣ + 1), which is exact near zero."""
    x, number = call.value(dtype=call.dtype), call.builder.constant
    half = call.op("Tanh", call.op("Mul", x, number(0.5, call.dtype)))
    return call.op("Mul", half, call.op("Add", call.op("Exp", x), number(1, call.dtype)))


@converts("aten::log1p")
def log_of_one_more(call: Call) -> ir.Value:
    """log(u) · x / (u - 1) with u = 1 + x, which is exact near zero (Kahan)."""
    x, one = call.value(dtype=call.dtype), call.builder.constant(1, call.dtype)
    u = call.op("Add", x, one)
    log = call.op("Log", u)
    exact = call.op("Div", call.op("Mul", log, x), call.op("Sub", u, one))
    exact = call.op("Where", call.op("Equal", u, one), x, exact)
    infinite = call.op("Equal", u, call.builder.constant(float("inf"), call.dtype))
    return call.op("Where", infinite, u, exact)
