"""Edges that are put around tensors: a number, reflections, copies of the border, or the other end."""

from __future__ import annotations

from typing import Final

import onnx_ir as ir

from tsc.runtime.onnx.calls import CONVERSIONS, Call, Convert, converts
from tsc.runtime.onnx.refusals import Refused

_MODES: Final = {
    "constant": "constant", "reflect": "reflect", "replicate": "edge", "circular": "wrap",
}  # fmt: skip
_OPSET_OF_WRAP: Final = 19


def _padded(call: Call, name: str, mode: str, number: ir.Value | None = None) -> ir.Value:
    """PyTorch tells of the last dimension first; ONNX of all starts, then of all ends."""
    if mode == "circular" and call.builder.opset < _OPSET_OF_WRAP:
        raise Refused("circular edges came with opset 19", "take a later opset")
    pads, rank = call.pair(name, 1), call.rank()
    starts, ends = [0] * rank, [0] * rank
    for place in range(len(pads) // 2):
        starts[rank - 1 - place], ends[rank - 1 - place] = pads[2 * place : 2 * place + 2]
    if mode != "constant" and min(pads) < 0:
        raise Refused("edges are cut off", "cut by slices, and put edges around by 0 or more")
    return call.op("Pad", call.value(), call.ints([*starts, *ends]), number, mode=_MODES[mode])


@converts("aten::constant_pad_nd")
def pad_by_number(call: Call) -> ir.Value:
    return _padded(call, "pad", "constant", call.value("value", call.dtype))


@converts("aten::pad")
def pad(call: Call) -> ir.Value:
    mode = str(call.constant("mode"))
    if mode != "constant":
        return _padded(call, "pad", mode)
    value = call.arguments["value"]
    return _padded(call, "pad", mode, call.number(0 if value is None else value))


def _in_mode(mode: str) -> Convert:
    return lambda call: _padded(call, "padding", mode)


for _dims in (1, 2, 3):
    CONVERSIONS[f"aten::reflection_pad{_dims}d"] = _in_mode("reflect")
    CONVERSIONS[f"aten::replication_pad{_dims}d"] = _in_mode("replicate")
