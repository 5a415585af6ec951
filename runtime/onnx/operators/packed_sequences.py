"""Sequences of several lengths: one after the other step by step (packed), or side by side with padding behind them."""

from __future__ import annotations

from dataclasses import dataclass

import onnx_ir as ir

from tsc.runtime.onnx.calls import Call, converts


def _below(call: Call, count: ir.Value, bounds: ir.Value, axis: int) -> ir.Value:
    """Whether each number up to `count` is below each bound; the bounds lie along the other axis."""
    numbers = call.op("Range", call.ints(0), count, call.ints(1))
    return call.op(
        "Less",
        call.op("Unsqueeze", numbers, call.ints([1 - axis])),
        call.op("Unsqueeze", bounds, call.ints([axis])),
    )


def _row(call: Call, value: ir.Value) -> ir.Value:
    return call.op("Reshape", value, call.ints([-1]))


def _counted(call: Call, mask: ir.Value, axis: int, dtype: str = "int64") -> ir.Value:
    found = call.op("ReduceSum", call.builder.cast(mask, "int64"), call.ints([axis]), keepdims=0)
    return call.builder.cast(found, dtype)


def _turned(call: Call, value: ir.Value, rank: int) -> ir.Value:
    """Steps first, where the batch is, or the other way round."""
    order = [1, 0, *range(2, rank)]
    return call.op("Transpose", value, perm=order) if call.constant("batch_first") else value


@dataclass(frozen=True, slots=True)
class Packed:
    """Packed rows, and which steps (first dimension) of which sequences (second) they are."""

    data: ir.Value
    counts: ir.Value
    mask: ir.Value

    @classmethod
    def of(cls, call: Call) -> Packed:
        counts = call.value("batch_sizes")
        batch = call.op("Gather", counts, call.ints(0), axis=0)
        return cls(call.value("data"), counts, _below(call, batch, counts, 1))

    def lengths(self, call: Call, dtype: str = "int64") -> ir.Value:
        return _counted(call, self.mask, 0, dtype)

    def padded(self, call: Call, padding: object) -> ir.Value:
        """Steps, sequences, and what a row has."""
        places = call.op("Transpose", call.op("NonZero", self.mask), perm=[1, 0])
        width = call.op("Shape", self.data, start=1)
        shape = call.op("Concat", call.op("Shape", self.mask), width, axis=0)
        dtype = call.known("data").dtype.name
        start = call.op("Expand", call.number(padding, dtype), shape)
        return call.op("ScatterND", start, places, self.data)

    def rows(self, call: Call, value: ir.Value) -> ir.Value:
        """What is not padding of steps, sequences and a width."""
        flat = call.op(
            "Reshape",
            value,
            call.op("Concat", call.ints([-1]), call.op("Shape", value, start=2), axis=0),
        )
        return call.op("Compress", flat, _row(call, self.mask), axis=0)


@converts("aten::_pack_padded_sequence")
def pack(call: Call) -> list[ir.Value]:
    """The rows, and how many sequences reach each step."""
    steps = _turned(call, call.value("input"), call.rank("input"))
    count = call.op("Gather", call.op("Shape", steps), call.ints(0), axis=0)
    mask = _below(call, count, call.value("lengths", "int64"), 0)
    counts = _counted(call, mask, 1)
    reached = call.op("Greater", counts, call.ints(0))
    rows = Packed(steps, counts, mask).rows(call, steps)
    return [rows, call.op("Compress", counts, reached, axis=0)]


@converts("aten::_pad_packed_sequence")
def pad(call: Call) -> list[ir.Value]:
    """The sequences side by side, as many steps as are asked for, and their lengths."""
    packed, padding = Packed.of(call), call.constant("padding_value")
    value, rank = packed.padded(call, padding), call.rank("data") + 1
    if call.arguments["total_length"] != -1:
        total, there = call.builder.sizes(call.list("total_length")), call.op("Shape", value, end=1)
        more = call.op("Max", call.op("Sub", total, there), call.ints([0]))
        pads = call.op("Concat", call.ints([0] * rank), more, call.ints([0] * (rank - 1)), axis=0)
        value = call.op("Pad", value, pads, call.number(padding, call.known("data").dtype.name))
    return [_turned(call, value, rank), packed.lengths(call)]
