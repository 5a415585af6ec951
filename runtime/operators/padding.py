"""Padding, and rearranging between channels and pixels."""

from __future__ import annotations

import numpy as np

from runtime.errors import ScriptError
from runtime.operators.registration import operator
from runtime.tensor import Tensor
from runtime.type_promotion import Number, checked_number_array


def _margins(pad: list[int], ndim: int) -> list[tuple[int, int]]:
    """(before, after) of every dimension; `pad` begins with the last one."""
    if len(pad) % 2:
        message = f"Length of pad must be even but instead it equals {len(pad)}"
        raise ScriptError("RuntimeError", message)
    if len(pad) > 2 * ndim:
        raise ScriptError(
            "RuntimeError",
            "Length of pad should be no more than twice the number of dimensions of the input. "
            f"Pad length is {len(pad)} while the input has {ndim} dimensions.",
        )
    pairs = list(zip(pad[::2], pad[1::2]))
    return [(0, 0)] * (ndim - len(pairs)) + pairs[::-1]


@operator("aten::constant_pad_nd(Tensor self, SymInt[] pad, Scalar value=0) -> Tensor")
def constant_pad_nd(self: Tensor, pad: list[int], value: Number = 0) -> Tensor:
    """Negative margins crop."""
    a = self.array
    margins = _margins(pad, a.ndim)
    shape = [n + before + after for n, (before, after) in zip(a.shape, margins)]
    for axis, extent in enumerate(shape):
        if extent < 0:
            before, after = margins[axis]
            raise ScriptError(
                "RuntimeError",
                f"The input size {a.shape[axis]}, plus negative padding {before} and {after} "
                "resulted in a negative output size, which is invalid. Check dimension "
                f"{axis} of your input.",
            )
    result = np.empty(shape, a.dtype)
    result[...] = checked_number_array(value, a.dtype)
    source = tuple(
        slice(max(-before, 0), n - max(-after, 0)) for n, (before, after) in zip(a.shape, margins)
    )
    target = tuple(
        slice(max(before, 0), extent - max(after, 0))
        for extent, (before, after) in zip(shape, margins)
    )
    result[target] = a[source]
    return Tensor(result)


_MODES = {"reflect": "reflect", "replicate": "edge", "circular": "wrap"}


def _padded(a: np.ndarray, pad: list[int], mode: str) -> Tensor:
    margins = _margins(pad, a.ndim)
    if mode == "reflect":
        for axis, (before, after) in enumerate(margins):
            if max(before, after) >= a.shape[axis] and max(before, after) > 0:
                raise ScriptError(
                    "RuntimeError",
                    "Argument #4: Padding size should be less than the corresponding input "
                    f"dimension, but got: padding ({before}, {after}) at dimension {axis} of "
                    f"input {list(a.shape)}",
                )
    if mode == "replicate":
        return Tensor(_replicated(a, margins))
    cropped = a[tuple(slice(max(-b, 0), n - max(-e, 0)) for n, (b, e) in zip(a.shape, margins))]
    widths = [(max(before, 0), max(after, 0)) for before, after in margins]
    return Tensor(np.pad(cropped, widths, _MODES[mode]))


def _replicated(a: np.ndarray, margins: list[tuple[int, int]]) -> np.ndarray:
    """The nearest elements of `a`, even where a negative margin crops all of it."""
    for axis, (before, after) in enumerate(margins):
        if before or after:
            extent = a.shape[axis]
            _check_padded(extent, before, after, axis)
            places = np.arange(-before, extent + after).clip(0, extent - 1)
            a = a.take(places, axis)
    return a


def _check_padded(extent: int, before: int, after: int, axis: int) -> None:
    if not extent or extent + before + after < 1:
        raise ScriptError(
            "RuntimeError",
            f"replication_pad: expected a dimension that stays positive, but dimension {axis} of "
            f"size {extent} is padded by {before} and {after}",
        )


