"""Windows of signals, which are constants."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np
import onnx_ir as ir

from tsc.runtime.onnx.calls import CONVERSIONS, Call, Convert


def _hamming(call: Call, count: int) -> np.ndarray:
    alpha, beta = (call.arguments.get(each) for each in ("alpha", "beta"))
    first = 0.54 if alpha is None else float(str(alpha))
    second = 0.46 if beta is None else float(str(beta))
    return first - second * np.cos(2 * np.pi * np.arange(count) / (count - 1))


def _kaiser(call: Call, count: int) -> np.ndarray:
    beta = call.arguments.get("beta")
    return np.kaiser(count, 12.0 if beta is None else float(str(beta)))


_SHAPES: Final[dict[str, Callable[[Call, int], np.ndarray]]] = {
    "bartlett_window": lambda _, count: np.bartlett(count),
    "blackman_window": lambda _, count: np.blackman(count),
    "hamming_window": _hamming,
    "hann_window": lambda _, count: np.hanning(count),
    "kaiser_window": _kaiser,
}
_OVERLOADS: Final = ("", ".periodic", ".periodic_alpha", ".periodic_alpha_beta", ".beta")


def _window(shape: Callable[[Call, int], np.ndarray]) -> Convert:
    def convert(call: Call) -> ir.Value:
        """A periodic one is the beginning of one that is longer by one; one of one element is 1."""
        count = int(call.constant("window_length"))
        is_periodic = bool(call.arguments.get("periodic", True))
        whole = count + 1 if is_periodic else count
        return call.number(shape(call, whole)[:count] if count > 1 else np.ones(count))

    return convert


for _name, _shape in _SHAPES.items():
    for _overload in _OVERLOADS:
        CONVERSIONS[f"aten::{_name}{_overload}"] = _window(_shape)
