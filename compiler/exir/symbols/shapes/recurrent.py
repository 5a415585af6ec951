"""Recurrent layers and cells."""

from __future__ import annotations

from typing import Final

from tsc.compiler.exir.symbols.shapes.rules import Call, Sizes, rule
from tsc.compiler.exir.symbols.sym_values import hint_of

_GATES: Final = {"aten::lstm": 4, "aten::gru": 3, "aten::rnn_tanh": 1, "aten::rnn_relu": 1}
"""How many rows of weights there are for each number of the state."""


@rule("lstm", "gru", "rnn_tanh", "rnn_relu")
def _layer(call: Call) -> list[Sizes]:
    """Of batches that are padded: the outputs of all steps, and the last states as they were given.

    PyTorch writes them out, step by step: how many they are stays open where the user says so.
    """
    if "batch_sizes" in call.arguments:
        return _over_packed(call)
    sizes, states = call.sizes("input"), call.tensors()[1 : len(call.concrete)]
    own, between = [list(each.size) for each in call.get("params")[:2]]
    call.same(sizes[-1], own[-1])
    call.same(states[0][-1], between[-1])
    call.same(own[0], between[0])
    call.same(states[-1][-1] * _GATES[call.operator], between[0])
    if len(sizes) > 2:
        batch, steps = (0, 1) if call.get("batch_first") else (1, 0)
        states = [[each[0], call.same(sizes[batch], each[1]), *each[2:]] for each in states]
        sizes[batch] = states[0][1]
    else:
        steps = 0
    sizes[steps] = call.environment.settle(sizes[steps])
    return [[*sizes[:-1], call.concrete[0][-1]], *states]


def _over_packed(call: Call) -> list[Sizes]:
    """An output for each row, and the last states as they were given."""
    states = call.tensors()[2 : len(call.concrete) + 1]
    return [[*call.sizes("data")[:-1], call.concrete[0][-1]], *states]


@rule("_pack_padded_sequence")
def _packed(call: Call) -> list[Sizes]:
    """As many rows as all sequences are long, and as many counts as the longest one."""
    first, second, *rest = call.sizes("input")
    steps = second if call.get("batch_first") else first
    return [[call.new_size(0, first * second), *rest], [call.new_size(0, steps, 1)]]


@rule("_pad_packed_sequence")
def _padded(call: Call) -> list[Sizes]:
    """As many steps as there are counts, or as are asked for; the first count says how many sequences there are."""
    is_first, total = bool(call.get("batch_first")), call.get("total_length")
    steps = total if hint_of(total) > 0 else call.sizes("batch_sizes")[0]
    batch = call.new_size(0 if is_first else 1)
    sizes = [batch, steps] if is_first else [steps, batch]
    return [[*sizes, *call.sizes("data")[1:]], [batch]]


@rule("lstm_cell", "gru_cell", "rnn_tanh_cell", "rnn_relu_cell")
def _cell(call: Call) -> list[Sizes]:
    """The states of the next step, as large as those that were given."""
    sizes, states = call.sizes("input"), call.tensors()[1 : len(call.concrete) + 1]
    call.same(sizes[-1], call.sizes("w_ih")[-1])
    rows, size = call.sizes("w_hh")
    call.same(call.sizes("w_ih")[0], rows)
    call.same(size * _GATES[call.operator.removesuffix("_cell")], rows)
    for each in states:
        for first, second in zip([*sizes[:-1], size], each):
            call.same(first, second)
    return [[*sizes[:-1], size] for _ in states]
