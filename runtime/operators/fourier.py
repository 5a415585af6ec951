"""Fourier transforms, and the short-time transform and its inverse."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from runtime.dimensions import wrap_dimension
from runtime.dtypes import CATEGORY, COMPLEX, DEFAULT_DTYPE, FLOATING, scalar_name
from runtime.errors import ScriptError
from runtime.operators.creation import OPTIONS, numpy_dtype
from runtime.operators.elementwise import not_implemented
from runtime.operators.padding import _MODES
from runtime.operators.registration import operator
from runtime.tensor import Tensor

NORMS = (None, "backward", "forward", "ortho")


def _argument(a: np.ndarray, norm: str | None, real: bool = False) -> np.ndarray:
    """The array to transform: integers become the default dtype."""
    if norm not in NORMS:
        raise ScriptError("RuntimeError", f'Invalid normalization mode: "{norm}"')
    if real and CATEGORY[a.dtype] == COMPLEX:
        message = f"rfft expects a real input tensor, but got {scalar_name(a.dtype)}"
        raise ScriptError("RuntimeError", message)
    return a if CATEGORY[a.dtype] >= FLOATING else a.astype(DEFAULT_DTYPE)


def _check_length(a: np.ndarray, n: int | None, dim: int) -> None:
    length = a.shape[dim] if n is None else n
    if length < 1:
        raise ScriptError("RuntimeError", f"Invalid number of data points ({length}) specified")


def _declare_one(name: str, function: Callable[..., np.ndarray], real: bool) -> None:
    def transform(
        self: Tensor, n: int | None = None, dim: int = -1, norm: str | None = None
    ) -> Tensor:
        a = _argument(self.array, norm, real)
        axis = wrap_dimension(dim, a.ndim)
        if name not in ("irfft", "hfft"):
            _check_length(a, n, axis)
        return Tensor(function(a, n, axis, norm))

    operator(
        f"aten::fft_{name}(Tensor self, SymInt? n=None, int dim=-1, str? norm=None) -> Tensor"
    )(transform)


for _name, _function in {
    "fft": np.fft.fft,
    "ifft": np.fft.ifft,
    "rfft": np.fft.rfft,
    "irfft": np.fft.irfft,
    "hfft": np.fft.hfft,
    "ihfft": np.fft.ihfft,
}.items():
    _declare_one(_name, _function, real=_name in ("rfft", "ihfft"))


def _declare_several(name: str, function: Callable[..., np.ndarray], real: bool) -> None:
    def over_last_two(
        self: Tensor,
        s: list[int] | None = None,
        dim: list[int] | tuple[int, ...] = (-2, -1),
        norm: str | None = None,
    ) -> Tensor:
        return over_any(self, s, list(dim), norm)

    def over_any(
        self: Tensor,
        s: list[int] | None = None,
        dim: list[int] | None = None,
        norm: str | None = None,
    ) -> Tensor:
        a = _argument(self.array, norm, real)
        axes = dim
        if axes is None and s is not None:
            axes = list(range(a.ndim - len(s), a.ndim))
        return Tensor(function(a, s, axes, norm))

    operator(
        f"aten::fft_{name}2(Tensor self, SymInt[1]? s=None, int[1] dim=[-2, -1],"
        " str? norm=None) -> Tensor"
    )(over_last_two)
    operator(
        f"aten::fft_{name}n(Tensor self, SymInt[1]? s=None, int[1]? dim=None, str? norm=None)"
        " -> Tensor"
    )(over_any)


for _name, _function in {
    "fft": np.fft.fftn,
    "ifft": np.fft.ifftn,
    "rfft": np.fft.rfftn,
    "irfft": np.fft.irfftn,
}.items():
    _declare_several(_name, _function, real=_name == "rfft")


def _frequency_dtype(name: str, dtype: int | None) -> np.dtype:
    target = numpy_dtype(dtype)
    if CATEGORY[target] < FLOATING:
        message = f"{name} requires a floating point or complex dtype"
        raise ScriptError("RuntimeError", message)
    if CATEGORY[target] == COMPLEX:
        raise not_implemented("arange_cpu", target)
    return target


@operator(f"aten::fft_fftfreq(int n, float d=1., *, {OPTIONS}) -> Tensor")
def fft_fftfreq(n, d=1.0, dtype=None, layout=None, device=None, pin_memory=None) -> Tensor:
    target = _frequency_dtype("fftfreq", dtype)
    return Tensor(np.fft.fftfreq(n, d).astype(target))


@operator(f"aten::fft_rfftfreq(int n, float d=1., *, {OPTIONS}) -> Tensor")
def fft_rfftfreq(n, d=1.0, dtype=None, layout=None, device=None, pin_memory=None) -> Tensor:
    target = _frequency_dtype("rfftfreq", dtype)
    return Tensor(np.fft.rfftfreq(n, d).astype(target))


@operator("aten::fft_fftshift(Tensor self, int[1]? dim=None) -> Tensor")
def fft_fftshift(self: Tensor, dim: list[int] | None = None) -> Tensor:
    return Tensor(np.fft.fftshift(self.array, dim))


@operator("aten::fft_ifftshift(Tensor self, int[1]? dim=None) -> Tensor")
def fft_ifftshift(self: Tensor, dim: list[int] | None = None) -> Tensor:
    return Tensor(np.fft.ifftshift(self.array, dim))


def _whole_window(
    window: Tensor | None, win_length: int, n_fft: int, dtype: np.dtype
) -> np.ndarray:
    """The window, centred in `n_fft` places."""
    taps = np.ones(win_length, dtype) if window is None else window.array
    if taps.shape != (win_length,):
        raise ScriptError(
            "RuntimeError",
            f"stft: expected a 1D window tensor of size equal to win_length={win_length}, "
            f"but got window with size {list(taps.shape)}",
        )
    before = (n_fft - win_length) // 2
    return np.pad(taps, (before, n_fft - win_length - before))


def _frames(
    a: np.ndarray,
    n_fft: int,
    hop_length: int | None,
    win_length: int | None,
    window: Tensor | None,
) -> np.ndarray:
    """Windowed stretches of the signals: (signals, frames, n_fft)."""
    hop = n_fft // 4 if hop_length is None else hop_length
    length = n_fft if win_length is None else win_length
    if hop <= 0:
        raise ScriptError(
            "RuntimeError", f"stft: expected hop_length > 0, but got hop_length={hop}"
        )
    if not 0 < length <= n_fft:
        message = f"stft: expected 0 < win_length <= n_fft, but got win_length={length}"
        raise ScriptError("RuntimeError", message)
    if not 0 < n_fft <= a.shape[-1]:
        raise ScriptError(
            "RuntimeError",
            f"stft: expected 0 < n_fft < {a.shape[-1]}, but got n_fft={n_fft}",
        )
    count = 1 + (a.shape[-1] - n_fft) // hop
    places = np.arange(count)[:, None] * hop + np.arange(n_fft)
    return a[:, places] * _whole_window(window, length, n_fft, a.real.dtype)


def _short_time(
    self: Tensor,
    n_fft: int,
    hop_length: int | None,
    win_length: int | None,
    window: Tensor | None,
    normalized: bool,
    onesided: bool | None,
    return_complex: bool | None,
) -> Tensor:
    a = self.array
    signals = np.atleast_2d(a)
    frames = _frames(signals, n_fft, hop_length, win_length, window)
    is_complex = CATEGORY[frames.dtype] == COMPLEX
    norm = "ortho" if normalized else None
    one_sided = not is_complex if onesided is None else onesided
    transform = np.fft.rfft if one_sided and not is_complex else np.fft.fft
    result = transform(frames, axis=-1, norm=norm).swapaxes(1, 2)
    if a.ndim == 1:
        result = result[0]
    if return_complex is None and not is_complex:
        raise ScriptError(
            "RuntimeError",
            "stft requires the return_complex parameter be given for real inputs, and will "
            "further require that return_complex=True in a future PyTorch release.",
        )
    if return_complex or is_complex:
        return Tensor(np.ascontiguousarray(result))
    return Tensor(np.stack([result.real, result.imag], -1))


_STFT = "Tensor self, int n_fft, int? hop_length=None, int? win_length=None, Tensor? window=None"
_SIDES = (
    "bool normalized=False, bool? onesided=None, bool? return_complex=None,"
    " bool? align_to_window=None"
)


@operator(f"aten::stft({_STFT}, {_SIDES}) -> Tensor")
def stft(
    self: Tensor,
    n_fft: int,
    hop_length: int | None = None,
    win_length: int | None = None,
    window: Tensor | None = None,
    normalized: bool = False,
    onesided: bool | None = None,
    return_complex: bool | None = None,
    align_to_window: bool | None = None,
) -> Tensor:
    return _short_time(
        self, n_fft, hop_length, win_length, window, normalized, onesided, return_complex
    )


@operator(
    f'aten::stft.center({_STFT}, bool center=True, str pad_mode="reflect", {_SIDES}) -> Tensor'
)
def stft_centered(
    self: Tensor,
    n_fft: int,
    hop_length: int | None = None,
    win_length: int | None = None,
    window: Tensor | None = None,
    center: bool = True,
    pad_mode: str = "reflect",
    normalized: bool = False,
    onesided: bool | None = None,
    return_complex: bool | None = None,
    align_to_window: bool | None = None,
) -> Tensor:
    a = self.array
    if center:
        widths = [(0, 0)] * (a.ndim - 1) + [(n_fft // 2, n_fft // 2)]
        mode = _MODES.get(pad_mode, pad_mode)
        self = Tensor(np.pad(a, widths, mode))
    return _short_time(
        self, n_fft, hop_length, win_length, window, normalized, onesided, return_complex
    )


@operator(
    f"aten::istft({_STFT}, bool center=True, bool normalized=False, bool? onesided=None,"
    " int? length=None, bool return_complex=False) -> Tensor"
)
def istft(
    self: Tensor,
    n_fft: int,
    hop_length: int | None = None,
    win_length: int | None = None,
    window: Tensor | None = None,
    center: bool = True,
    normalized: bool = False,
    onesided: bool | None = None,
    length: int | None = None,
    return_complex: bool = False,
) -> Tensor:
    a = self.array
    if CATEGORY[a.dtype] != COMPLEX:
        message = "istft requires a complex-valued input tensor matching the output from stft"
        raise ScriptError("RuntimeError", message + " with return_complex=True.")
    spectra = (a if a.ndim == 3 else a[np.newaxis]).swapaxes(1, 2)
    hop = n_fft // 4 if hop_length is None else hop_length
    taps = n_fft if win_length is None else win_length
    weights = _whole_window(window, taps, n_fft, spectra.real.dtype)
    norm = "ortho" if normalized else None
    if return_complex:
        frames = np.fft.ifft(spectra, n_fft, -1, norm)
    else:
        half = spectra[..., : n_fft // 2 + 1]
        frames = np.fft.irfft(half, n_fft, -1, norm)
    signal = _overlapped(frames * weights, weights, hop, n_fft)
    start = n_fft // 2 if center else 0
    end = signal.shape[-1] - start if length is None else start + length
    missing = end - signal.shape[-1]
    result = np.pad(signal, [(0, 0), (0, max(missing, 0))])[:, start:end]
    return Tensor(np.ascontiguousarray(result if a.ndim == 3 else result[0]))


def _overlapped(frames: np.ndarray, weights: np.ndarray, hop: int, n_fft: int) -> np.ndarray:
    """The frames added where they overlap, divided by the added squares of the window."""
    count = frames.shape[1]
    total = n_fft + hop * (count - 1)
    signal = np.zeros((len(frames), total), frames.dtype)
    envelope = np.zeros(total, weights.dtype)
    for place in range(count):
        inside = slice(place * hop, place * hop + n_fft)
        signal[:, inside] += frames[:, place]
        envelope[inside] += weights * weights
    with np.errstate(all="ignore"):
        return np.where(envelope > 1e-11, signal / envelope, signal).astype(frames.dtype)
