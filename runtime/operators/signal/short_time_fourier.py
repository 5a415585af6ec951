"""The short-time Fourier transform and its inverse."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tsc.runtime.arrays.array import Array
from tsc.runtime.arrays.dtypes import CATEGORY, COMPLEX, DTYPE_OF_NUMPY, FLOATING
from tsc.runtime.arrays.type_promotion import LOW_PRECISION
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.operators.neural_network.padding import pad
from tsc.runtime.operators.registration import operator
from tsc.runtime.values.tensor import Tensor

_SMALLEST_WEIGHT = 1e-11
"""What the added squares of the windows must exceed, so that frames can be put together."""


def _refuse(message: str) -> ScriptError:
    return ScriptError("RuntimeError", message)


def _type_name(a: np.ndarray) -> str:
    """PyTorch's name of a CPU tensor's type."""
    name = DTYPE_OF_NUMPY[a.dtype].scalar_name
    if name in ("Byte", "Char", "Short", "Int", "Long", "Half", "Float", "Double"):
        return f"torch.{name}Tensor"
    return f"CPU{name}Type"


def _is_complex(a: np.ndarray) -> bool:
    return CATEGORY[a.dtype] == COMPLEX


@dataclass(frozen=True, slots=True)
class _Call:
    """The arguments that both directions have, and how they are written in messages."""

    name: str
    array: np.ndarray
    n_fft: int
    hop: int
    length: int
    window: np.ndarray | None
    options: dict[str, object]

    def error(self, text: str) -> ScriptError:
        window = "None"
        if self.window is not None:
            window = f"{_type_name(self.window)}{{{list(self.window.shape)}}}"
        options = {
            "n_fft": self.n_fft,
            "hop_length": self.hop,
            "win_length": self.length,
            "window": window,
            **self.options,
        }
        written = ", ".join(f"{key}={_written(value)}" for key, value in options.items())
        subject = f"{_type_name(self.array)}{list(self.array.shape)}"
        return _refuse(f"{self.name}({subject}, {written}) {text}")

    def whole_window(self, dtype: np.dtype) -> np.ndarray:
        """The window, centred in `n_fft` places."""
        taps = np.ones(self.length, dtype) if self.window is None else self.window
        before = (self.n_fft - self.length) // 2
        return np.pad(taps, (before, self.n_fft - self.length - before))

    @property
    def has_complex_window(self) -> bool:
        return self.window is not None and _is_complex(self.window)


def _written(value: object) -> str:
    return str(int(value)) if isinstance(value, bool) else str(value)


def _hop(n_fft: int, hop_length: int | None) -> int:
    """A quarter of the frame, rounded towards zero."""
    return int(n_fft / 4) if hop_length is None else hop_length


# -- Forwards ----------------------------------------------------------------------------------


def _check_forwards(call: _Call) -> None:
    a, n_fft = call.array, call.n_fft
    if CATEGORY[a.dtype] < FLOATING:
        raise call.error(": expected a tensor of floating point or complex numbers")
    if a.ndim not in (1, 2):
        raise call.error(": expected a 1D or 2D tensor")
    if not 0 < n_fft <= a.shape[-1]:
        raise call.error(f": expected 0 < n_fft < {a.shape[-1]}, but got n_fft={n_fft}")
    if call.hop <= 0:
        raise call.error(f": expected hop_length > 0, not {call.hop}")
    if not 0 < call.length <= n_fft:
        raise call.error(f": expected 0 < win_length <= n_fft, not {call.length}")
    if call.window is not None and call.window.shape != (call.length,):
        raise call.error(
            f": expected a 1D window tensor of {call.length} elements (win_length), not one of the "
            f"shape {list(call.window.shape)}"
        )
    if a.dtype in LOW_PRECISION:
        raise _refuse(
            f"MKL FFT doesn't support tensors of type: {DTYPE_OF_NUMPY[a.dtype].scalar_name}"
        )


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
    """With `align_to_window`, the first frame's window begins where the signal does."""
    call = _Call(
        "stft",
        self.array,
        n_fft,
        _hop(n_fft, hop_length),
        n_fft if win_length is None else win_length,
        None if window is None else window.array,
        {
            "normalized": normalized,
            "onesided": onesided,
            "return_complex": return_complex,
            "align_to_window": align_to_window,
        },
    )
    is_complex = _is_complex(call.array) or call.has_complex_window
    if return_complex is None and not is_complex:
        raise _refuse(
            "stft requires the return_complex parameter for real inputs: pass return_complex=True"
        )
    _check_forwards(call)
    if onesided and is_complex:
        raise _refuse(
            "Cannot have onesided output if window or input is complex: pass onesided=False"
        )
    one_sided = not is_complex if onesided is None else onesided
    signals = np.atleast_2d(call.array)
    if align_to_window and call.length < n_fft:
        before = (n_fft - call.length) // 2
        signals = np.pad(signals, [(0, 0), (before, before)])
    transform = np.fft.rfft if one_sided else np.fft.fft
    spectra = transform(_frames(call, signals), norm="ortho" if normalized else None)
    result = spectra.swapaxes(1, 2)
    result = result[0] if call.array.ndim == 1 else result
    if return_complex or is_complex:
        return Tensor(result)
    return Tensor(np.stack([result.real, result.imag], -1))


