"""Fourier transforms along one dimension and several, of real and complex numbers."""

from __future__ import annotations

from typing import Any, Final

from tsc.runtime.exporting.decomposition.calls import Calls
from tsc.runtime.exporting.decomposition.table import decomposes

_FORWARD: Final = {None: 0, "backward": 0, "ortho": 1, "forward": 2}
_BACKWARD: Final = {None: 2, "backward": 2, "ortho": 1, "forward": 0}
"""How results are scaled: not at all, by the root of the length, or by the length."""
_COMPLEX64: Final = 9
_COMPLEX128: Final = 10


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


@decomposes("stft")
def stft(
    call: Calls,
    x: Any,
    length: int,
    hop: int | None,
    window_length: int | None,
    window: Any,
    normalized: bool,
    onesided: bool | None,
    gives_complex: bool | None,
    *alignment: Any,
) -> Any:
    """Transforms of windows, one behind the other. Of complex numbers, and by no window that is short, it is kept."""
    width = length if window_length is None else window_length
    options = (length, hop, window_length, window, normalized, onesided, gives_complex, *alignment)
    is_complex = any(each is not None and each.value.dtype.is_complex for each in (x, window))
    if is_complex or (window is None and width < length) or any(alignment):
        return call.plain("stft", x, *options)
    rows = call("unsqueeze", x, 0) if x.dim == 1 else x
    if width < length:
        left = (length - width) // 2
        window = call("constant_pad_nd", window, [left, length - width - left], 0)
    rows = call("unfold", rows, -1, length, length // 4 if hop is None else hop)
    if window is not None:
        rows = call("mul.Tensor", rows, window)
    found = call("_fft_r2c", rows, [2], int(normalized), onesided is not False)
    found = call("transpose.int", found, 1, 2)
    if x.dim == 1:
        found = call("squeeze.dims", found, [0])
    return found if gives_complex else call("view_as_real", found)


def _resized(call: Calls, x: Any, n: int | None, dim: int) -> Any:
    """The first elements along a dimension, or all and zeros behind them."""
    if n is None:
        return x
    size, place = call.settled(x.sizes[dim]), dim % x.dim
    if n < size:
        return call("slice.Tensor", x, place, 0, n, 1)
    pads = [0] * (2 * (x.dim - place - 1)) + [0, n - size]
    return x if n == size else call("constant_pad_nd", x, pads, 0)


# -- Several dimensions ------------------------------------------------------------------------------


@decomposes("fft_fft2", "fft_fftn")
def fftn(call: Calls, x: Any, sizes: Any, dims: Any, norm: str | None) -> Any:
    x, dims = _resized_along(call, _as_complex(call, x), sizes, dims)
    return call("_fft_c2c", x, dims, _FORWARD[norm], True)


@decomposes("fft_ifft2", "fft_ifftn")
def ifftn(call: Calls, x: Any, sizes: Any, dims: Any, norm: str | None) -> Any:
    x, dims = _resized_along(call, _as_complex(call, x), sizes, dims)
    return call("_fft_c2c", x, dims, _BACKWARD[norm], False)


@decomposes("fft_rfft2", "fft_rfftn")
def rfftn(call: Calls, x: Any, sizes: Any, dims: Any, norm: str | None) -> Any:
    x, dims = _resized_along(call, x, sizes, dims)
    return call("_fft_r2c", x, dims, _FORWARD[norm], True)


@decomposes("fft_irfft2", "fft_irfftn")
def irfftn(call: Calls, x: Any, sizes: Any, dims: Any, norm: str | None) -> Any:
    """The last size is that of the result, of which the argument has half."""
    places = _dims(x, sizes, dims)
    length = 2 * (x.sizes[places[-1]] - 1) if sizes is None or sizes[-1] == -1 else sizes[-1]
    halves = None if sizes is None else [*sizes[:-1], length // 2 + 1]
    x, places = _resized_along(call, _as_complex(call, x), halves, places)
    return call("_fft_c2r", x, places, _BACKWARD[norm], length)


def _as_complex(call: Calls, x: Any) -> Any:
    """Single precision, or double of what has double."""
    if x.value.dtype.is_complex:
        return x
    wide = x.value.array.dtype.itemsize > 4 and x.value.dtype.is_floating_point
    return call("_to_copy", x, dtype=_COMPLEX128 if wide else _COMPLEX64)


def _dims(x: Any, sizes: Any, dims: Any) -> list[int]:
    """As they are given, the last ones if sizes are, or all."""
    if dims is not None:
        return [each % x.dim for each in dims]
    return list(range(x.dim - (x.dim if sizes is None else len(sizes)), x.dim))


def _resized_along(call: Calls, x: Any, sizes: Any, dims: Any) -> tuple[Any, list[int]]:
    """Dimensions are cut off one by one, and those that grow do so at once."""
    places, pads = _dims(x, sizes, dims), [0] * (2 * x.dim)
    for size, dim in zip(sizes or (), places):
        there = call.settled(x.sizes[dim])
        if size == -1:
            continue
        if size < there:
            x = call("slice.Tensor", x, dim, 0, size, 1)
        pads[2 * (x.dim - dim - 1) + 1] = max(size - there, 0)
    return (call("constant_pad_nd", x, pads, 0) if any(pads) else x), places
