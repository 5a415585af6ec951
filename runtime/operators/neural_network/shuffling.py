"""Rearranging elements between channels and pixels, and channels between groups."""

from __future__ import annotations

import numpy as np

from tsc.runtime.context.errors import ScriptError
from tsc.runtime.operators.out_variants import SAME, out_forms
from tsc.runtime.operators.registration import operator
from tsc.runtime.values.tensor import Tensor


def _refuse(message: str) -> None:
    raise ScriptError("RuntimeError", message)


def _check_image(name: str, factor_name: str, a: np.ndarray, factor: int) -> None:
    if a.ndim < 3:
        _refuse(
            f"{name} expects input to have at least 3 dimensions (channels, height, width), not "
            f"{a.ndim}"
        )
    if factor <= 0:
        _refuse(f"{name} expects a positive {factor_name}, but got {factor}")


@operator("aten::pixel_shuffle(Tensor self, int upscale_factor) -> Tensor")
def pixel_shuffle(self: Tensor, upscale_factor: int) -> Tensor:
    a, r = self.array, upscale_factor
    _check_image("pixel_shuffle", "upscale_factor", a, r)
    *lead, channels, height, width = a.shape
    if channels % (r * r):
        _refuse(
            "pixel_shuffle expects its input's channels to be divisible by the square of "
            f"upscale_factor: {channels} by {r * r}"
        )
    parts = a.reshape(*lead, channels // (r * r), r, r, height, width)
    k = len(lead)
    moved = parts.transpose(*range(k), k, k + 3, k + 1, k + 4, k + 2)
    return Tensor(moved.reshape(*lead, channels // (r * r), height * r, width * r))


@operator("aten::pixel_unshuffle(Tensor self, int downscale_factor) -> Tensor")
def pixel_unshuffle(self: Tensor, downscale_factor: int) -> Tensor:
    a, r = self.array, downscale_factor
    _check_image("pixel_unshuffle", "downscale_factor", a, r)
    *lead, channels, height, width = a.shape
    for side, axis, extent in (("height", -2, height), ("width", -1, width)):
        if extent % r:
            _refuse(
                f"pixel_unshuffle expects {side} to be divisible by downscale_factor: dimension "
                f"{axis} is {extent}, the factor {r}"
            )
    parts = a.reshape(*lead, channels, height // r, r, width // r, r)
    k = len(lead)
    moved = parts.transpose(*range(k), k, k + 2, k + 4, k + 1, k + 3)
    return Tensor(moved.reshape(*lead, channels * r * r, height // r, width // r))


@operator(
    "aten::channel_shuffle(Tensor self, SymInt groups) -> Tensor",
    "aten::native_channel_shuffle(Tensor self, SymInt groups) -> Tensor",
)
def channel_shuffle(self: Tensor, groups: int) -> Tensor:
    a = self.array
    if a.ndim <= 2:
        _refuse(
            "channel_shuffle expects input with > 2 dims: batch, channels and more, not the shape "
            f"{list(a.shape)}"
        )
    if groups <= 0:
        _refuse(f"Number of groups to divide channels in must be positive, not {groups}")
    if a.shape[1] % groups:
        _refuse(
            f"Number of channels must be divisible by groups: {a.shape[1]} channels, "
            f"{groups} groups"
        )
    parts = a.reshape(a.shape[0], groups, a.shape[1] // groups, *a.shape[2:])
    return Tensor(parts.swapaxes(1, 2).reshape(a.shape))


out_forms(SAME, "channel_shuffle pixel_shuffle pixel_unshuffle")
