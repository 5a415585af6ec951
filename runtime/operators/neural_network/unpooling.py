"""Fractional pooling, whose windows random samples shift, and the way back from maxima."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from tsc.runtime.arrays.dtypes import CATEGORY, FLOATING, LONG, scalar_name
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.operators.elementwise import not_implemented
from tsc.runtime.operators.out_variants import SAME, out_forms, same
from tsc.runtime.operators.registration import operator
from tsc.runtime.values.tensor import Tensor

_SIDES = {2: ("height", "width"), 3: ("time", "height", "width")}
_EXACTLY = {2: "two elements (height, width)", 3: "three elements (depth, height, width)"}


def _refuse(message: str) -> None:
    raise ScriptError("RuntimeError", message)


def _check_fractional(
    a: np.ndarray, samples: np.ndarray, kernel: Sequence[int], counts: Sequence[int], spatial: int
) -> None:
    name = f"fractional_max_pool{spatial}d"
    ints = "Ints" if spatial == 2 else "three Ints"
    for key, values in {"kernel_size": kernel, "output_size": counts}.items():
        if len(values) != spatial:
            _refuse(f"{name}: {key} must either be a single Int or tuple of {ints}")
    name += "()" if spatial == 2 else "_out()"
    if a.ndim not in (spatial + 1, spatial + 2):
        _refuse(
            f"{name}: Expected {spatial + 1}D or {spatial + 2}D tensor, but got: {list(a.shape)}"
        )
    for axis in range(a.ndim - spatial - 1, a.ndim):
        if a.shape[axis] == 0:
            _refuse(
                f"{name}: Expected input to have non-zero size in all dimensions but the batch's: "
                f"dimension {axis} of {list(a.shape)} is empty"
            )
    extents = a.shape[a.ndim - spatial :]
    for side, extent, size, count in zip(_SIDES[spatial], extents, kernel, counts):
        if count + size - 1 + (spatial == 3) > extent:
            _refuse(f"{name}: pool {side} {size} too large relative to input {side} {extent}")
    _check_samples(a, samples, spatial)


def _check_samples(a: np.ndarray, samples: np.ndarray, spatial: int) -> None:
    batch = a.shape[0] if a.ndim == spatial + 2 else 1
    if samples.dtype is not a.dtype:
        _refuse(
            "Expect _random_samples to have the same dtype as the input: "
            f"{scalar_name(samples.dtype)} and {scalar_name(a.dtype)}"
        )
    if samples.ndim != 3:
        _refuse(f"Expect _random_samples to have 3 dimensions, not {samples.ndim}")
    if samples.shape[0] < batch:
        _refuse(
            "Expect _random_samples.size(0) to be at least the batch's size: "
            f"{samples.shape[0]} for {batch}"
        )
    if samples.shape[1] != a.shape[-spatial - 1]:
        _refuse(
            "Expect _random_samples.size(1) to be the number of channels: "
            f"{samples.shape[1]} for {a.shape[-spatial - 1]}"
        )
    if samples.shape[2] != spatial:
        _refuse(f"Expect _random_samples.size(2) equals to {spatial}; got {samples.shape[2]}.")


def _starts(samples: np.ndarray, extent: int, kernel: int, count: int) -> np.ndarray:
    """Where the windows of each plane begin: (planes, count). The last ends with the input."""
    starts = np.full((len(samples), count), extent - kernel, LONG)
    if count > 1:
        kind = samples.dtype.type
        alpha = kind(extent - kernel) / kind(count - 1)
        steps = np.arange(count - 1).astype(samples.dtype)
        moved = (steps + samples[:, np.newaxis]) * alpha
        starts[:, :-1] = moved.astype(LONG) - (samples * alpha).astype(LONG)[:, np.newaxis]
    return starts


def _elements(
    samples: np.ndarray, extents: Sequence[int], kernel: Sequence[int], counts: Sequence[int]
) -> np.ndarray:
    """The flat indices of the elements of each window: (planes, windows, elements)."""
    planes = len(samples)
    indices = np.zeros((planes, 1, 1), LONG)
    for axis, (extent, size, count) in enumerate(zip(extents, kernel, counts)):
        places = _starts(samples[:, axis], extent, size, count)[:, :, np.newaxis] + np.arange(size)
        outer = indices[:, :, np.newaxis, :, np.newaxis] * extent
        indices = outer + places[:, np.newaxis, :, np.newaxis, :]
        shape = indices.shape
        indices = indices.reshape(planes, shape[1] * shape[2], shape[3] * shape[4])
    return indices


def _fractional(
    self: Tensor, kernel: list[int], counts: list[int], random_samples: Tensor, spatial: int
) -> tuple[Tensor, Tensor]:
    a, samples = self.array, random_samples.array
    _check_fractional(a, samples, kernel, counts, spatial)
    if CATEGORY[a.dtype] != FLOATING:
        raise not_implemented(f"fractional_max_pool{spatial}d_out_frame", a.dtype)
    extents, lead = a.shape[a.ndim - spatial :], a.shape[: a.ndim - spatial]
    planes = a.reshape(-1, math.prod(extents))
    drawn = samples.reshape(-1, spatial)[: len(planes)]
    if spatial == 2:
        drawn = drawn[:, ::-1]  # the first sample is for columns
    indices = _elements(drawn, extents, kernel, counts)
    windows = planes[np.arange(len(planes))[:, np.newaxis, np.newaxis], indices]
    best = np.argmax(windows, -1)
    missing = np.isnan(windows)
    if missing.any():
        last = windows.shape[-1] - 1 - np.argmax(missing[..., ::-1], -1)
        best = np.where(missing.any(-1), last, best)
    best = best[..., np.newaxis]
    shape = (*lead, *counts)
    values = np.take_along_axis(windows, best, -1).reshape(shape)
    return Tensor(values), Tensor(np.take_along_axis(indices, best, -1).reshape(shape))


@operator(
    "aten::fractional_max_pool2d(Tensor self, int[2] kernel_size, int[2] output_size,"
    " Tensor random_samples) -> (Tensor, Tensor)"
)
def fractional_max_pool2d(
    self: Tensor, kernel_size: list[int], output_size: list[int], random_samples: Tensor
) -> tuple[Tensor, Tensor]:
    return _fractional(self, kernel_size, output_size, random_samples, 2)


@operator(
    "aten::fractional_max_pool3d(Tensor self, int[3] kernel_size, int[3] output_size,"
    " Tensor random_samples) -> (Tensor, Tensor)"
)
def fractional_max_pool3d(
    self: Tensor, kernel_size: list[int], output_size: list[int], random_samples: Tensor
) -> tuple[Tensor, Tensor]:
    return _fractional(self, kernel_size, output_size, random_samples, 3)


def _check_indices(
    a: np.ndarray, indices: np.ndarray, output_size: Sequence[int], spatial: int
) -> None:
    if indices.dtype is not LONG:
        found = f" but got: {scalar_name(indices.dtype)}" if spatial == 2 else ""
        _refuse(f"elements in indices should be type int64{found}")
    if len(output_size) != spatial:
        _refuse(
            f"There should be exactly {_EXACTLY[spatial]} in output_size, but got "
            f"{len(output_size)} elements."
        )
    if a.ndim not in (spatial + 1, spatial + 2):
        _refuse(
            f"Input to max_unpooling{spatial}d should be a {spatial + 1}d or {spatial + 2}d "
            f"Tensor, but got a tensor with {a.ndim} dimensions."
        )
    if a.shape != indices.shape:
        _refuse(
            f"Expected shape of indices to be that of the input, {list(a.shape)}, not "
            f"{list(indices.shape)}"
        )
    for axis in range(1, a.ndim):
        if a.shape[axis] == 0:
            _refuse(
                f"max_unpooling{spatial}d_forward_out_cpu(): Expected input to have non-zero size "
                f"for non-batch dimensions, but got {list(a.shape)} with dimension {axis} being "
                "empty."
            )


def _unpooled(
    a: np.ndarray, indices: np.ndarray, output_size: Sequence[int], spatial: int
) -> Tensor:
    """Each value at its index in its plane, and zeros."""
    if a.size and CATEGORY[a.dtype] != FLOATING:
        raise not_implemented(f"max_unpool{spatial}d", a.dtype)
    lead = a.shape[: a.ndim - spatial]
    planes, area = math.prod(lead), math.prod(output_size)
    outside = indices[(indices < 0) | (indices >= area)]
    if outside.size:
        _refuse(
            f"Found an invalid max index: {outside.flat[0]} (output volumes are of size "
            f"{'x'.join(map(str, output_size))})"
        )
    result = np.zeros((planes, area), a.dtype)
    rows = np.arange(planes)[:, np.newaxis]
    count = math.prod(a.shape[a.ndim - spatial :])
    result[rows, indices.reshape(planes, count)] = a.reshape(planes, count)
    return Tensor(result.reshape(*lead, *output_size))


@operator("aten::max_unpool2d(Tensor self, Tensor indices, SymInt[2] output_size) -> Tensor")
def max_unpool2d(self: Tensor, indices: Tensor, output_size: list[int]) -> Tensor:
    _check_indices(self.array, indices.array, output_size, 2)
    return _unpooled(self.array, indices.array, output_size, 2)


@operator(
    "aten::max_unpool3d(Tensor self, Tensor indices, SymInt[3] output_size, int[3] stride,"
    " int[3] padding) -> Tensor"
)
def max_unpool3d(
    self: Tensor,
    indices: Tensor,
    output_size: list[int],
    stride: list[int],
    padding: list[int],
) -> Tensor:
    _check_indices(self.array, indices.array, output_size, 3)
    for name, values in {"stride": stride, "padding": padding}.items():
        if len(values) != 3:
            _refuse(
                f"There should be exactly {_EXACTLY[3]} in {name}, but got: {len(values)} elements."
            )
    if min(stride) <= 0:
        _refuse(f"strides should be greater than zero, not {list(stride)}")
    return _unpooled(self.array, indices.array, output_size, 3)


out_forms(
    SAME,
    """
    max_unpool2d fractional_max_pool2d:output(output,indices)
    fractional_max_pool3d:output(output,indices)
    """,
)
out_forms(same("expected scalar type {result} but found {out}"), "max_unpool3d")
