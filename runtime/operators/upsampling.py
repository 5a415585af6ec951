"""Resizing the spatial dimensions of images: nearest and linear interpolation."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from runtime.dtypes import LONG
from runtime.errors import ScriptError
from runtime.operators.adaptive_pooling import adaptive_average
from runtime.operators.registration import operator
from runtime.tensor import Tensor


def _nearest(a: np.ndarray, sizes: Sequence[int], scales: Sequence[float | None]) -> Tensor:
    lead = a.ndim - len(sizes)
    result = a
    for offset, (size, scale) in enumerate(zip(sizes, scales)):
        extent = a.shape[lead + offset]
        step = np.float32(1.0 / scale if scale else extent / size)
        source = np.floor(np.arange(size, dtype=np.float32) * step).astype(LONG)
        result = np.take(result, np.minimum(source, extent - 1), lead + offset)
    return Tensor(result)


def _linear(
    a: np.ndarray, sizes: Sequence[int], align_corners: bool, scales: Sequence[float | None]
) -> Tensor:
    lead = a.ndim - len(sizes)
    result = a
    for offset, (size, scale) in enumerate(zip(sizes, scales)):
        axis = lead + offset
        low, high, weight = _linear_sources(a.shape[axis], size, align_corners, scale)
        shape = [-1 if k == axis else 1 for k in range(a.ndim)]
        share = weight.reshape(shape).astype(a.dtype)
        below, above = np.take(result, low, axis), np.take(result, high, axis)
        result = below * (a.dtype.type(1) - share) + above * share
    return Tensor(result)


def _linear_sources(
    extent: int, size: int, align_corners: bool, scale: float | None
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The two input positions of each output position, and the share of the second."""
    position = np.arange(size)
    if size == extent:
        return position, position, np.zeros(size)
    if align_corners:
        source = position * ((extent - 1) / (size - 1) if size > 1 else 0.0)
    else:
        step = 1.0 / scale if scale else extent / size
        source = np.maximum((position + 0.5) * step - 0.5, 0)
    low = np.minimum(np.floor(source).astype(LONG), extent - 1)
    return low, np.minimum(low + 1, extent - 1), source - low


def _sizes(
    a: np.ndarray, spatial: int, output_size: list[int] | None, factors: list[float] | None
) -> tuple[list[int], list[float | None]]:
    """The output sizes and the scales they were computed from, if they were."""
    if output_size is not None:
        return list(output_size), [None] * spatial
    if factors is None:
        message = "Must specify exactly one of output_size and scale_factors"
        raise ScriptError("RuntimeError", message)
    extents = a.shape[a.ndim - spatial :]
    return [math.floor(n * f) for n, f in zip(extents, factors)], list(factors)


def _check(a: np.ndarray, spatial: int) -> None:
    if a.ndim != spatial + 2:
        raise ScriptError(
            "RuntimeError",
            f"It is expected input_size equals to {spatial + 2}, but got size {a.ndim}",
        )


_SCALES = {
    1: "float? scales=None",
    2: "float? scales_h=None, float? scales_w=None",
    3: "float? scales_d=None, float? scales_h=None, float? scales_w=None",
}


def _declare_nearest(spatial: int) -> None:
    def with_scales(self: Tensor, output_size: list[int], *scales: float | None) -> Tensor:
        _check(self.array, spatial)
        return _nearest(self.array, output_size, scales or [None] * spatial)

    def from_vectors(input: Tensor, output_size, scale_factors) -> Tensor:
        _check(input.array, spatial)
        return _nearest(input.array, *_sizes(input.array, spatial, output_size, scale_factors))

    operator(
        f"aten::upsample_nearest{spatial}d(Tensor self, SymInt[{spatial}] output_size,"
        f" {_SCALES[spatial]}) -> Tensor"
    )(with_scales)
    operator(
        f"aten::upsample_nearest{spatial}d.vec(Tensor input, SymInt[]? output_size,"
        " float[]? scale_factors) -> Tensor"
    )(from_vectors)


def _declare_linear(name: str, spatial: int) -> None:
    def with_scales(
        self: Tensor, output_size: list[int], align_corners: bool, *scales: float | None
    ) -> Tensor:
        _check(self.array, spatial)
        return _linear(self.array, output_size, align_corners, scales or [None] * spatial)

    def from_vectors(input: Tensor, output_size, align_corners, scale_factors) -> Tensor:
        a = input.array
        _check(a, spatial)
        sizes, scales = _sizes(a, spatial, output_size, scale_factors)
        return _linear(a, sizes, align_corners, scales)

    operator(
        f"aten::upsample_{name}(Tensor self, SymInt[{spatial}] output_size, bool align_corners,"
        f" {_SCALES[spatial]}) -> Tensor"
    )(with_scales)
    operator(
        f"aten::upsample_{name}.vec(Tensor input, SymInt[]? output_size, bool align_corners,"
        " float[]? scale_factors) -> Tensor"
    )(from_vectors)


for _spatial, _name in ((1, "linear1d"), (2, "bilinear2d"), (3, "trilinear3d")):
    _declare_nearest(_spatial)
    _declare_linear(_name, _spatial)


def interpolate(
    input: Tensor,
    size=None,
    scale_factor=None,
    mode: str = "nearest",
    align_corners: bool | None = None,
    recompute_scale_factor: bool | None = None,
    antialias: bool = False,
) -> Tensor:
    """``torch.nn.functional.interpolate``."""
    a = input.array
    spatial = a.ndim - 2
    if (size is None) == (scale_factor is None):
        which = "either" if size is None else "only one of"
        raise ScriptError("ValueError", f"{which} size or scale_factor should be defined")
    sizes = [size] * spatial if type(size) is int else size
    factors = [scale_factor] * spatial if type(scale_factor) is float else scale_factor
    sizes, scales = _sizes(a, spatial, sizes, factors)
    if recompute_scale_factor:
        scales = [None] * spatial
    if mode == "nearest":
        return _nearest(a, sizes, scales)
    if mode == "area":
        return Tensor(adaptive_average(a, sizes))
    if mode == {1: "linear", 2: "bilinear", 3: "trilinear"}.get(spatial):
        return _linear(a, sizes, bool(align_corners), scales)
    message = f"interpolation mode '{mode}' of a {a.ndim}-dimensional input is not supported"
    raise ScriptError("NotImplementedError", message)


_REST = (
    'str mode="nearest", bool? align_corners=None, bool? recompute_scale_factor=None,'
    " bool antialias=False"
)
operator(
    f"aten::__interpolate.scale_list(Tensor input, int? size=None, float[]? scale_factor=None,"
    f" {_REST}) -> Tensor",
    f"aten::__interpolate.size_list_scale_list(Tensor input, int[]? size=None,"
    f" float[]? scale_factor=None, {_REST}) -> Tensor",
    f"aten::__interpolate(Tensor input, int? size=None, float? scale_factor=None, {_REST})"
    " -> Tensor",
    f"aten::__interpolate.size_list(Tensor input, int[]? size=None, float? scale_factor=None,"
    f" {_REST}) -> Tensor",
)(interpolate)
