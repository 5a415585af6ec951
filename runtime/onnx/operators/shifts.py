"""Bits that are shifted: products with powers of two, and quotients by them that are rounded down."""

from __future__ import annotations

from typing import Final

import numpy as np
import onnx_ir as ir

from tsc.runtime.onnx.calls import CONVERSIONS, Call
from tsc.runtime.onnx.element_types import arithmetic_type, element_type
from tsc.runtime.onnx.refusals import Refused

_LARGEST_POWER: Final = 30
"""Of a divisor at once, in any dtype that is calculated with."""


def _count(call: Call) -> tuple[int, int]:
    """By how many bits, and how many there are. Raises `Refused` for counts that are not known."""
    count = call.constant("other")
    bits = np.iinfo(element_type(call.dtype).numpy()).bits
    if not isinstance(count, int) or count < 0:
        raise Refused("the number of bits is none, or negative", "shift by a number of bits")
    return count, int(bits)


def _shifted_left(call: Call) -> ir.Value:
    """Bits that go over the end are lost, as products wrap."""
    count, bits = _count(call)
    dtype = arithmetic_type(call.dtype)
    factor = (1 << count) & ((1 << bits) - 1) if count < bits else 0
    width = np.iinfo(element_type(dtype).numpy()).bits
    wrapped = factor - (1 << width) if factor >= 1 << (width - 1) else factor
    product = call.op("Mul", call.value(dtype=dtype), call.number(wrapped, dtype))
    return call.in_result(product)


def _shifted_right(call: Call) -> ir.Value:
    """The sign stays, as numbers are rounded down."""
    count, bits = _count(call)
    dtype = arithmetic_type(call.dtype)
    value, left = call.value(dtype=dtype), min(count, bits)
    while left:
        step = min(left, _LARGEST_POWER)
        divisor = call.number(1 << step, dtype)
        value = call.op("Div", call.op("Sub", value, call.op("Mod", value, divisor)), divisor)
        left -= step
    return call.in_result(value)


for _name in ("__lshift__", "bitwise_left_shift"):
    CONVERSIONS.update(
        dict.fromkeys([f"aten::{_name}.Scalar", f"aten::{_name}.Tensor_Scalar"], _shifted_left)
    )
for _name in ("__rshift__", "bitwise_right_shift"):
    CONVERSIONS.update(
        dict.fromkeys([f"aten::{_name}.Scalar", f"aten::{_name}.Tensor_Scalar"], _shifted_right)
    )
