"""Sampling images at given places, and the grids of places that affine maps give."""

from __future__ import annotations

import numpy as np

from tsc.runtime.arrays.dimensions import wrap_dimension
from tsc.runtime.arrays.dtypes import CATEGORY, FLOATING, scalar_name
from tsc.runtime.arrays.half_precision import narrowed, widened
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.numerics.neural.grid_sampling import (
    ZEROS,
    Images,
    cubic_samples,
    inside,
    linear_samples,
    nearest_samples,
    pixel_position,
)
from tsc.runtime.operators.elementwise import not_implemented
from tsc.runtime.operators.out_variants import SAME, out_forms
from tsc.runtime.operators.registration import operator
from tsc.runtime.values.tensor import Tensor

BILINEAR, NEAREST, BICUBIC = range(3)
_BLOCK = 1 << 15
"""Small images are sampled together, up to that many values: a call costs as much as thousands of them."""


def _refuse(message: str) -> None:
    raise ScriptError("RuntimeError", "grid_sampler(): " + message)


def _check(a: np.ndarray, grid: np.ndarray, interpolation_mode: int) -> None:
    sizes = f"input with sizes {list(a.shape)} and grid with sizes {list(grid.shape)}"
    if a.ndim == 0 or grid.ndim == 0:
        _refuse(f"Dimension specified as 0 but tensor has no dimensions: {sizes}")
    if len(a) != len(grid):
        _refuse(f"expected grid and input to have same batch size: {sizes}")
    if grid.ndim and grid.shape[-1] != a.ndim - 2:
        _refuse(
            f"expected grid to have size {a.ndim - 2} in last dimension, but got grid with sizes "
            f"{list(grid.shape)}"
        )
    for axis in range(2, a.ndim):
        if a.shape[axis] == 0:
            _refuse(
                "expected input to have non-empty spatial dimensions: dimension "
                f"{axis} of {list(a.shape)} is empty"
            )
    if a.ndim not in (4, 5) or a.ndim != grid.ndim:
        expected = "4D or 5D" if a.ndim not in (4, 5) else f"{a.ndim}D"
        _refuse(f"expected {expected} input and grid with same number of dimensions: {sizes}")
    if a.ndim == 5 and interpolation_mode == BICUBIC:
        _refuse("bicubic interpolation only supports 4D input")
    if a.dtype is not grid.dtype:
        found = scalar_name(grid.dtype)
        message = f"expected scalar type {scalar_name(a.dtype)} but found {found}"
        raise ScriptError("RuntimeError", message)
    if CATEGORY[a.dtype] != FLOATING:
        raise not_implemented(f"grid_sampler_{a.ndim - 2}d_cpu_kernel_impl", a.dtype)


def _samples(
    a: np.ndarray, points: np.ndarray, mode: int, padding: int, align_corners: bool
) -> np.ndarray:
    """(batch, channels, *extents) at `points`, (batch, number, dimensions): (batch, number, channels)."""
    images = Images(a, framed=padding == ZEROS)
    coordinates = np.moveaxis(points, -1, 0)[::-1]
    positions = [
        pixel_position(coordinate, extent, align_corners)
        for coordinate, extent in zip(coordinates, images.extents)
    ]
    if mode == BICUBIC:
        return cubic_samples(images, positions, padding, align_corners)
    positions = [
        inside(position, extent, padding, align_corners)
        for position, extent in zip(positions, images.extents)
    ]
    return (nearest_samples if mode == NEAREST else linear_samples)(images, positions)


_ARGUMENTS = (
    "Tensor input, Tensor grid, int interpolation_mode, int padding_mode, bool align_corners"
)


@operator(
    f"aten::grid_sampler({_ARGUMENTS}) -> Tensor",
    f"aten::grid_sampler_2d({_ARGUMENTS}) -> Tensor",
    f"aten::grid_sampler_3d({_ARGUMENTS}) -> Tensor",
    f"aten::_grid_sampler_2d_cpu_fallback({_ARGUMENTS}) -> Tensor",
)
def grid_sampler(
    input: Tensor, grid: Tensor, interpolation_mode: int, padding_mode: int, align_corners: bool
) -> Tensor:
    a, g = input.array, grid.array
    _check(a, g, interpolation_mode)
    batch, channels = a.shape[:2]
    spatial = a.ndim - 2
    x, points = widened(a), widened(g).reshape(batch, -1, spatial) if g.size else None
    result = np.empty((batch, channels, *g.shape[1:-1]), x.dtype)
    if result.size and points is not None:
        flat = result.reshape(batch, channels, -1)
        step = max(1, _BLOCK // (points.shape[1] * channels))
        for first in range(0, batch, step):
            block = slice(first, first + step)
            found = _samples(
                x[block], points[block], interpolation_mode, padding_mode, align_corners
            )
            flat[block] = found.swapaxes(1, 2)
    return Tensor(narrowed(result, a.dtype))


@operator("aten::affine_grid_generator(Tensor theta, SymInt[] size, bool align_corners) -> Tensor")
def affine_grid_generator(theta: Tensor, size: list[int], align_corners: bool) -> Tensor:
    matrices = theta.array
    if len(size) not in (4, 5):
        message = "AffineGridGenerator needs 4d (images) or 5d (volumes) sizes, not "
        message += f"{list(size)}"
        raise ScriptError("RuntimeError", message)
    spatial = len(size) - 2
    wrap_dimension(2, matrices.ndim)
    expected = [size[0], spatial + 1]
    found = [matrices.shape[0], matrices.shape[2]]
    if found != expected:
        raise ScriptError(
            "RuntimeError",
            f"first two dimensions of batch2 tensor: theta is {list(matrices.shape)}, where "
            f"[{expected[0]}, {spatial}, {expected[1]}] is wanted for the size {list(size)}",
        )
    x = widened(matrices)
    axes = [_base(extent, align_corners, matrices.dtype) for extent in size[2:]]
    grids = np.meshgrid(*axes, indexing="ij")[::-1]
    points = np.stack([*grids, np.ones(size[2:], matrices.dtype)], -1).reshape(-1, spatial + 1)
    flat = widened(points) @ x.swapaxes(1, 2)
    return Tensor(narrowed(flat.reshape(len(x), *size[2:], matrices.shape[1]), matrices.dtype))


def _base(extent: int, align_corners: bool, dtype: np.dtype) -> np.ndarray:
    """Coordinates of the pixels along one dimension."""
    if extent <= 1:
        return np.zeros(extent, dtype)
    places = np.linspace(-1, 1, extent)
    return (places if align_corners else places * (extent - 1) / extent).astype(dtype)


out_forms(
    SAME, "affine_grid_generator grid_sampler_2d _grid_sampler_2d_cpu_fallback grid_sampler_3d"
)
