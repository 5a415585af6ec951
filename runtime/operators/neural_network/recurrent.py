"""Recurrent networks: LSTM, GRU and plain cells, layer by layer and step by step."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np

from tsc.runtime.arrays.dtypes import DOUBLE, FLOAT, c_name
from tsc.runtime.arrays.half_precision import narrowed, widened
from tsc.runtime.arrays.matrix_products import matrix_product
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.context.native_availability import TimeTogether
from tsc.runtime.context.native_hooks import native_recurrent
from tsc.runtime.numerics.neural.activations import logistic
from tsc.runtime.numerics.neural.dense import dense
from tsc.runtime.numerics.neural.native_work import is_native_work
from tsc.runtime.operators.creation.random_sampling import dropout_mask
from tsc.runtime.operators.registration import operator, random_operator
from tsc.runtime.values.tensor import Tensor

State = tuple[np.ndarray, ...]
Step = Callable[[np.ndarray, State, np.ndarray, np.ndarray | None], None]
"""Moves a state, in place, by (input gates, state, weight_hh, bias_hh); its first part is the output."""


def _affine(x: np.ndarray, weight: np.ndarray, bias: np.ndarray | None) -> np.ndarray:
    return dense(x, weight.T, bias)


def _lstm_step(
    gates: np.ndarray, state: State, weight: np.ndarray, bias: np.ndarray | None
) -> None:
    _lstm_output(gates, state, weight, bias, state[0])


def _projected_lstm_step(projection: np.ndarray) -> Step:
    """A step whose hidden state is smaller than its cells: `projection` is (hidden, cells)."""

    def step(gates: np.ndarray, state: State, weight: np.ndarray, bias: np.ndarray | None) -> None:
        output = np.empty_like(state[1])
        _lstm_output(gates, state, weight, bias, output)
        matrix_product(output, projection.T, state[0])

    return step


def _lstm_output(
    gates: np.ndarray,
    state: State,
    weight: np.ndarray,
    bias: np.ndarray | None,
    output: np.ndarray,
) -> None:
    """Moves the cells and writes what they give to `output`, which may be the hidden state."""
    hidden, cell = state
    size = cell.shape[-1]
    total = _affine(hidden, weight, bias)
    np.add(total, gates, total)
    new = np.tanh(total[..., 2 * size : 3 * size])
    logistic(total, total)
    np.multiply(cell, total[..., size : 2 * size], cell)
    np.multiply(new, total[..., :size], new)
    np.add(cell, new, cell)
    np.tanh(cell, new)
    np.multiply(new, total[..., 3 * size :], output)


def _gru_step(gates: np.ndarray, state: State, weight: np.ndarray, bias: np.ndarray | None) -> None:
    (hidden,) = state
    size = hidden.shape[-1]
    recurrent = _affine(hidden, weight, bias)
    total = np.add(gates[..., : 2 * size], recurrent[..., : 2 * size])
    logistic(total, total)
    new = np.multiply(total[..., :size], recurrent[..., 2 * size :])
    np.add(new, gates[..., 2 * size :], new)
    np.tanh(new, new)
    np.subtract(hidden, new, hidden)
    np.multiply(hidden, total[..., size:], hidden)
    np.add(hidden, new, hidden)


def _tanh_step(
    gates: np.ndarray, state: State, weight: np.ndarray, bias: np.ndarray | None
) -> None:
    np.tanh(np.add(gates, _affine(state[0], weight, bias)), state[0])


def _relu_step(
    gates: np.ndarray, state: State, weight: np.ndarray, bias: np.ndarray | None
) -> None:
    np.clip(np.add(gates, _affine(state[0], weight, bias)), 0, np.inf, state[0])


_NATIVE: dict[Step, str] = {
    _lstm_step: "lstm",
    _gru_step: "gru",
    _tanh_step: "rnn_tanh",
    _relu_step: "rnn_relu",
}
"""What native code computes in one go, by its names for it."""
_GATES = {"lstm": 4, "gru": 3, "rnn_tanh": 1, "rnn_relu": 1}
_NANOSECONDS_OF_STEP = 12_000
"""What NumPy takes for a step, beside multiplications."""
_time_on_few_steps = TimeTogether()


def _is_native(gates: np.ndarray, weight: np.ndarray, steps: int) -> bool:
    """Whether many steps are to be taken, or few have been taken often."""
    work = len(gates) * weight.size // 32
    if is_native_work(gates.dtype, steps * _NANOSECONDS_OF_STEP + work):
        return True
    return steps > 1 and gates.dtype in (FLOAT, DOUBLE) and _time_on_few_steps.is_long


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
        if reverse:
            spans.reverse()
        current = tuple(part.copy() for part in state)
        kind = _NATIVE.get(step)
        if (
            kind is not None
            and _is_native(gates, self.weight_hh, len(spans))
            and _are_rows(spans, len(gates), len(current[0]))
            and self._fits(_GATES[kind], gates, current)
        ):
            run = native_recurrent().run_steps
            return run(kind, gates, self.weight_hh, self.bias_hh, current, spans), current
        outputs = np.empty((len(inputs), state[0].shape[-1]), inputs.dtype)
        with _time_on_few_steps.counted():
            for low, high in spans:
                active = tuple(part[: high - low] for part in current)
                step(gates[low:high], active, self.weight_hh, self.bias_hh)
                outputs[low:high] = active[0]
        return outputs, current

    def _fits(self, count: int, gates: np.ndarray, state: State) -> bool:
        """Whether sizes are those of a layer with so many gates; NumPy tells what is wrong with others."""
        size = state[0].shape[-1]
        columns = count * size
        biases = (self.bias_ih, self.bias_hh)
        return (
            gates.shape[1:] == (columns,)
            and self.weight_hh.shape == (columns, size)
            and all(part.shape == (len(state[0]), size) for part in state)
            and all(bias is None or bias.shape == (columns,) for bias in biases)
        )


def _are_rows(spans: Sequence[tuple[int, int]], count: int, batch: int) -> bool:
    """Whether steps go by rows that there are, and no more of them than the batch has."""
    return all(0 <= low <= high <= count and high - low <= batch for low, high in spans)


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
    dtype = data.dtype
    _check_dtypes(data, [*states, *(parameter.array for parameter in parameters)])
    data, states = widened(data), tuple(map(widened, states))
    arrays = [widened(parameter.array) for parameter in parameters]
    directions = 2 if bidirectional else 1
    per_layer = len(arrays) // (num_layers * directions)
    is_projected = per_layer == (5 if has_biases else 3)
    finals: list[State] = []
    for layer in range(num_layers):
        outputs = []
        for direction in range(directions):
            place = layer * directions + direction
            own = arrays[place * per_layer : (place + 1) * per_layer]
            if is_projected:
                step = _projected_lstm_step(own.pop())
            initial = tuple(state[place] for state in states)
            output, final = Layer(own).run(step, data, initial, counts, direction == 1)
            outputs.append(output)
            finals.append(final)
        data = np.concatenate(outputs, -1) if bidirectional else outputs[0]
        if dropout and train and layer < num_layers - 1:
            data = data * dropout_mask(data, 1 - dropout)
    return narrowed(data, dtype), [
        Tensor(narrowed(np.stack(parts), dtype)) for parts in zip(*finals)
    ]


def _check_dtypes(x: np.ndarray, others: Iterable[np.ndarray]) -> None:
    """Raise PyTorch's error if states or parameters are of another dtype than the input `x`."""
    for other in others:
        if other.dtype is not x.dtype:
            raise ScriptError(
                "RuntimeError",
                "mat1 and mat2 must have the same dtype: the input is "
                f"{c_name(x.dtype)}, a state or parameter {c_name(other.dtype)}",
            )


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
    if length == 0:
        raise ScriptError("RuntimeError", "Expected sequence length to be larger than 0 in RNN")
    _check_hidden(states, num_layers, 2 if bidirectional else 1, batch)
    flat = steps.reshape(length * batch, -1)
    data, finals = _run_layers(
        step, flat, [batch] * length, states, params, has_biases, num_layers, dropout, train,
        bidirectional,
    )  # fmt: skip
    output = data.reshape(length, batch, -1)
    return Tensor(output.swapaxes(0, 1) if batch_first else output), *finals


_REST = "Tensor[] params, bool has_biases, int num_layers, float dropout, bool train"


@random_operator(
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


@random_operator(
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

    random_operator(
        f"aten::{name}.input(Tensor input, Tensor hx, {_REST}, bool bidirectional,"
        " bool batch_first) -> (Tensor, Tensor)"
    )(over_batch)
    random_operator(
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
    given = [each.array for each in (w_ih, w_hh, b_ih, b_hh) if each is not None]
    _check_dtypes(input.array, [*state, *given])
    x, weight_ih, weight_hh = (widened(each.array) for each in (input, w_ih, w_hh))
    bias_ih, bias_hh = (None if each is None else widened(each.array) for each in (b_ih, b_hh))
    moved = tuple(part.astype(x.dtype) for part in state)
    step(_affine(x, weight_ih, bias_ih), moved, weight_hh, bias_hh)
    return tuple(narrowed(part, input.array.dtype) for part in moved)


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
