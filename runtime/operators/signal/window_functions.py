"""Window functions: the weights that are put on a stretch of a signal."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tsc.runtime.arrays.dtypes import CATEGORY, COMPLEX, FLOATING
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.operators.creation.creation import OPTIONS, check_device, numpy_dtype
from tsc.runtime.operators.elementwise import not_implemented
from tsc.runtime.operators.out_variants import C_NAMES, FACTORY, out_forms
from tsc.runtime.operators.registration import operator
from tsc.runtime.values.tensor import Tensor

Taps = Callable[[np.ndarray], np.ndarray]
"""The weights at the places 0 … 1 of the window, be it a period or from end to end."""


def _window(name: str, length: int, periodic: bool, taps: Taps, dtype: int | None) -> Tensor:
    target = numpy_dtype(dtype)
    _check(name, length, target)
    if length <= 1:
        return Tensor(np.ones(length, target))
    last = length if periodic else length - 1
    return Tensor(taps(np.arange(length) / last).astype(target))


def _check(name: str, length: int, dtype: np.dtype) -> None:
    if CATEGORY[dtype] < FLOATING:
        raise ScriptError(
            "RuntimeError",
            f"{name} expects floating point dtypes, got: TensorOptions(dtype={C_NAMES[dtype.name]},"
            " device=cpu, layout=Strided, requires_grad=false (default), "
            "pinned_memory=false (default), memory_format=(nullopt))",
        )
    if CATEGORY[dtype] == COMPLEX:
        raise not_implemented("arange_cpu", dtype)
    if length < 0:
        raise ScriptError(
            "RuntimeError",
            f"{name} requires non-negative window_length, not {length}",
        )


def _cosines(alpha: float, beta: float, gamma: float = 0.0) -> Taps:
    return lambda x: alpha - beta * np.cos(2 * np.pi * x) + gamma * np.cos(4 * np.pi * x)


def _triangle(x: np.ndarray) -> np.ndarray:
    return 1 - np.abs(2 * x - 1)


def _kaiser(beta: float) -> Taps:
    return lambda x: np.i0(beta * np.sqrt(np.maximum(1 - (2 * x - 1) ** 2, 0))) / np.i0(beta)


def _declare(name: str, taps: Taps) -> None:
    """The overloads that all windows have."""

    def plain(window_length, dtype=None, layout=None, device=None, pin_memory=None) -> Tensor:
        check_device(device)
        return _window(name, window_length, True, taps, dtype)

    def periodic(
        window_length, periodic, dtype=None, layout=None, device=None, pin_memory=None
    ) -> Tensor:
        check_device(device)
        return _window(name, window_length, periodic, taps, dtype)

    operator(f"aten::{name}(int window_length, *, {OPTIONS}) -> Tensor")(plain)
    operator(f"aten::{name}.periodic(int window_length, bool periodic, *, {OPTIONS}) -> Tensor")(
        periodic
    )


_declare("bartlett_window", _triangle)
_declare("hann_window", _cosines(0.5, 0.5))
_declare("hamming_window", _cosines(0.54, 0.46))
_declare("blackman_window", _cosines(0.42, 0.5, 0.08))
_declare("kaiser_window", _kaiser(12.0))


@operator(
    "aten::hamming_window.periodic_alpha(int window_length, bool periodic, float alpha, *,"
    f" {OPTIONS}) -> Tensor"
)
def hamming_window_alpha(
    window_length, periodic, alpha, dtype=None, layout=None, device=None, pin_memory=None
) -> Tensor:
    return hamming_window(window_length, periodic, alpha, 0.46, dtype, layout, device)


@operator(
    "aten::hamming_window.periodic_alpha_beta(int window_length, bool periodic, float alpha,"
    f" float beta, *, {OPTIONS}) -> Tensor"
)
def hamming_window(
    window_length, periodic, alpha, beta, dtype=None, layout=None, device=None, pin_memory=None
) -> Tensor:
    check_device(device)
    return _window("hamming_window", window_length, periodic, _cosines(alpha, beta), dtype)


@operator(
    f"aten::kaiser_window.beta(int window_length, bool periodic, float beta, *, {OPTIONS})"
    " -> Tensor"
)
def kaiser_window(
    window_length, periodic, beta, dtype=None, layout=None, device=None, pin_memory=None
) -> Tensor:
    check_device(device)
    return _window("kaiser_window", window_length, periodic, _kaiser(beta), dtype)


out_forms(
    FACTORY,
    """
    hamming_window hamming_window.periodic_alpha_beta hamming_window.periodic_alpha
    hamming_window.periodic hann_window hann_window.periodic bartlett_window
    bartlett_window.periodic blackman_window blackman_window.periodic kaiser_window.beta
    kaiser_window kaiser_window.periodic
    """,
)
