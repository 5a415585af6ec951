"""Recurrent cells: their traces show what they do, as PyTorch's do."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from tsc.runtime.tracing.recorder import Recorder


def _projected(recorder: Recorder, state: Any, image: Any, weights: Sequence[Any]) -> Any:
    w_ih, w_hh, b_ih, b_hh = weights
    old = recorder.call("linear", state, w_hh, b_hh)
    return _added(recorder, old, recorder.call("linear", image, w_ih, b_ih))


def _added(recorder: Recorder, a: Any, b: Any) -> Any:
    return recorder.call("add_", a, b, 1, overload="Tensor")


def _lstm(recorder: Recorder, image: Any, state: Any, *weights: Any) -> Any:
    hidden, cell = state
    call = recorder.call
    gates = call("unsafe_chunk", _projected(recorder, hidden, image, weights), 4, 1)
    into, forget = call("sigmoid_", gates[0]), call("sigmoid_", gates[1])
    new, out = call("tanh_", gates[2]), call("sigmoid_", gates[3])
    kept = call("mul", forget, cell, overload="Tensor")
    after = _added(recorder, kept, call("mul", into, new, overload="Tensor"))
    return call("mul", out, call("tanh", after), overload="Tensor"), after


def _gru(recorder: Recorder, image: Any, hidden: Any, *weights: Any) -> Any:
    w_ih, w_hh, b_ih, b_hh = weights
    call = recorder.call
    given = call("unsafe_chunk", call("linear", image, w_ih, b_ih), 3, 1)
    old = call("unsafe_chunk", call("linear", hidden, w_hh, b_hh), 3, 1)
    reset = call("sigmoid_", _added(recorder, old[0], given[0]))
    update = call("sigmoid_", _added(recorder, old[1], given[1]))
    kept = call("mul_", old[2], reset, overload="Tensor")
    new = call("tanh_", call("add", given[2], kept, 1, overload="Tensor"))
    left = call("sub", hidden, new, 1, overload="Tensor")
    return _added(recorder, call("mul_", left, update, overload="Tensor"), new)


def _elman(activation: str) -> Callable[..., Any]:
    def cell(recorder: Recorder, image: Any, hidden: Any, *weights: Any) -> Any:
        return recorder.call(activation, _projected(recorder, hidden, image, weights))

    return cell


CELLS: Final[dict[str, Callable[..., Any]]] = {
    "lstm_cell": _lstm,
    "gru_cell": _gru,
    "rnn_tanh_cell": _elman("tanh"),
    "rnn_relu_cell": _elman("relu"),
}
"""By name; called with a recorder and all arguments of the operator."""
