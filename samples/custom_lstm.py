"""LSTM variants as research code writes them: layer-norm gates, both directions, stacked, with dropout between layers."""
from typing import List, NamedTuple, Tuple

import torch
import torch.nn.functional as F
from torch import Tensor


class State(NamedTuple):
    hidden: Tensor
    cell: Tensor


class Weights(NamedTuple):
    input: Tensor
    hidden: Tensor
    norm_input: Tensor
    norm_hidden: Tensor
    norm_cell: Tensor


def make_weights(inputs: int, width: int) -> Weights:
    bound = 1.0 / float(width) ** 0.5
    return Weights(
        torch.empty(4 * width, inputs).uniform_(-bound, bound),
        torch.empty(4 * width, width).uniform_(-bound, bound),
        torch.ones(4 * width),
        torch.ones(4 * width),
        torch.ones(width),
    )


def plain_cell(x: Tensor, state: State, w: Weights) -> Tuple[Tensor, State]:
    gates = F.linear(x, w.input) + F.linear(state.hidden, w.hidden)
    i, f, g, o = gates.chunk(4, 1)
    cell = torch.sigmoid(f) * state.cell + torch.sigmoid(i) * torch.tanh(g)
    hidden = torch.sigmoid(o) * torch.tanh(cell)
    return hidden, State(hidden, cell)


def layer_norm_cell(x: Tensor, state: State, w: Weights) -> Tuple[Tensor, State]:
    from_input = F.layer_norm(F.linear(x, w.input), w.norm_input.shape, w.norm_input)
    from_hidden = F.layer_norm(F.linear(state.hidden, w.hidden), w.norm_hidden.shape, w.norm_hidden)
    i, f, g, o = (from_input + from_hidden).chunk(4, 1)
    cell = torch.sigmoid(f) * state.cell + torch.sigmoid(i) * torch.tanh(g)
    cell = F.layer_norm(cell, w.norm_cell.shape, w.norm_cell)
    hidden = torch.sigmoid(o) * torch.tanh(cell)
    return hidden, State(hidden, cell)


def layer(x: Tensor, state: State, w: Weights, normalized: bool, backwards: bool) -> Tuple[Tensor, State]:
    steps = x.unbind(0)
    outputs: List[Tensor] = []
    for i in range(len(steps)):
        step = steps[len(steps) - 1 - i] if backwards else steps[i]
        if normalized:
            output, state = layer_norm_cell(step, state, w)
        else:
            output, state = plain_cell(step, state, w)
        outputs.append(output)
    if backwards:
        outputs.reverse()
    return torch.stack(outputs), state


def both_directions(x: Tensor, states: List[State], weights: List[Weights], normalized: bool) -> Tuple[Tensor, List[State]]:
    forth, forth_state = layer(x, states[0], weights[0], normalized, False)
    back, back_state = layer(x, states[1], weights[1], normalized, True)
    return torch.cat([forth, back], -1), [forth_state, back_state]


def stacked(
    x: Tensor, states: List[List[State]], weights: List[List[Weights]], normalized: bool, dropout: float, training: bool
) -> Tuple[Tensor, List[List[State]]]:
    finals: List[List[State]] = []
    for index, (own_states, own_weights) in enumerate(zip(states, weights)):
        x, last = both_directions(x, own_states, own_weights, normalized)
        if index < len(weights) - 1:
            x = F.dropout(x, dropout, training)
        finals.append(last)
    return x, finals


def zeros(batch: int, width: int) -> State:
    return State(torch.zeros(batch, width), torch.zeros(batch, width))


def run(normalized: bool, training: bool) -> Tuple[Tensor, Tensor]:
    torch.manual_seed(5)
    width, batch = 4, 2
    weights = [
        [make_weights(3, width), make_weights(3, width)],
        [make_weights(2 * width, width), make_weights(2 * width, width)],
    ]
    states = [[zeros(batch, width) for _ in range(2)] for _ in range(2)]
    y, finals = stacked(torch.randn(6, batch, 3), states, weights, normalized, 0.4, training)
    return y[-1], finals[1][1].cell


def main() -> Tuple[List[Tuple[Tensor, Tensor]], bool]:
    results = [run(normalized, training) for normalized, training in [(False, False), (True, False), (True, True)]]
    torch.manual_seed(9)
    w = make_weights(3, 4)
    x = torch.randn(5, 2, 3)
    ours, _ = layer(x, zeros(2, 4), w, False, False)
    nothing = torch.zeros(16)
    theirs, _, _ = torch.lstm(
        x,
        [torch.zeros(1, 2, 4), torch.zeros(1, 2, 4)],
        [w.input, w.hidden, nothing, nothing],
        True,
        1,
        0.0,
        False,
        False,
        False,
    )
    return results, torch.allclose(ours, theirs, atol=1e-6)
