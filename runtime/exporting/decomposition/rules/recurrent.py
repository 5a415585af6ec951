"""Recurrent networks: one step after the other, written out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tsc.runtime.exporting.decomposition.calls import Calls
from tsc.runtime.exporting.decomposition.table import decomposes

Step = Callable[..., Any]


@decomposes("lstm_cell")
def lstm_cell(call: Calls, x: Any, state: list[Any], w: Any, u: Any, b: Any, c: Any) -> Any:
    hidden, cell = state
    gates = call("linear", hidden, u, c)
    gates = call("add.Tensor", gates, call("linear", x, w, b))
    return _lstm_gates(call, gates, cell, 1)


def _lstm_gates(call: Calls, gates: Any, cell: Any, dim: int) -> tuple[Any, Any]:
    parts = call("chunk", gates, 4, dim)
    entry, kept = call("sigmoid", parts[0]), call("sigmoid", parts[1])
    new, out = call("tanh", parts[2]), call("sigmoid", parts[3])
    cell = call("add.Tensor", call("mul.Tensor", kept, cell), call("mul.Tensor", entry, new))
    return call("mul.Tensor", out, call("tanh", cell)), cell


@decomposes("gru_cell")
def gru_cell(call: Calls, x: Any, hidden: Any, w: Any, u: Any, b: Any, c: Any) -> Any:
    given = call("chunk", call("linear", x, w, b), 3, 1)
    return _gru_gates(call, given, call("chunk", call("linear", hidden, u, c), 3, 1), hidden)


def _gru_gates(call: Calls, given: Sequence[Any], held: Sequence[Any], hidden: Any) -> Any:
    reset = call("sigmoid", call("add.Tensor", held[0], given[0]))
    update = call("sigmoid", call("add.Tensor", held[1], given[1]))
    new = call("tanh", call("add.Tensor", given[2], call("mul.Tensor", held[2], reset)))
    change = call("mul.Tensor", call("sub.Tensor", hidden, new), update)
    return call("add.Tensor", change, new)


def _cell(activation: str) -> Step:
    def rule(call: Calls, x: Any, hidden: Any, w: Any, u: Any, b: Any, c: Any) -> Any:
        held = call("linear", hidden, u, c)
        return call(activation, call("add.Tensor", held, call("linear", x, w, b)))

    return rule


decomposes("rnn_tanh_cell")(_cell("tanh"))
decomposes("rnn_relu_cell")(_cell("relu"))


# -- Sequences -----------------------------------------------------------------------------------


@decomposes("lstm.input")
def lstm(
    call: Calls,
    x: Any,
    states: list[Any],
    parameters: list[Any],
    biases: bool,
    layers: int,
    dropout: float,
    training: bool,
    both: bool,
    batch_first: bool,
) -> Any:
    hidden = _unbound(call, states[0])
    cells = _unbound(call, states[1])
    x = call("transpose.int", x, 0, 1) if batch_first else x
    weights = _groups(parameters, biases)
    ends: list[Any] = []
    for layer in range(layers):
        outputs: list[Any] = []
        for direction in range(2 if both else 1):
            place = layer * (2 if both else 1) + direction
            found, end = _lstm_layer(
                call, x, hidden[place], cells[place], weights[place], reverse=bool(direction)
            )
            outputs.append(found)
            ends.append(end)
        x = call("cat", outputs, x.dim - 1) if both else outputs[0]
        if dropout and training and layer < layers - 1:
            x, _ = call("native_dropout", x, dropout, True)
    x = call("transpose.int", x, 0, 1) if batch_first else x
    return x, _stacked(call, [h for h, _ in ends]), _stacked(call, [c for _, c in ends])


def _unbound(call: Calls, state: Any) -> list[Any]:
    return call("unbind.int", state, 0)


def _groups(parameters: list[Any], biases: bool) -> list[list[Any]]:
    """The weights of each layer and direction: two matrices, two biases or none."""
    count = 4 if biases else 2
    if len(parameters) % count:
        count += 1
    groups = [parameters[place : place + count] for place in range(0, len(parameters), count)]
    return [each if biases else [*each, None, None] for each in groups]


def _lstm_layer(
    call: Calls, x: Any, hidden: Any, cell: Any, weights: list[Any], *, reverse: bool
) -> tuple[Any, tuple[Any, Any]]:
    w, u, b, c, *projection = weights
    hidden, cell = call("unsqueeze", hidden, 0), call("unsqueeze", cell, 0)
    ahead = call("linear", x, w, b)
    if reverse:
        ahead = call("flip", ahead, [0])
    outputs: list[Any] = []
    for each in call("unbind.int", ahead, 0):
        gates = call("add.Tensor", call("linear", hidden, u, c), each)
        hidden, cell = _lstm_gates(call, gates, cell, 2)
        if projection:
            hidden = call("linear", hidden, projection[0], None)
        outputs.append(hidden)
    whole = call("cat", outputs[::-1] if reverse else outputs, 0)
    return whole, (call("squeeze.dim", hidden, 0), call("squeeze.dim", cell, 0))


def _stacked(call: Calls, states: list[Any]) -> Any:
    return call("stack", states, 0)


@decomposes("gru.input")
def gru(call: Calls, x: Any, state: Any, parameters: list[Any], *options: Any) -> Any:
    def step(hidden: Any, each: Any, u: Any, c: Any) -> Any:
        given = call("chunk", each, 3, 1)
        held = call("chunk", call("linear", hidden, u, c), 3, 2)
        return _gru_gates(call, given, held, hidden)

    return _sequence(call, x, state, parameters, step, *options)


def _rnn(activation: str) -> Step:
    def rule(call: Calls, x: Any, state: Any, parameters: list[Any], *options: Any) -> Any:
        def step(hidden: Any, each: Any, u: Any, c: Any) -> Any:
            return call(activation, call("add.Tensor", call("linear", hidden, u, c), each))

        return _sequence(call, x, state, parameters, step, *options)

    return rule


decomposes("rnn_tanh.input")(_rnn("tanh"))
decomposes("rnn_relu.input")(_rnn("relu"))


def _sequence(
    call: Calls,
    x: Any,
    state: Any,
    parameters: list[Any],
    step: Step,
    biases: bool,
    layers: int,
    dropout: float,
    training: bool,
    both: bool,
    batch_first: bool,
) -> tuple[Any, Any]:
    hidden, weights = _unbound(call, state), _groups(parameters, biases)
    x = call("transpose.int", x, 0, 1) if batch_first else x
    ends: list[Any] = []
    for layer in range(layers):
        outputs: list[Any] = []
        for direction in range(2 if both else 1):
            place = layer * (2 if both else 1) + direction
            found, end = _layer(
                call, x, hidden[place], weights[place], step, reverse=bool(direction)
            )
            outputs.append(found)
            ends.append(end)
        x = call("cat", outputs, x.dim - 1) if both else outputs[0]
        if dropout and training and layer < layers - 1:
            x, _ = call("native_dropout", x, dropout, True)
    x = call("transpose.int", x, 0, 1) if batch_first else x
    return x, _stacked(call, ends)


def _layer(
    call: Calls, x: Any, hidden: Any, weights: list[Any], step: Step, *, reverse: bool
) -> tuple[Any, Any]:
    w, u, b, c = weights
    ahead = call("linear", x, w, b)
    if reverse:
        ahead = call("flip", ahead, [0])
    hidden = call("unsqueeze", hidden, 0)
    outputs: list[Any] = []
    for each in call("unbind.int", ahead, 0):
        hidden = step(hidden, each, u, c)
        outputs.append(hidden)
    whole = call("cat", outputs[::-1] if reverse else outputs, 0)
    return whole, call("squeeze.dim", hidden, 0)
