"""Tensors that are made of numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import onnx_ir as ir

from tsc.compiler.exir.refusals import ONNX_SIZE
from tsc.runtime.onnx.calls import CONVERSIONS, Call, Convert, converts
from tsc.runtime.onnx.element_types import SMALL_INTEGERS, is_floating
from tsc.runtime.onnx.refusals import Refused


@converts("aten::full")
def full(call: Call) -> ir.Value:
    number = call.value("fill_value", call.dtype)
    return call.op("Expand", number, call.builder.sizes(call.list("size")))


@converts("aten::full_like", "aten::fill.Scalar")
def full_like(call: Call) -> ir.Value:
    name = "fill_value" if "fill_value" in call.arguments else "value"
    return call.op("Expand", call.value(name, call.dtype), call.op("Shape", call.value()))


@converts("aten::copy")
def copy(call: Call) -> ir.Value:
    """The elements of one tensor in the shape and dtype of another."""
    source = call.value("src", call.dtype)
    return call.op("Expand", source, call.op("Shape", call.value()))


def _filled(number: int) -> Convert:
    def convert(call: Call) -> ir.Value:
        shape = call.builder.sizes(call.list("size"))
        return call.op("Expand", call.builder.constant(number, call.dtype), shape)

    return convert


def _filled_like(number: int) -> Convert:
    def convert(call: Call) -> ir.Value:
        shape = call.op("Shape", call.value())
        return call.op("Expand", call.builder.constant(number, call.dtype), shape)

    return convert


for _name, _number in {
    "zeros": 0,
    "ones": 1,
    "empty.memory_format": 0,
    "empty_strided": 0,
    "empty_permuted": 0,
}.items():
    CONVERSIONS[f"aten::{_name}"] = _filled(_number)
for _name, _number in {"zeros_like": 0, "ones_like": 1, "empty_like": 0}.items():
    CONVERSIONS[f"aten::{_name}"] = _filled_like(_number)


@converts("aten::scalar_tensor")
def scalar_tensor(call: Call) -> ir.Value:
    return call.value("s", call.dtype)


@converts("aten::arange", "aten::arange.start", "aten::arange.start_step")
def arange(call: Call) -> ir.Value:
    if not is_floating(call.dtype) and any(isinstance(e, float) for e in call.arguments.values()):
        return _whole_numbers_by_fractions(call)
    dtype = "int64" if call.dtype in SMALL_INTEGERS else call.dtype
    bounds: list[Any] = []
    for name, default in (("start", 0), ("end", None), ("step", 1)):
        given = call.given(name)
        bounds.append(call.value(name, dtype) if given else call.builder.constant(default, dtype))
    return call.in_result(call.op("Range", *bounds))


def _whole_numbers_by_fractions(call: Call) -> ir.Value:
    """As many as the fractions lead to, by whole steps."""
    count = call.result.size[0]
    if not isinstance(count, int):
        raise Refused("how many numbers there are changes", refusal=ONNX_SIZE)
    start, step = (
        int(call.constant(each)) if call.given(each) else default
        for each, default in (("start", 0), ("step", 1))
    )
    return call.number((start + np.arange(count) * step).astype(np.int64))