def _frames(call: _Call, signals: Array) -> np.ndarray:
    """Windowed stretches of the signals: (signals, frames, n_fft)."""
    stretches = np.lib.stride_tricks.sliding_window_view(signals, call.n_fft, -1)
    return stretches[:, :: call.hop] * call.whole_window(signals.real.dtype)


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
    """The signals are padded by half a frame, so that the first one lies around their beginning."""
    if center:
        if align_to_window is not None:
            raise _refuse("stft align_to_window should only be set when center is False")
        missing = 3 - self.array.ndim
        whole = Tensor(self.array[(np.newaxis,) * missing])
        padded = pad(whole, [n_fft // 2, n_fft // 2], pad_mode).array
        self = Tensor(padded[(0,) * missing])
    return stft(
        self,
        n_fft,
        hop_length,
        win_length,
        window,
        normalized,
        onesided,
        return_complex,
        align_to_window,
    )


# -- Backwards ---------------------------------------------------------------------------------


def _check_backwards(call: _Call, one_sided: bool) -> None:
    a, n_fft = call.array, call.n_fft
    if not a.size:
        raise call.error(": input tensor cannot be empty.")
    if a.ndim not in (2, 3):
        raise call.error(f": expected a tensor with 3 or 4 dimensions, not {a.ndim + 1}")
    expected = n_fft // 2 + 1 if one_sided else n_fft
    if a.shape[-2] != expected:
        rule = "n_fft / 2 + 1" if one_sided else "n_fft"
        sided = "onesided=True" if one_sided else "onesided=False"
        raise call.error(
            f": expected the frequency dimension to have {rule} elements when {sided}, not "
            f"{a.shape[-2]}"
        )
    if not 0 < call.hop <= call.length:
        raise call.error(": expected 0 < hop_length <= win_length")
    if not 0 < call.length <= n_fft:
        raise call.error(": expected 0 < win_length <= n_fft")
    if call.window is not None and call.window.shape != (call.length,):
        raise call.error(
            f": Invalid window shape {list(call.window.shape)}: a window is 1D, of win_length "
            "elements"
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
    call = _Call(
        "istft",
        self.array,
        n_fft,
        _hop(n_fft, hop_length),
        n_fft if win_length is None else win_length,
        None if window is None else window.array,
        {
            "center": center,
            "normalized": normalized,
            "onesided": onesided,
            "length": length,
            "return_complex": return_complex,
        },
    )
    a = call.array
    if not _is_complex(a):
        message = "istft requires a complex-valued input, as stft makes it"
        raise _refuse(f"{message} with return_complex=True.")
    one_sided = _is_one_sided(call, onesided, return_complex)
    _check_backwards(call, one_sided)
    spectra = a if a.ndim == 3 else a[np.newaxis]
    frames: Array = _inverse(call, spectra.swapaxes(1, 2), one_sided, return_complex, normalized)
    weights = call.whole_window(frames.real.dtype)
    total = n_fft + call.hop * (a.shape[-1] - 1)
    signal = _added(frames * weights, call.hop, total)
    envelope = _added(np.broadcast_to(weights * weights, frames.shape[1:])[None], call.hop, total)
    start = n_fft // 2 if center else 0
    end = start + length if length is not None else total - start
    signal, envelope = signal[:, start:end], envelope[:, start:end]
    if not envelope.size:
        raise _refuse("istft: nothing is left of the signal (min(): Expected reduction dim)")
    if np.abs(envelope).min() < _SMALLEST_WEIGHT:
        raise call.error("window overlap add min: 1")
    result = signal / envelope
    if end > total:
        result = np.pad(result, [(0, 0), (0, end - total)])
    return Tensor(result if a.ndim == 3 else result[0])


def _is_one_sided(call: _Call, onesided: bool | None, return_complex: bool) -> bool:
    if call.has_complex_window and not return_complex:
        raise _refuse(
            "Complex windows need return_complex=True: return_complex=False gives real numbers"
        )
    if return_complex and onesided:
        raise _refuse(
            "Cannot have onesided output if window or input is complex: pass onesided=False"
        )
    if onesided is not None:
        return onesided
    is_one_sided = call.array.ndim >= 2 and call.array.shape[-2] != call.n_fft
    if is_one_sided and return_complex:
        raise _refuse(
            "Cannot have onesided output if window or input is complex: pass onesided=False"
        )
    return is_one_sided


def _inverse(
    call: _Call, spectra: np.ndarray, one_sided: bool, return_complex: bool, normalized: bool
) -> np.ndarray:
    """The frames of the signals: (signals, frames, n_fft)."""
    norm = "ortho" if normalized else None
    if return_complex:
        return np.fft.ifft(spectra, call.n_fft, -1, norm)
    half = spectra if one_sided else spectra[..., : call.n_fft // 2 + 1]
    return np.fft.irfft(half, call.n_fft, -1, norm)


def _added(frames: np.ndarray, hop: int, total: int) -> np.ndarray:
    """The frames laid `hop` apart and added where they overlap, a group of disjoint ones at a time."""
    count, width = frames.shape[1:]
    result = np.zeros((len(frames), total), frames.dtype)
    groups = -(-width // hop)
    for first in range(min(groups, count)):
        chosen = frames[:, first::groups]
        step = groups * hop
        padded = np.zeros((len(frames), chosen.shape[1], step), frames.dtype)
        padded[..., :width] = chosen
        flat = padded.reshape(len(frames), -1)
        start = first * hop
        stop = min(start + flat.shape[1], total)
        result[:, start:stop] += flat[:, : stop - start]
    return result
