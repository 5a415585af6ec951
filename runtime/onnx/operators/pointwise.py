"""Operators that work element by element."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

import onnx_ir as ir

from tsc.compiler.exir.fake_tensor import FakeTensor
from tsc.compiler.exir.node import Node
from tsc.runtime.onnx.calls import CONVERSIONS, Call, Convert, converts
from tsc.runtime.onnx.element_types import arithmetic_type, is_floating, promoted
from tsc.runtime.onnx.refusals import Refused

_UNARY: Final = {
    "acos": "Acos", "acosh": "Acosh", "asin": "Asin", "asinh": "Asinh", "atan": "Atan",
    "atanh": "Atanh", "cos": "Cos", "cosh": "Cosh", "erf": "Erf", "exp": "Exp", "log": "Log",
    "reciprocal": "Reciprocal", "sigmoid": "Sigmoid", "sin": "Sin", "sinh": "Sinh",
    "sqrt": "Sqrt", "tan": "Tan", "tanh": "Tanh",
}  # fmt: skip
"""Whose result is floating, also of integers."""
_ARITHMETIC: Final = {"add": "Add", "sub": "Sub", "mul": "Mul"}
_COMPARISONS: Final = {
    "eq": "Equal", "ge": "GreaterOrEqual", "gt": "Greater", "le": "LessOrEqual", "lt": "Less",
}  # fmt: skip
_LOGICAL: Final = {"logical_and": "And", "logical_or": "Or", "logical_xor": "Xor"}
_BITWISE: Final = {"and": "BitwiseAnd", "or": "BitwiseOr", "xor": "BitwiseXor"}


def _floating_unary(kind: str) -> Convert:
    return lambda call: call.op(kind, call.value(dtype=call.dtype))


def _arithmetic(kind: str) -> Convert:
    def convert(call: Call) -> ir.Value:
        dtype = arithmetic_type(call.dtype)
        other = call.value("other", dtype)
        if call.arguments.get("alpha", 1) != 1:
            other = call.op("Mul", other, call.value("alpha", dtype))
        return call.in_result(call.op(kind, call.value(dtype=dtype), other))

    return convert


def _met(call: Call) -> str:
    """The dtype in which `self` and `other` are compared."""
    tensors: list[tuple[str, int]] = []
    numbers: list[object] = []
    for name in ("self", "other"):
        given = call.arguments[name]
        known = given.meta.get("val") if isinstance(given, Node) else given
        if isinstance(known, FakeTensor):
            tensors.append((known.dtype.name, len(known.size)))
        else:
            numbers.append(known if isinstance(known, int | float) else 0)
    return arithmetic_type(promoted(tensors, numbers))


def _comparison(kind: str) -> Callable[[Call], ir.Value]:
    def convert(call: Call) -> ir.Value:
        dtype = _met(call)
        return call.op(kind, call.value(dtype=dtype), call.value("other", dtype))

    return convert


def _logical(kind: str) -> Convert:
    return lambda call: call.op(kind, call.value(dtype="bool"), call.value("other", "bool"))


def _bitwise(kind: str, of_bools: str) -> Convert:
    def convert(call: Call) -> ir.Value:
        chosen = of_bools if call.dtype == "bool" else kind
        return call.op(chosen, call.value(dtype=call.dtype), call.value("other", call.dtype))

    return convert


for _name, _kind in _UNARY.items():
    CONVERSIONS[f"aten::{_name}"] = _floating_unary(_kind)
for _overload in ("Tensor", "Scalar"):
    for _name, _kind in _ARITHMETIC.items():
        CONVERSIONS[f"aten::{_name}.{_overload}"] = _arithmetic(_kind)
    for _name, _kind in _COMPARISONS.items():
        CONVERSIONS[f"aten::{_name}.{_overload}"] = _comparison(_kind)
    for _name, _kind in _BITWISE.items():
        _of_bools = _kind.removeprefix("Bitwise")
        for _form in (f"bitwise_{_name}", f"__{_name}__"):
            CONVERSIONS[f"aten::{_form}.{_overload}"] = _bitwise(_kind, _of_bools)
for _name, _kind in _LOGICAL.items():
    CONVERSIONS[f"aten::{_name}"] = _logical(_kind)


@converts("aten::ne.Tensor", "aten::ne.Scalar")
def not_equal(call: Call) -> ir.Value:
    return call.op("Not", _comparison("Equal")(call))


@converts("aten::logical_not")
def logical_not(call: Call) -> ir.Value:
    return call.op("Not", call.value(dtype="bool"))


@converts("aten::bitwise_not")
def bitwise_not(call: Call) -> ir.Value:
    return call.op("Not" if call.dtype == "bool" else "BitwiseNot", call.value())


@converts("aten::div.Tensor", "aten::div.Scalar")
def divide(call: Call) -> ir.Value:
    return call.op("Div", call.value(dtype=call.dtype), call.value("other", call.dtype))


@converts("aten::abs")
def absolute(call: Call) -> ir.Value:
    return call.op("Abs", call.value())


@converts("aten::neg")
def negative(call: Call) -> ir.Value:
    dtype = arithmetic_type(call.dtype)
    return call.in_result(call.op("Neg", call.value(dtype=dtype)))


@converts("aten::sign")
def sign(call: Call) -> ir.Value:
    """Of NaN, PyTorch's sign is 0."""
    dtype = arithmetic_type(call.dtype)
    zero = call.builder.constant(0, dtype)
    value = call.value(dtype=dtype)
    above, below = call.op("Greater", value, zero), call.op("Less", value, zero)
    parts = [call.builder.cast(each, dtype) for each in (above, below)]
    return call.in_result(call.op("Sub", *parts))


