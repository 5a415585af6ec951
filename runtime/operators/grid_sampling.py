"""Sampling images at given places, and further ways of resizing."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from runtime.dtypes import LONG
from runtime.errors import ScriptError
from runtime.operators.registration import operator
from runtime.operators.upsampling import _check, _sizes
from runtime.tensor import Tensor

BILINEAR, NEAREST, BICUBIC = range(3)
ZEROS, BORDER, REFLECTION = range(3)


def _reflected(place: np.ndarray, low: float, high: float) -> np.ndarray:
    """`place` folded into [low, high]."""
    if low == high:
        return np.zeros_like(place)
    span = high - low
    distance = np.abs(place - low)
    extra = np.fmod(distance, span)
    flips = np.floor(distance / span)
    return np.where(flips % 2 == 0, extra + low, span - extra + low)


def _source(grid: np.ndarray, extent: int, padding_mode: int, align_corners: bool) -> np.ndarray:
    """Pixel positions for coordinates in [-1, 1]."""
    if align_corners:
        place = (grid + 1) / 2 * (extent - 1)
    else:
        place = ((grid + 1) * extent - 1) / 2
    return _padded_place(place, extent, padding_mode, align_corners)


def _padded_place(
    place: np.ndarray, extent: int, padding_mode: int, align_corners: bool
) -> np.ndarray:
    if padding_mode == BORDER:
        return np.clip(place, 0, extent - 1)
    if padding_mode == REFLECTION:
        low, high = (0.0, extent - 1.0) if align_corners else (-0.5, extent - 0.5)
        return np.clip(_reflected(place, low, high), 0, extent - 1)
    return place


def _pixels(a: np.ndarray, y: np.ndarray, x: np.ndarray) -> np.ndarray:
    """``a[n, :, y, x]``, zero outside; (batch, channels, height, width)."""
    height, width = a.shape[2:]
    inside = (y >= 0) & (y < height) & (x >= 0) & (x < width)
    rows, columns = np.clip(y, 0, height - 1).astype(LONG), np.clip(x, 0, width - 1).astype(LONG)
    batch = np.arange(len(a))[:, None, None]
    found = np.moveaxis(a[batch, :, rows, columns], -1, 1)
    return found * inside[:, None]


@operator(
    "aten::grid_sampler(Tensor input, Tensor grid, int interpolation_mode, int padding_mode,"
    " bool align_corners) -> Tensor",
    "aten::grid_sampler_2d(Tensor input, Tensor grid, int interpolation_mode, int padding_mode,"
    " bool align_corners) -> Tensor",
)
def grid_sampler(
    input: Tensor, grid: Tensor, interpolation_mode: int, padding_mode: int, align_corners: bool
) -> Tensor:
    a, g = input.array, grid.array
    if a.ndim != 4 or g.ndim != 4 or g.shape[-1] != 2 or len(g) != len(a):
        raise ScriptError(
            "RuntimeError",
            "grid_sampler(): expected a 4D input and a 4D grid with a last dimension of 2 and the "
            f"same batch size, but got input with sizes {list(a.shape)} and grid with sizes "
            f"{list(g.shape)}",
        )
    height, width = a.shape[2:]
    if interpolation_mode == BICUBIC:
        y = _source(g[..., 1], height, ZEROS, align_corners)
        x = _source(g[..., 0], width, ZEROS, align_corners)
        return Tensor(_bicubic_samples(a, y, x, padding_mode, align_corners).astype(a.dtype))
    y = _source(g[..., 1], height, padding_mode, align_corners)
    x = _source(g[..., 0], width, padding_mode, align_corners)
    if interpolation_mode == NEAREST:
        return Tensor(_pixels(a, np.rint(y), np.rint(x)).astype(a.dtype))
    return Tensor(_bilinear_samples(a, y, x).astype(a.dtype))


def _bilinear_samples(a: np.ndarray, y: np.ndarray, x: np.ndarray) -> np.ndarray:
    top, left = np.floor(y), np.floor(x)
    down, right = (y - top)[:, None], (x - left)[:, None]
    return (
        _pixels(a, top, left) * (1 - down) * (1 - right)
        + _pixels(a, top, left + 1) * (1 - down) * right
        + _pixels(a, top + 1, left) * down * (1 - right)
        + _pixels(a, top + 1, left + 1) * down * right
    )


def _cubic_weights(t: np.ndarray) -> list[np.ndarray]:
    """The weights of four neighbours (Keys' convolution with A = -0.75)."""
    a = -0.75

    def near(x: np.ndarray) -> np.ndarray:
        return ((a + 2) * x - (a + 3)) * x * x + 1

    def far(x: np.ndarray) -> np.ndarray:
        return ((a * x - 5 * a) * x + 8 * a) * x - 4 * a

    return [far(t + 1), near(t), near(1 - t), far(2 - t)]


def _bicubic_samples(
    a: np.ndarray, y: np.ndarray, x: np.ndarray, padding_mode: int, align_corners: bool
) -> np.ndarray:
    top, left = np.floor(y), np.floor(x)
    height, width = a.shape[2:]
    result = np.zeros((len(a), a.shape[1], *y.shape[1:]), a.dtype)
    columns = _cubic_weights(x - left)
    for row, weight_y in enumerate(_cubic_weights(y - top)):
        place_y = _padded_place(top + row - 1, height, padding_mode, align_corners)
        for column, weight_x in enumerate(columns):
            place_x = _padded_place(left + column - 1, width, padding_mode, align_corners)
            pixels = _pixels(a, np.rint(place_y), np.rint(place_x))
            result += pixels * (weight_y * weight_x)[:, None]
    return result


@operator("aten::affine_grid_generator(Tensor theta, SymInt[] size, bool align_corners) -> Tensor")
def affine_grid_generator(theta: Tensor, size: list[int], align_corners: bool) -> Tensor:
    matrices = theta.array
    if len(size) not in (4, 5):
        message = "AffineGridGenerator needs 4d (spatial) or 5d (volumetric) inputs."
        raise ScriptError("RuntimeError", message)
    axes = [_base(extent, align_corners, matrices.dtype) for extent in size[2:]]
    grids = np.meshgrid(*axes, indexing="ij")[::-1]
    points = np.stack([*grids, np.ones(size[2:], matrices.dtype)], -1)
    spatial = len(size) - 2
    flat = points.reshape(1, -1, spatial + 1) @ matrices.swapaxes(1, 2)
    return Tensor(flat.reshape(len(matrices), *size[2:], spatial))


def _base(extent: int, align_corners: bool, dtype: np.dtype) -> np.ndarray:
    if extent <= 1:
        return np.zeros(extent, dtype)
    places = np.linspace(-1, 1, extent)
    return (places if align_corners else places * (extent - 1) / extent).astype(dtype)


def _bicubic(
    a: np.ndarray, sizes: Sequence[int], align_corners: bool, scales: Sequence[float | None]
) -> Tensor:
    _check(a, 2)
    result = a
    for axis, size, scale in zip((2, 3), sizes, scales):
        extent = a.shape[axis]
        position = np.arange(size)
        if align_corners:
            source = position * ((extent - 1) / (size - 1) if size > 1 else 0.0)
        else:
            source = (position + 0.5) * (1 / scale if scale else extent / size) - 0.5
        low = np.floor(source)
        total = 0
        shape = [-1 if k == axis else 1 for k in range(4)]
        for offset, weight in enumerate(_cubic_weights(source - low)):
            places = np.clip(low + offset - 1, 0, extent - 1).astype(LONG)
            total = total + np.take(result, places, axis) * weight.reshape(shape).astype(a.dtype)
        result = total
    return Tensor(result)


@operator(
    "aten::upsample_bicubic2d(Tensor self, SymInt[2] output_size, bool align_corners,"
    " float? scales_h=None, float? scales_w=None) -> Tensor"
)
def upsample_bicubic2d(
    self: Tensor,
    output_size: list[int],
    align_corners: bool,
    scales_h: float | None = None,
    scales_w: float | None = None,
) -> Tensor:
    return _bicubic(self.array, output_size, align_corners, (scales_h, scales_w))


@operator(
    "aten::upsample_bicubic2d.vec(Tensor input, SymInt[]? output_size, bool align_corners,"
    " float[]? scale_factors) -> Tensor"
)
def upsample_bicubic2d_vectors(
    input: Tensor,
    output_size: list[int] | None,
    align_corners: bool,
    scale_factors: list[float] | None,
) -> Tensor:
    sizes, scales = _sizes(input.array, 2, output_size, scale_factors)
    return _bicubic(input.array, sizes, align_corners, scales)


def _nearest_exact(a: np.ndarray, sizes: Sequence[int], scales: Sequence[float | None]) -> Tensor:
    lead = a.ndim - len(sizes)
    result = a
    for offset, (size, scale) in enumerate(zip(sizes, scales)):
        extent = a.shape[lead + offset]
        step = 1.0 / scale if scale else extent / size
        source = np.floor((np.arange(size) + 0.5) * step).astype(LONG)
        result = np.take(result, np.minimum(source, extent - 1), lead + offset)
    return Tensor(result)


def _declare_nearest_exact(spatial: int) -> None:
    def from_vectors(input: Tensor, output_size, scale_factors) -> Tensor:
        _check(input.array, spatial)
        sizes, scales = _sizes(input.array, spatial, output_size, scale_factors)
        return _nearest_exact(input.array, sizes, scales)

    def with_scales(self: Tensor, output_size, *scales) -> Tensor:
        _check(self.array, spatial)
        return _nearest_exact(self.array, output_size, scales)

    names = ("scales",) if spatial == 1 else ("scales_d", "scales_h", "scales_w")[-spatial:]
    options = ", ".join(f"float? {name}=None" for name in names)
    operator(
        f"aten::_upsample_nearest_exact{spatial}d(Tensor self, SymInt[{spatial}] output_size,"
        f" {options}) -> Tensor"
    )(with_scales)
    operator(
        f"aten::_upsample_nearest_exact{spatial}d.vec(Tensor input, SymInt[]? output_size,"
        " float[]? scale_factors) -> Tensor"
    )(from_vectors)


for _spatial in (1, 2, 3):
    _declare_nearest_exact(_spatial)
