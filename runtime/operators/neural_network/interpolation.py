"""``interpolate`` and its older names as operators, as old archives call them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tsc.runtime.context.errors import ScriptError
from tsc.runtime.operators.derived_schemas import declared
from tsc.runtime.operators.neural_network.adaptive_pooling import adaptive_average
from tsc.runtime.operators.registration import operator
from tsc.runtime.operators.variants import kernel_of
from tsc.runtime.values.tensor import Tensor

_OPERATORS = {
    "nearest": {n: f"upsample_nearest{n}d" for n in (1, 2, 3)},
    "nearest-exact": {n: f"_upsample_nearest_exact{n}d" for n in (1, 2, 3)},
    "linear": {1: "upsample_linear1d"},
    "bilinear": {2: "upsample_bilinear2d"},
    "trilinear": {3: "upsample_trilinear3d"},
    "bicubic": {2: "upsample_bicubic2d"},
}
_FILTERED = {"bilinear": "_upsample_bilinear2d_aa", "bicubic": "_upsample_bicubic2d_aa"}


def _resize_of(mode: str, spatial: int, antialias: bool) -> Callable[..., Tensor]:
    name = _OPERATORS.get(mode, {}).get(spatial)
    if antialias and spatial == 2:
        name = _FILTERED.get(mode)
    if name is None:
        raise ScriptError(
            "NotImplementedError",
            f"interpolation mode '{mode}' of a {spatial + 2}-dimensional input is not supported",
        )
    return kernel_of(declared(name))


def interpolate(
    input: Tensor,
    size: int | list[int] | None = None,
    scale_factor: float | list[float] | list[int] | None = None,
    mode: str = "nearest",
    align_corners: bool | None = None,
    recompute_scale_factor: bool | None = None,
    antialias: bool = False,
) -> Tensor:
    """One size (or factor) stands for that of every dimension.

    Unlike the function of that name, the operator computes scales anew unless told not to.
    """
    extents = input.array.shape[2:]
    spatial = len(extents)
    scales: list[float | None] = [None] * spatial
    if size is not None and scale_factor is None:
        sizes = [size] * spatial if isinstance(size, int) else size
    elif scale_factor is not None and size is None:
        factors = scale_factor if isinstance(scale_factor, list) else [scale_factor] * spatial
        sizes = [int(np.floor(n * f)) for n, f in zip(extents, factors)]
        if recompute_scale_factor is False:
            scales = [float(f) for f in factors]
    else:
        which = "either" if size is None else "only one of"
        raise ScriptError("ValueError", f"{which} size or scale_factor should be defined")
    if mode == "area":
        return Tensor(adaptive_average(input.array, sizes))
    resize = _resize_of(mode, spatial, antialias)
    if mode.startswith("nearest"):
        return resize(input, sizes, *scales)
    return resize(input, sizes, bool(align_corners), *scales)


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

_MODE = 'str mode="nearest", bool? align_corners=None'


@operator(
    f"aten::__upsample(Tensor input, int? size=None, int? scale_factor=None, {_MODE}) -> Tensor",
    f"aten::__upsample.size_list(Tensor input, int[]? size=None, int? scale_factor=None, {_MODE})"
    " -> Tensor",
)
def upsample(
    input: Tensor,
    size: int | list[int] | None = None,
    scale_factor: int | None = None,
    mode: str = "nearest",
    align_corners: bool | None = None,
) -> Tensor:
    return interpolate(input, size, scale_factor, mode, align_corners)


@operator(
    "aten::__upsample_nearest(Tensor input, int? size=None, int? scale_factor=None) -> Tensor",
    "aten::__upsample_nearest.size_list(Tensor input, int[]? size=None, int? scale_factor=None)"
    " -> Tensor",
)
def upsample_nearest(
    input: Tensor, size: int | list[int] | None = None, scale_factor: int | None = None
) -> Tensor:
    return interpolate(input, size, scale_factor, "nearest")


@operator(
    "aten::__upsample_bilinear(Tensor input, int? size=None, int? scale_factor=None) -> Tensor",
    "aten::__upsample_bilinear.size_list(Tensor input, int[]? size=None, int? scale_factor=None)"
    " -> Tensor",
    "aten::__upsample_bilinear.scale_list(Tensor input, int? size=None, int[]? scale_factor=None)"
    " -> Tensor",
    "aten::__upsample_bilinear.size_list_scale_list(Tensor input, int[]? size=None,"
    " int[]? scale_factor=None) -> Tensor",
)
def upsample_bilinear(
    input: Tensor,
    size: int | list[int] | None = None,
    scale_factor: int | list[int] | None = None,
) -> Tensor:
    return interpolate(input, size, scale_factor, "bilinear", True)
