"""Recurrent layers as ONNX has them, one node for each layer; cells as products and gates."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, cast

import onnx_ir as ir

from tsc.compiler.exir.fake_tensor import FakeTensor
from tsc.compiler.exir.node import Node
from tsc.runtime.onnx.calls import CONVERSIONS, Call, Convert, converts, values_in
from tsc.runtime.onnx.operators.packed_sequences import Packed
from tsc.runtime.onnx.refusals import Refused


@dataclass(frozen=True, slots=True)
class Kind:
    """Of a layer: its node, and where ONNX's gates are among PyTorch's."""

    name: str
    gates: tuple[int, ...]
    states: int = 1
    activation: str = ""


def _hidden(call: Call) -> int:
    """The width of the state: that of the second weight. Raises `Refused` for projections."""
    weights = [cast("Node", each).meta.get("val") for each in call.list("params")[:2]]
    sizes = [each.size for each in weights if isinstance(each, FakeTensor)]
    per_layer = 4 if call.constant("has_biases") else 2
    layers = int(call.constant("num_layers")) * (2 if call.constant("bidirectional") else 1)
    if len(call.list("params")) != per_layer * layers:
        raise Refused("the layer has a projection", "export it without proj_size")
    return int(sizes[1][1])


def _by_gates(call: Call, value: ir.Value, kind: Kind, hidden: int) -> ir.Value:
    """A weight or a bias with its gates in ONNX's order."""
    if len(kind.gates) == 1:
        return value
    parts = call.builder.ops(
        "Split", len(kind.gates), value, call.ints([hidden] * len(kind.gates)), axis=0
    )
    return call.op("Concat", *(parts[each] for each in kind.gates), axis=0)


def _weight(call: Call, kind: Kind, layer: int, hidden: int, role: int) -> ir.Value:
    """A weight of a layer (0: of the input, 1: of the state) or a bias of it (2, 3), direction by direction."""
    roles = 4 if call.constant("has_biases") else 2
    count = roles * (2 if call.constant("bidirectional") else 1)
    given = values_in(call, "params")[layer * count : (layer + 1) * count]
    ordered = [_by_gates(call, each, kind, hidden) for each in given[role::roles]]
    return call.op("Concat", *(call.op("Unsqueeze", e, call.ints([0])) for e in ordered), axis=0)


def _inputs(call: Call, kind: Kind, layer: int, hidden: int) -> list[ir.Value]:
    """Both weights, and the biases of both after each other if there are."""
    roles = range(4 if call.constant("has_biases") else 2)
    found = [_weight(call, kind, layer, hidden, role) for role in roles]
    return [*found[:2], *([call.op("Concat", *found[2:], axis=1)] if found[2:] else [])]


def _start(call: Call, states: list[ir.Value], layer: int) -> list[ir.Value]:
    """The states before one layer."""
    count = 2 if call.constant("bidirectional") else 1
    bounds = [call.ints([layer * count]), call.ints([(layer + 1) * count]), call.ints([0])]
    return [call.op("Slice", each, *bounds) for each in states]


def _attributes(call: Call, kind: Kind, hidden: int) -> dict[str, Any]:
    both = bool(call.constant("bidirectional"))
    found: dict[str, Any] = {"hidden_size": hidden}
    found["direction"] = "bidirectional" if both else "forward"
    if kind.name == "GRU":
        found["linear_before_reset"] = 1
    if kind.activation:
        found["activations"] = [kind.activation] * (2 if both else 1)
    return found


def _layers(kind: Kind) -> Convert:
    def convert(call: Call) -> list[ir.Value]:
        value, *last = _run(call, kind, _turned(call, call.value("input")), None)
        return [_turned(call, value), *last]

    return convert


def _packed_layers(kind: Kind) -> Convert:
    """Sequences side by side and padded, with their lengths; of the outputs those that are not padding."""

    def convert(call: Call) -> list[ir.Value]:
        packed = Packed.of(call)
        value, *last = _run(call, kind, packed.padded(call, 0), packed.lengths(call, "int32"))
        return [packed.rows(call, value), *last]

    return convert


