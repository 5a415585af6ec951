"""Resizing the spatial dimensions of images, by every mode of ``interpolate``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NoReturn

import numpy as np

from tsc.compiler.schema import Layout, Options
from tsc.runtime.arrays.dtypes import BFLOAT16, BYTE, CATEGORY, DOUBLE, FLOATING, HALF
from tsc.runtime.arrays.half_precision import narrowed, widened
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.numerics.neural.resampling import (
    Taps,
    cubic_taps,
    filtered_taps,
    linear_taps,
    nearest_places,
    resampled,
    step_of,
)
from tsc.runtime.operators.elementwise import not_implemented
from tsc.runtime.operators.out_variants import SAME, out_forms
from tsc.runtime.operators.registration import operator
from tsc.runtime.values.tensor import Tensor

Scales = Sequence[float | None]
Resize = Callable[[np.ndarray, Sequence[int], bool, Scales], np.ndarray]
"""From an image, its output sizes, whether corners are aligned, and scales."""


def _refuse(message: str) -> NoReturn:
    raise ScriptError("RuntimeError", message)


def _check(a: np.ndarray, sizes: Sequence[int], spatial: int) -> None:
    if len(sizes) != spatial:
        _refuse(f"It is expected output_size equals to {spatial}, but got size {len(sizes)}")
    if a.ndim != spatial + 2:
        _refuse(f"It is expected input_size equals to {spatial + 2}, but got size {a.ndim}")
    if min(*a.shape[2:], *sizes) <= 0:
        letters = "DHW"[3 - spatial :]
        given, wanted = (
            ", ".join(f"{letter}: {n}" for letter, n in zip(letters, extents))
            for extents in (a.shape[2:], sizes)
        )
        joined = (
            f"input ({given}) and output ({wanted})"
            if spatial == 1
            else (f"input ({given}) output ({wanted})")
        )
        _refuse(f"Input and output sizes should be greater than 0, not {joined}")
    if a.shape[1] == 0:
        _refuse(
            f"Non-empty {spatial + 2}D data tensor expected: no channels in the shape "
            f"{list(a.shape)}"
        )


def _nearest(exact: bool) -> Resize:
    def resize(
        a: np.ndarray, sizes: Sequence[int], align_corners: bool, scales: Scales
    ) -> np.ndarray:
        if CATEGORY[a.dtype] != FLOATING and a.dtype is not BYTE:
            raise not_implemented("compute_indices_weights_nearest", a.dtype)
        doubles = not exact and _takes_pixels_whole(a, sizes)
        for axis in range(a.ndim - 1, 1, -1):
            extent, size, scale = a.shape[axis], sizes[axis - 2], scales[axis - 2]
            if doubles and size in (extent, 2 * extent):
                scale = None
            a = a.take(nearest_places(extent, size, scale, exact=exact), axis)
        return a

    return resize


def _takes_pixels_whole(a: np.ndarray, sizes: Sequence[int]) -> bool:
    """Whether PyTorch has a kernel for whole pixels, which does not look at scales of 1 and 2."""
    if len(sizes) != 2:
        return False
    last = a.shape[1] > 3 and a.transpose(0, 2, 3, 1).flags.c_contiguous
    return last or sum(sizes) <= 128


def _steps(
    a: np.ndarray, sizes: Sequence[int], align_corners: bool, scales: Scales
) -> list[np.floating]:
    kind = np.float64 if a.dtype is DOUBLE or a.dtype is BYTE else np.float32
    return [
        step_of(extent, size, align_corners, scale, kind)
        for extent, size, scale in zip(a.shape[2:], sizes, scales)
    ]


def _by_taps(
    name: str, make: Callable[[int, int, np.floating, bool], Taps | None], takes_bytes: bool
) -> Resize:
    def resize(
        a: np.ndarray, sizes: Sequence[int], align_corners: bool, scales: Scales
    ) -> np.ndarray:
        if CATEGORY[a.dtype] != FLOATING and not (takes_bytes and a.dtype is BYTE):
            raise not_implemented(name, a.dtype)
        steps = _steps(a, sizes, align_corners, scales)
        taps = [make(*each, align_corners) for each in zip(a.shape[2:], sizes, steps)]
        return narrowed(resampled(widened(a), taps), a.dtype)

    return resize


def _filtered(mode: str) -> Resize:
    def resize(
        a: np.ndarray, sizes: Sequence[int], align_corners: bool, scales: Scales
    ) -> np.ndarray:
        if (
            a.dtype is HALF
            or a.dtype is BFLOAT16
            or (CATEGORY[a.dtype] != FLOATING and a.dtype is not BYTE)
        ):
            raise not_implemented("compute_index_ranges_weights", a.dtype)
        steps = _steps(a, sizes, align_corners, scales)
        taps = [
            None if extent == size else filtered_taps(extent, size, step, mode)
            for extent, size, step in zip(a.shape[2:], sizes, steps)
        ]
        return resampled(a, taps)

    return resize


def _sizes(
    a: np.ndarray, spatial: int, output_size: list[int] | None, factors: list[float] | None
) -> tuple[list[int], Scales]:
    """The output sizes and the scales they were computed from, if they were."""
    if output_size is not None and factors is None:
        _check_length("output_size", output_size, spatial)
        return list(output_size), [None] * spatial
    if factors is not None and output_size is None:
        _check_length("scale_factors", factors, spatial)
        return [int(n * f) for n, f in zip(a.shape[2:], factors)], list(factors)
    both = "neither is given" if output_size is None else "both are given"
    _refuse(f"Must specify exactly one of output_size and scale_factors: {both}")


def _check_length(name: str, values: Sequence[float], spatial: int) -> None:
    if len(values) != spatial:
        _refuse(f"Expected {name} of spatial_dimensions: {spatial} numbers, not {list(values)}")


_SCALES = {
    1: "float? scales=None",
    2: "float? scales_h=None, float? scales_w=None",
    3: "float? scales_d=None, float? scales_h=None, float? scales_w=None",
}


def _declare(name: str, spatial: int, resize: Resize, aligns: bool = True) -> None:
    corners = " bool align_corners," if aligns else ""

    def with_scales(self: Tensor, output_size: list[int], *options: bool | float | None) -> Tensor:
        align_corners = bool(aligns and options[0])
        scales = list(options[1:] if aligns else options) or [None] * spatial
        _check(self.array, output_size, spatial)
        return Tensor(resize(self.array, output_size, align_corners, scales))

    def from_vectors(input: Tensor, output_size: list[int] | None, *options: Any) -> Tensor:
        a = input.array
        sizes, scales = _sizes(a, spatial, output_size, options[-1])
        _check(a, sizes, spatial)
        return Tensor(resize(a, sizes, bool(aligns and options[0]), scales))

    is_plain = spatial == 2 and not name.endswith("_aa")
    layout = Options(layout=Layout.AS_IMAGES) if is_plain else Options()
    operator(
        f"aten::{name}(Tensor self, SymInt[{spatial}] output_size,{corners} {_SCALES[spatial]})"
        " -> Tensor",
        **layout,
    )(with_scales)
    operator(
        f"aten::{name}.vec(Tensor input, SymInt[]? output_size,{corners} float[]? scale_factors)"
        " -> Tensor",
        **layout,
    )(from_vectors)


_LINEAR = {1: "upsample_linear1d", 2: "upsample_bilinear2d", 3: "upsample_trilinear3d"}

for _spatial, _name in _LINEAR.items():
    _declare(f"upsample_nearest{_spatial}d", _spatial, _nearest(exact=False), aligns=False)
    _declare(f"_upsample_nearest_exact{_spatial}d", _spatial, _nearest(exact=True), aligns=False)
    _declare(
        _name,
        _spatial,
        _by_taps("compute_indices_weights_linear", linear_taps, takes_bytes=_spatial == 2),
    )
_declare(
    "upsample_bicubic2d",
    2,
    _by_taps("compute_indices_weights_cubic", cubic_taps, takes_bytes=True),
)
for _mode in ("bilinear", "bicubic", "lanczos"):
    _declare(f"_upsample_{_mode}2d_aa", 2, _filtered(_mode))

out_forms(
    SAME,
    """
    _upsample_nearest_exact1d _upsample_nearest_exact2d _upsample_nearest_exact3d upsample_bicubic2d
    upsample_bilinear2d upsample_bilinear2d.vec upsample_linear1d upsample_nearest1d
    upsample_nearest2d upsample_nearest2d.vec upsample_nearest3d upsample_trilinear3d
    _upsample_bicubic2d_aa _upsample_bilinear2d_aa _upsample_lanczos2d_aa
    """,
)
