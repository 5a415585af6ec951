"""Fourier transforms along one dimension, of real and complex numbers."""

from __future__ import annotations

from typing import Any, Final

from tsc.runtime.exporting.decomposition.calls import Calls
from tsc.runtime.exporting.decomposition.table import decomposes

_FORWARD: Final = {None: 0, "backward": 0, "ortho": 1, "forward": 2}
_BACKWARD: Final = {None: 2, "backward": 2, "ortho": 1, "forward": 0}
"""How results are scaled: not at all, by the root of the length, or by the length."""


@decomposes("fft_fft")
def fft(call: Calls, x: Any, n: int | None, dim: int, norm: str | None) -> Any:
    return _complex(call, _resized(call, x, n, dim), dim, _FORWARD[norm], forward=True)


@decomposes("fft_ifft")
def ifft(call: Calls, x: Any, n: int | None, dim: int, norm: str | None) -> Any:
    return _complex(call, _resized(call, x, n, dim), dim, _BACKWARD[norm], forward=False)


def _complex(call: Calls, x: Any, dim: int, scale: int, *, forward: bool) -> Any:
    place = dim % x.dim
    if x.value.dtype.is_complex:
        return call("_fft_c2c", x, [place], scale, forward)
    found = call("_fft_r2c", x, [place], scale, False)
    return found if forward else call("_conj_physical", found)


@decomposes("fft_rfft")
def rfft(call: Calls, x: Any, n: int | None, dim: int, norm: str | None) -> Any:
    x = _resized(call, x, n, dim)
    return call("_fft_r2c", x, [dim % x.dim], _FORWARD[norm], True)


@decomposes("fft_irfft")
def irfft(call: Calls, x: Any, n: int | None, dim: int, norm: str | None) -> Any:
    length = 2 * (x.sizes[dim] - 1) if n is None else n
    x = _resized(call, x, None if n is None else n // 2 + 1, dim)
    return call("_fft_c2r", x, [dim % x.dim], _BACKWARD[norm], length)


def _resized(call: Calls, x: Any, n: int | None, dim: int) -> Any:
    """The first elements along a dimension, or all and zeros behind them."""
    if n is None:
        return x
    size, place = call.settled(x.sizes[dim]), dim % x.dim
    if n < size:
        return call("slice.Tensor", x, place, 0, n, 1)
    pads = [0] * (2 * (x.dim - place - 1)) + [0, n - size]
    return x if n == size else call("constant_pad_nd", x, pads, 0)