def _run(call: Call, kind: Kind, value: ir.Value, lengths: ir.Value | None) -> list[ir.Value]:
    """The outputs of the last layer, steps first, and the states of all layers when they end."""
    if call.constant("train") and call.constant("dropout"):
        raise Refused("dropout between the layers is random", "export the module after eval()")
    hidden = _hidden(call)
    attributes = _attributes(call, kind, hidden)
    states = values_in(call, "hx") if kind.states == 2 else [call.value("hx")]
    ends: list[list[ir.Value]] = []
    for layer in range(int(call.constant("num_layers"))):
        weights: list[ir.Value | None] = [*_inputs(call, kind, layer, hidden), None][:3]
        given = [*weights, lengths, *_start(call, states, layer)]
        found = call.builder.ops(kind.name, 1 + kind.states, value, *given, **attributes)
        value = _side_by_side(call, found[0])
        ends.append(list(found[1:]))
    return [value, *(call.op("Concat", *each, axis=0) for each in zip(*ends))]


def _turned(call: Call, value: ir.Value) -> ir.Value:
    """Steps first, where the batch is."""
    return call.op("Transpose", value, perm=[1, 0, 2]) if call.constant("batch_first") else value


def _side_by_side(call: Call, value: ir.Value) -> ir.Value:
    """ONNX's results are steps, directions, batch and width; PyTorch's have directions in the width."""
    return call.op("Reshape", call.op("Transpose", value, perm=[0, 2, 1, 3]), call.ints([0, 0, -1]))


_KINDS: Final = {
    "lstm": Kind("LSTM", (0, 3, 1, 2), 2),
    "gru": Kind("GRU", (1, 0, 2)),
    "rnn_tanh": Kind("RNN", (0,), activation="Tanh"),
    "rnn_relu": Kind("RNN", (0,), activation="Relu"),
}
for _name, _kind in _KINDS.items():
    CONVERSIONS[f"aten::{_name}.input"] = _layers(_kind)
    CONVERSIONS[f"aten::{_name}.data"] = _packed_layers(_kind)


# -- Cells -----------------------------------------------------------------------------------------


def _product(call: Call, value: ir.Value, weight: str, bias: str) -> ir.Value:
    turned = call.op("Transpose", call.value(weight), perm=[1, 0])
    product = call.op("MatMul", value, turned)
    return call.op("Add", product, call.value(bias)) if call.given(bias) else product


def _products(call: Call, state: ir.Value) -> tuple[ir.Value, ir.Value]:
    """Of the input and of the state, all gates in one."""
    given = _product(call, call.value("input"), "w_ih", "b_ih")
    return given, _product(call, state, "w_hh", "b_hh")


def _split(call: Call, value: ir.Value, count: int) -> list[ir.Value]:
    return list(call.builder.ops("Split", count, value, axis=-1, num_outputs=count))


@converts("aten::lstm_cell")
def lstm_cell(call: Call) -> list[ir.Value]:
    hidden, cell = values_in(call, "hx")
    gates = _split(call, call.op("Add", *_products(call, hidden)), 4)
    start, forget, output = (call.op("Sigmoid", gates[each]) for each in (0, 1, 3))
    added = call.op("Mul", start, call.op("Tanh", gates[2]))
    following = call.op("Add", call.op("Mul", forget, cell), added)
    return [call.op("Mul", output, call.op("Tanh", following)), following]


@converts("aten::gru_cell")
def gru_cell(call: Call) -> ir.Value:
    """New gate plus update gate times what lies between it and the old state."""
    state = call.value("hx")
    ours, theirs = (_split(call, each, 3) for each in _products(call, state))
    reset, update = (call.op("Sigmoid", call.op("Add", ours[e], theirs[e])) for e in (0, 1))
    new = call.op("Tanh", call.op("Add", ours[2], call.op("Mul", reset, theirs[2])))
    return call.op("Add", new, call.op("Mul", update, call.op("Sub", state, new)))


def _simple_cell(kind: str) -> Convert:
    return lambda call: call.op(kind, call.op("Add", *_products(call, call.value("hx"))))


CONVERSIONS["aten::rnn_tanh_cell"] = _simple_cell("Tanh")
CONVERSIONS["aten::rnn_relu_cell"] = _simple_cell("Relu")