def _rounding(kind: str) -> Convert:
    def convert(call: Call) -> ir.Value:
        return call.op(kind if is_floating(call.dtype) else "Identity", call.value())

    return convert


for _name, _kind in {"ceil": "Ceil", "floor": "Floor", "round": "Round"}.items():
    CONVERSIONS[f"aten::{_name}"] = _rounding(_kind)


@converts("aten::trunc")
def trunc(call: Call) -> ir.Value:
    if not is_floating(call.dtype):
        return call.op("Identity", call.value())
    value = call.value()
    negative_one = call.op("Less", value, call.builder.constant(0, call.dtype))
    return call.op("Where", negative_one, call.op("Ceil", value), call.op("Floor", value))


@converts("aten::isnan")
def is_nan(call: Call) -> ir.Value:
    dtype = call.known("self").dtype.name
    return call.op("IsNaN", call.value(dtype=dtype if is_floating(dtype) else "float32"))


@converts("aten::isinf")
def is_infinite(call: Call) -> ir.Value:
    dtype = "float64" if call.known("self").dtype.name == "float64" else "float32"
    return call.op("IsInf", call.value(dtype=dtype))


@converts("aten::rsqrt")
def reciprocal_root(call: Call) -> ir.Value:
    return call.op("Reciprocal", call.op("Sqrt", call.value(dtype=call.dtype)))


def _logarithm(base: float) -> Convert:
    def convert(call: Call) -> ir.Value:
        value = call.op("Log", call.value(dtype=call.dtype))
        return call.op("Div", value, call.builder.constant(math.log(base), call.dtype))

    return convert


CONVERSIONS["aten::log2"] = _logarithm(2)
CONVERSIONS["aten::log10"] = _logarithm(10)


_LARGEST_POWER: Final = 16


def _whole_power(call: Call) -> ir.Value:
    """As products, which are exact, and wrap as PyTorch's do."""
    exponent = call.arguments["exponent"]
    if not isinstance(exponent, int) or not 0 <= exponent <= _LARGEST_POWER:
        raise Refused("powers of integers are rounded in ONNX", "multiply, or convert to floats")
    dtype = arithmetic_type(call.dtype)
    value = call.value(dtype=dtype)
    result = call.op("Expand", call.builder.constant(1, dtype), call.op("Shape", value))
    for _ in range(exponent):
        result = call.op("Mul", result, value)
    return call.in_result(result)


@converts("aten::pow.Tensor_Scalar", "aten::pow.Tensor_Tensor", "aten::pow.Scalar")
def power(call: Call) -> ir.Value:
    if not is_floating(call.dtype):
        return _whole_power(call)
    return call.op("Pow", call.value(dtype=call.dtype), call.value("exponent", call.dtype))


@converts("aten::maximum")
def maximum(call: Call) -> ir.Value:
    dtype = arithmetic_type(call.dtype)
    return call.in_result(call.op("Max", call.value(dtype=dtype), call.value("other", dtype)))


@converts("aten::minimum")
def minimum(call: Call) -> ir.Value:
    dtype = arithmetic_type(call.dtype)
    return call.in_result(call.op("Min", call.value(dtype=dtype), call.value("other", dtype)))


@converts("aten::clamp", "aten::clamp.Tensor")
def clamp(call: Call) -> ir.Value:
    dtype = arithmetic_type(call.dtype)
    value = call.value(dtype=dtype)
    if call.given("min"):
        value = call.op("Max", value, call.value("min", dtype))
    if call.given("max"):
        value = call.op("Min", value, call.value("max", dtype))
    return call.in_result(value)


@converts("aten::hardtanh")
def hardtanh(call: Call) -> ir.Value:
    value = call.op("Max", call.value(), call.value("min_val"))
    return call.op("Min", value, call.value("max_val"))


@converts("aten::where.self")
def where(call: Call) -> ir.Value:
    choices = [call.value(each, call.dtype) for each in ("self", "other")]
    return call.chosen(call.value("condition", "bool"), *choices)


@converts(
    *("aten::to.dtype", "aten::_to_copy", "aten::to.device", "aten::to.dtype_layout"),
    *("aten::to.other", "aten::type_as"),
)
def convert_dtype(call: Call) -> ir.Value:
    return call.value(dtype=call.dtype)


@converts(
    *(
        f"aten::{each}"
        for each in ("clone", "alias", "detach", "detach_", "contiguous", "lift_fresh_copy")
    )
)
def same(call: Call) -> ir.Value:
    return call.op("Identity", call.value())