@operator('aten::pad(Tensor self, SymInt[] pad, str mode="constant", float? value=None) -> Tensor')
def pad(self: Tensor, pad: list[int], mode: str = "constant", value: float | None = None) -> Tensor:
    if mode == "constant":
        return constant_pad_nd(self, pad, 0 if value is None else value)
    if value is not None and value != 0:
        message = f'Padding mode "{mode}" doesn\'t take in value argument'
        raise ScriptError("RuntimeError", message)
    if mode not in _MODES:
        raise ScriptError("NotImplementedError", f"Unrecognised padding mode {mode}")
    a = self.array
    if len(pad) // 2 not in (a.ndim - 1, a.ndim - 2):
        raise ScriptError(
            "NotImplementedError",
            "Only 2D, 3D, 4D, 5D padding with non-constant padding are supported for now",
        )
    return _padded(a, pad, mode)


def _declare_pad(name: str, mode: str, spatial: int) -> None:
    def kernel(self: Tensor, padding: list[int]) -> Tensor:
        return _padded(self.array, padding, mode)

    operator(f"aten::{name}_pad{spatial}d(Tensor self, SymInt[{2 * spatial}] padding) -> Tensor")(
        kernel
    )


for _spatial in (1, 2, 3):
    _declare_pad("reflection", "reflect", _spatial)
    _declare_pad("replication", "replicate", _spatial)


@operator("aten::pixel_shuffle(Tensor self, int upscale_factor) -> Tensor")
def pixel_shuffle(self: Tensor, upscale_factor: int) -> Tensor:
    a, r = self.array, upscale_factor
    if a.ndim < 3:
        raise ScriptError(
            "RuntimeError",
            "pixel_shuffle expects input to have at least 3 dimensions, but got input with "
            f"{a.ndim} dimension(s)",
        )
    *lead, channels, height, width = a.shape
    if r <= 0 or channels % (r * r):
        raise ScriptError(
            "RuntimeError",
            "pixel_shuffle expects its input's 'channel' dimension to be divisible by the square "
            f"of upscale_factor, but input.size(-3)={channels} is not divisible by {r * r}",
        )
    parts = a.reshape(*lead, channels // (r * r), r, r, height, width)
    k = len(lead)
    moved = parts.transpose(*range(k), k, k + 3, k + 1, k + 4, k + 2)
    return Tensor(moved.reshape(*lead, channels // (r * r), height * r, width * r))


@operator("aten::pixel_unshuffle(Tensor self, int downscale_factor) -> Tensor")
def pixel_unshuffle(self: Tensor, downscale_factor: int) -> Tensor:
    a, r = self.array, downscale_factor
    if a.ndim < 3:
        raise ScriptError(
            "RuntimeError",
            "pixel_unshuffle expects input to have at least 3 dimensions, but got input with "
            f"{a.ndim} dimension(s)",
        )
    *lead, channels, height, width = a.shape
    if r <= 0 or height % r or width % r:
        raise ScriptError(
            "RuntimeError",
            "pixel_unshuffle expects height to be divisible by downscale_factor, but "
            f"input.size(-2)={height} is not divisible by {r}",
        )
    parts = a.reshape(*lead, channels, height // r, r, width // r, r)
    k = len(lead)
    moved = parts.transpose(*range(k), k, k + 2, k + 4, k + 1, k + 3)
    return Tensor(moved.reshape(*lead, channels * r * r, height // r, width // r))


@operator("aten::channel_shuffle(Tensor self, SymInt groups) -> Tensor")
def channel_shuffle(self: Tensor, groups: int) -> Tensor:
    a = self.array
    if groups <= 0 or a.shape[1] % groups:
        raise ScriptError(
            "RuntimeError",
            f"Number of channels must be divisible by groups. Got {a.shape[1]} channels and "
            f"{groups} groups.",
        )
    parts = a.reshape(a.shape[0], groups, a.shape[1] // groups, *a.shape[2:])
    return Tensor(parts.swapaxes(1, 2).reshape(a.shape))
