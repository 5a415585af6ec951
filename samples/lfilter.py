"""Digital filters on waveforms: an IIR filter as a convolution and a recurrence, biquads, and a filter applied twice."""
import math
from typing import List, Tuple

import torch
import torch.nn.functional as F
from torch import Tensor


def recurrence(feedforward: Tensor, a: Tensor) -> Tensor:
    """y[t] = x[t] - sum_k a[k] y[t - k], for x [C, T] and a [C, K]."""
    order = a.size(1) - 1
    channels, steps = feedforward.shape
    padded = torch.zeros(channels, steps + order, dtype=feedforward.dtype)
    flipped = a.flip(1)[:, :order]
    for t in range(steps):
        past = padded[:, t : t + order]
        padded[:, t + order] = feedforward[:, t] - (past * flipped).sum(dim=1)
    return padded[:, order:]


def lfilter(waveform: Tensor, a: Tensor, b: Tensor, clamp: bool = True) -> Tensor:
    """Filter a waveform [..., T] with coefficients a and b [K], lowest delay first."""
    assert a.size(0) == b.size(0), f"coefficients differ in length: {a.size(0)} and {b.size(0)}"
    shape = waveform.size()
    x = waveform.reshape(-1, shape[-1])
    channels, order = x.size(0), b.size(0)
    kernel = (b / a[0]).flip(0).view(1, 1, order)
    feedforward = F.conv1d(F.pad(x.unsqueeze(1), [order - 1, 0]), kernel).squeeze(1)
    y = recurrence(feedforward, (a / a[0]).expand(channels, order))
    if clamp:
        y = torch.clamp(y, min=-1.0, max=1.0)
    return y.reshape(shape[:-1] + y.shape[-1:])


def biquad(waveform: Tensor, b0: float, b1: float, b2: float, a0: float, a1: float, a2: float) -> Tensor:
    a = torch.tensor([a0, a1, a2], dtype=waveform.dtype)
    b = torch.tensor([b0, b1, b2], dtype=waveform.dtype)
    return lfilter(waveform, a, b)


def lowpass(waveform: Tensor, sample_rate: int, cutoff: float, q: float = 0.707) -> Tensor:
    w0 = 2 * math.pi * cutoff / sample_rate
    alpha = math.sin(w0) / 2 / q
    b0 = (1 - math.cos(w0)) / 2
    return biquad(waveform, b0, 1 - math.cos(w0), b0, 1 + alpha, -2 * math.cos(w0), 1 - alpha)


def highpass(waveform: Tensor, sample_rate: int, cutoff: float, q: float = 0.707) -> Tensor:
    w0 = 2 * math.pi * cutoff / sample_rate
    alpha = math.sin(w0) / 2 / q
    b0 = (1 + math.cos(w0)) / 2
    return biquad(waveform, b0, -1 - math.cos(w0), b0, 1 + alpha, -2 * math.cos(w0), 1 - alpha)


def filtfilt(waveform: Tensor, a: Tensor, b: Tensor) -> Tensor:
    """Forwards and backwards, so that no phase is shifted."""
    forward = lfilter(waveform, a, b, clamp=False)
    return lfilter(forward.flip(-1), a, b, clamp=False).flip(-1)


def decibels(waveform: Tensor) -> List[float]:
    """The power of the waveform in four bands, above a floor of -40 dB."""
    spectrum = torch.fft.rfft(waveform * torch.hann_window(waveform.size(-1))).abs()
    return [10 * math.log10(float(spectrum[low : low + 8].pow(2).sum()) + 1e-4) for low in range(0, 32, 8)]


def main() -> Tuple[Tensor, List[float], List[float]]:
    t = torch.arange(256, dtype=torch.float32) / 256
    tone = 0.4 * torch.sin(2 * math.pi * 5 * t) + 0.4 * torch.sin(2 * math.pi * 60 * t)
    stereo = torch.stack([tone, tone.flip(0)])
    low = lowpass(stereo, 256, 20.0)
    high = highpass(tone, 256, 40.0)
    smooth = filtfilt(stereo, torch.tensor([1.0, -0.5]), torch.tensor([0.25, 0.25]))
    return smooth[:, 100:104], decibels(low[0]), decibels(high)
