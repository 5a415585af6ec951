"""Fourier transforms, and those of windows."""

from __future__ import annotations

from typing import Any

from tsc.compiler.exir.symbols.shapes.rules import Call, Size, Sizes, rule
from tsc.compiler.exir.symbols.sym_values import hint_of


@rule("_fft_r2c")
def _real_transform(call: Call) -> Sizes:
    sizes = call.sizes("self")
    if call.get("onesided", False):
        last = call.get("dim")[-1]
        sizes[last] = sizes[last] // 2 + 1
    return sizes


@rule("_fft_c2c")
def _complex_transform(call: Call) -> Sizes:
    return call.sizes("self")


@rule("_fft_c2r")
def _real_result(call: Call) -> Sizes:
    sizes: list[Any] = call.sizes("self")
    sizes[call.get("dim")[-1]] = call.get("last_dim_size")
    return sizes


@rule("stft")
def _short_time_transform(call: Call) -> Sizes:
    """Frequencies by frames, and the parts of complex numbers if these are no dtype."""
    *batch, length = call.sizes("self")
    window = call.get("n_fft")
    if call.get("center", False):
        length = length + 2 * (window // 2)
    call.environment.require(length >= window)
    half = window // 2 + 1
    frequencies = half if hint_of(half) == call.concrete[0][len(batch)] else window
    found = [*batch, frequencies, (length - window) // _hop(call) + 1]
    return [*found, 2] if len(call.concrete[0]) > len(found) else found


@rule("istft")
def _inverse_short_time_transform(call: Call) -> Sizes:
    """As long as it is wished, or as the frames reach; without the padding at both ends."""
    sizes = call.sizes("self")
    window, wished = call.get("n_fft"), call.get("length")
    length = window + _hop(call) * (sizes[-1] - 1)
    if call.get("center", True):
        length = length - 2 * (window // 2)
    return [*sizes[:-2], length if wished is None else wished]


def _hop(call: Call) -> Size:
    return call.get("hop_length", call.get("n_fft") // 4)
