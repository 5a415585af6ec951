"""Recurrent networks: LSTM, GRU and plain cells, layer by layer and step by step."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np

from runtime.errors import ScriptError
from runtime.operators.linear_algebra import product
from runtime.operators.random_sampling import dropout_mask
from runtime.operators.registration import operator
from runtime.special.logistic import sigmoid as sigmoid_array
from runtime.tensor import Tensor

State = tuple[np.ndarray, ...]
Step = Callable[[np.ndarray, State, np.ndarray, np.ndarray | None], State]
"""From (input gates, state, weight_hh, bias_hh) to the next state; its first part is the output."""


def _affine(x: np.ndarray, weight: np.ndarray, bias: np.ndarray | None) -> np.ndarray:
    result = product(x, weight.T)
    return result if bias is None else result + bias


def _lstm_step(
    gates: np.ndarray, state: State, weight: np.ndarray, bias: np.ndarray | None
) -> State:
    hidden, cell = state
    total = gates + _affine(hidden, weight, bias)
    i, f, g, o = np.split(total, 4, -1)
    cell = sigmoid_array(f) * cell + sigmoid_array(i) * np.tanh(g)
    return sigmoid_array(o) * np.tanh(cell), cell


def _gru_step(
    gates: np.ndarray, state: State, weight: np.ndarray, bias: np.ndarray | None
) -> State:
    (hidden,) = state
    recurrent = _affine(hidden, weight, bias)
    ir, iz, inew = np.split(gates, 3, -1)
    hr, hz, hnew = np.split(recurrent, 3, -1)
    reset, update = sigmoid_array(ir + hr), sigmoid_array(iz + hz)
    new = np.tanh(inew + reset * hnew)
    return (update * (hidden - new) + new,)


def _tanh_step(
    gates: np.ndarray, state: State, weight: np.ndarray, bias: np.ndarray | None
) -> State:
    return (np.tanh(gates + _affine(state[0], weight, bias)),)


def _relu_step(
    gates: np.ndarray, state: State, weight: np.ndarray, bias: np.ndarray | None
) -> State:
    total = gates + _affine(state[0], weight, bias)
    return (np.maximum(total, np.zeros((), total.dtype)),)


class Layer:
    """The parameters of one layer in one direction."""

    __slots__ = ("bias_hh", "bias_ih", "weight_hh", "weight_ih")

    def __init__(self, parameters: Sequence[np.ndarray]) -> None:
        self.weight_ih, self.weight_hh = parameters[:2]
        self.bias_ih, self.bias_hh = parameters[2:4] if len(parameters) > 2 else (None, None)

    def run(
        self, step: Step, inputs: np.ndarray, state: State, counts: Iterable[int], reverse: bool
    ) -> tuple[np.ndarray, State]:
        """All steps of `inputs`, of which ``counts[t]`` rows (the first ones) belong to step t."""
        gates = _affine(inputs, self.weight_ih, self.bias_ih)
        spans, start = [], 0
        for count in counts:
            spans.append((start, start + count))
            start += count
        outputs = np.empty((len(inputs), state[0].shape[-1]), inputs.dtype)
        current = tuple(part.copy() for part in state)
        for low, high in reversed(spans) if reverse else spans:
            active = tuple(part[: high - low] for part in current)
            following = step(gates[low:high], active, self.weight_hh, self.bias_hh)
            for part, new in zip(current, following):
                part[: high - low] = new
            outputs[low:high] = following[0]
        return outputs, current


def _run_layers(
    step: Step,
    data: np.ndarray,
    counts: list[int],
    states: State,
    parameters: list[Tensor],
    has_biases: bool,
    num_layers: int,
    dropout: float,
    train: bool,
    bidirectional: bool,
) -> tuple[np.ndarray, list[Tensor]]:
    """The outputs of the last layer, and the last states of every layer and direction."""
    arrays = [parameter.array for parameter in parameters]
    per_layer = 4 if has_biases else 2
    directions = 2 if bidirectional else 1
    finals: list[State] = []
    for layer in range(num_layers):
        outputs = []
        for direction in range(directions):
            place = layer * directions + direction
            own = Layer(arrays[place * per_layer : (place + 1) * per_layer])
            initial = tuple(state[place] for state in states)
            output, final = own.run(step, data, initial, counts, direction == 1)
            outputs.append(output)
            finals.append(final)
        data = np.concatenate(outputs, -1) if bidirectional else outputs[0]
        if dropout and train and layer < num_layers - 1:
            data = data * dropout_mask(data, 1 - dropout)
    return data, [Tensor(np.stack(parts)) for parts in zip(*finals)]


def _check_hidden(states: State, num_layers: int, directions: int, batch: int) -> None:
    for state in states:
        if state.shape[:2] != (num_layers * directions, batch):
            expected = (num_layers * directions, batch, state.shape[-1])
            raise ScriptError(
                "RuntimeError",
                f"Expected hidden size {expected}, got {list(state.shape)}",
            )


def _over_batch(
    step: Step,
    input: Tensor,
    states: State,
    params: list[Tensor],
    has_biases: bool,
    num_layers: int,
    dropout: float,
    train: bool,
    bidirectional: bool,
    batch_first: bool,
) -> tuple[Tensor, ...]:
    """Sequences of one length: (time, batch, features), or batch first."""
    steps = input.array.swapaxes(0, 1) if batch_first else input.array
    length, batch = steps.shape[:2]
    _check_hidden(states, num_layers, 2 if bidirectional else 1, batch)
    flat = steps.reshape(length * batch, -1)
    data, finals = _run_layers(
        step, flat, [batch] * length, states, params, has_biases, num_layers, dropout, train,
        bidirectional,
    )  # fmt: skip
    output = data.reshape(length, batch, -1)
    return Tensor(output.swapaxes(0, 1) if batch_first else output), *finals


_REST = "Tensor[] params, bool has_biases, int num_layers, float dropout, bool train"


@operator(
    f"aten::lstm.input(Tensor input, Tensor[] hx, {_REST}, bool bidirectional, bool batch_first)"
    " -> (Tensor, Tensor, Tensor)"
)
def lstm(
    input: Tensor,
    hx: list[Tensor],
    params: list[Tensor],
    has_biases: bool,
    num_layers: int,
    dropout: float,
    train: bool,
    bidirectional: bool,
    batch_first: bool,
) -> tuple[Tensor, ...]:
    states = tuple(state.array for state in hx)
    return _over_batch(
        _lstm_step, input, states, params, has_biases, num_layers, dropout, train, bidirectional,
        batch_first,
    )  # fmt: skip


@operator(
    f"aten::lstm.data(Tensor data, Tensor batch_sizes, Tensor[] hx, {_REST}, bool bidirectional)"
    " -> (Tensor, Tensor, Tensor)"
)
def lstm_packed(
    data: Tensor,
    batch_sizes: Tensor,
    hx: list[Tensor],
    params: list[Tensor],
    has_biases: bool,
    num_layers: int,
    dropout: float,
    train: bool,
    bidirectional: bool,
) -> tuple[Tensor, ...]:
    states = tuple(state.array for state in hx)
    counts = batch_sizes.array.tolist()
    output, finals = _run_layers(
        _lstm_step, data.array, counts, states, params, has_biases, num_layers, dropout, train,
        bidirectional,
    )  # fmt: skip
    return Tensor(output), *finals


def _declare_network(name: str, step: Step) -> None:
    """Declare a network with one state, over batches and over packed sequences."""

    def over_batch(
        input, hx, params, has_biases, num_layers, dropout, train, bidirectional, batch_first
    ) -> tuple[Tensor, ...]:
        return _over_batch(
            step, input, (hx.array,), params, has_biases, num_layers, dropout, train,
            bidirectional, batch_first,
        )  # fmt: skip

    def over_packed(
        data, batch_sizes, hx, params, has_biases, num_layers, dropout, train, bidirectional
    ) -> tuple[Tensor, ...]:
        counts = batch_sizes.array.tolist()
        output, finals = _run_layers(
            step, data.array, counts, (hx.array,), params, has_biases, num_layers, dropout, train,
            bidirectional,
        )  # fmt: skip
        return Tensor(output), *finals

    operator(
        f"aten::{name}.input(Tensor input, Tensor hx, {_REST}, bool bidirectional,"
        " bool batch_first) -> (Tensor, Tensor)"
    )(over_batch)
    operator(
        f"aten::{name}.data(Tensor data, Tensor batch_sizes, Tensor hx, {_REST},"
        " bool bidirectional) -> (Tensor, Tensor)"
    )(over_packed)


_declare_network("gru", _gru_step)
_declare_network("rnn_tanh", _tanh_step)
_declare_network("rnn_relu", _relu_step)


def _cell(
    step: Step,
    input: Tensor,
    state: State,
    w_ih: Tensor,
    w_hh: Tensor,
    b_ih: Tensor | None,
    b_hh: Tensor | None,
) -> State:
    gates = _affine(input.array, w_ih.array, None if b_ih is None else b_ih.array)
    return step(gates, state, w_hh.array, None if b_hh is None else b_hh.array)


@operator(
    "aten::lstm_cell(Tensor input, Tensor[] hx, Tensor w_ih, Tensor w_hh, Tensor? b_ih=None,"
    " Tensor? b_hh=None) -> (Tensor, Tensor)"
)
def lstm_cell(
    input: Tensor,
    hx: list[Tensor],
    w_ih: Tensor,
    w_hh: Tensor,
    b_ih: Tensor | None = None,
    b_hh: Tensor | None = None,
) -> tuple[Tensor, Tensor]:
    state = tuple(part.array for part in hx)
    hidden, cell = _cell(_lstm_step, input, state, w_ih, w_hh, b_ih, b_hh)
    return Tensor(hidden), Tensor(cell)


def _declare_cell(name: str, step: Step) -> None:
    def cell(
        input: Tensor,
        hx: Tensor,
        w_ih: Tensor,
        w_hh: Tensor,
        b_ih: Tensor | None = None,
        b_hh: Tensor | None = None,
    ) -> Tensor:
        return Tensor(_cell(step, input, (hx.array,), w_ih, w_hh, b_ih, b_hh)[0])

    operator(
        f"aten::{name}(Tensor input, Tensor hx, Tensor w_ih, Tensor w_hh, Tensor? b_ih=None,"
        " Tensor? b_hh=None) -> Tensor"
    )(cell)


_declare_cell("gru_cell", _gru_step)
_declare_cell("rnn_tanh_cell", _tanh_step)
_declare_cell("rnn_relu_cell", _relu_step)
