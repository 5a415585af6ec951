"""Images of other sizes, and images that are read at other points."""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np
import onnx_ir as ir

from tsc.compiler.exir.refusals import ONNX_SIZE
from tsc.runtime.numerics.neural.resampling import filtered_taps, step_of
from tsc.runtime.onnx.calls import CONVERSIONS, Call, Convert, converts
from tsc.runtime.onnx.refusals import Refused

_NEAREST: Final[dict[str, Any]] = {
    "mode": "nearest", "coordinate_transformation_mode": "asymmetric", "nearest_mode": "floor",
}  # fmt: skip
_NEAREST_CENTRE: Final[dict[str, Any]] = {
    "mode": "nearest", "coordinate_transformation_mode": "half_pixel",
    "nearest_mode": "round_prefer_ceil",
}  # fmt: skip
_SMOOTH: Final = {
    "upsample_linear1d": ("linear", 1), "upsample_bilinear2d": ("linear", 2),
    "upsample_trilinear3d": ("linear", 3), "upsample_bicubic2d": ("cubic", 2),
}  # fmt: skip
_COMPUTED: Final = ("float32", "float16", "bfloat16", "uint8")


def _scales(call: Call, dims: int) -> list[float] | None:
    """The factors, where they are given and not the sizes."""
    if "scale_factors" in call.arguments:
        found = call.arguments["scale_factors"]
    else:
        names = ("scales",) if dims == 1 else ("scales_d", "scales_h", "scales_w")[3 - dims :]
        found = [call.arguments[name] for name in names]
    known = [float(str(each)) for each in found or () if each is not None]  # pyright: ignore[reportGeneralTypeIssues, reportUnknownVariableType, reportUnknownArgumentType]
    return known if len(known) == dims else None


def _resized(call: Call, dims: int, attributes: dict[str, Any]) -> ir.Value:
    """The factors decide where points lie, if they are given; the sizes otherwise."""
    if call.dtype not in _COMPUTED:
        raise Refused(f"ONNX Runtime resizes no {call.dtype}", "convert to float32 before")
    axes = list(range(2, 2 + dims))
    scales = _scales(call, dims)
    if scales is not None and attributes["coordinate_transformation_mode"] != "align_corners":
        _check_sizes(call, scales)
        if attributes["mode"] == "linear":
            scales = [_kept(call, place, each) for place, each in enumerate(scales, start=2)]
        factors = call.number(scales, "float32")
        return call.op("Resize", call.value(), None, factors, axes=axes, **attributes)
    sizes = call.arguments.get("output_size")
    wanted = call.list("output_size") if sizes is not None else list(call.result.size[2:])
    if not all(isinstance(each, int) for each in wanted) and sizes is None:
        raise Refused("the size of an image changes", "give the size that is wanted")
    counts = call.builder.sizes(wanted)
    return call.op("Resize", call.value(), None, None, counts, axes=axes, **attributes)


def _kept(call: Call, dim: int, scale: float) -> float:
    """PyTorch copies along a dimension whose size stays, whatever its factor."""
    is_same = call.known("self").size[dim] == call.result.size[dim]
    return 1.0 if is_same else scale


def _check_sizes(call: Call, scales: list[float]) -> None:
    """ONNX multiplies in 32 bits: refuse what this rounds to another size."""
    for dim, scale in enumerate(scales, start=2):
        size = call.known("self" if "self" in call.arguments else "input").size[dim]
        if isinstance(size, int) and int(size * scale) != math.floor(size * np.float32(scale)):
            raise Refused(f"a factor of {scale} is rounded in ONNX", "give the size that is wanted")


def _by_mode(dims: int, attributes: dict[str, Any]) -> Convert:
    def convert(call: Call) -> ir.Value:
        return _resized(_named(call), dims, attributes)

    return convert


def _smooth(mode: str, dims: int) -> Convert:
    def convert(call: Call) -> ir.Value:
        aligned = "align_corners" if call.constant("align_corners") else "half_pixel"
        attributes: dict[str, Any] = {"mode": mode, "coordinate_transformation_mode": aligned}
        if mode == "cubic":
            attributes["cubic_coeff_a"] = -0.75
        return _resized(_named(call), dims, attributes)

    return convert


def _filtered(mode: str) -> Convert:
    """Against aliasing: products with a matrix for each dimension, as ONNX Runtime's filters are others."""

    def convert(call: Call) -> ir.Value:
        call = _named(call)
        if call.dtype not in ("float32", "float64"):
            raise Refused(
                f"images of {call.dtype} are rounded otherwise", "convert to float32 before"
            )
        scales = _scales(call, 2) or [None, None]
        height, width = (_filter(call, mode, place, scales[place]) for place in (0, 1))
        turned = call.op("MatMul", call.value(), call.number(width.T))
        return call.op("MatMul", call.number(height), turned)

    return convert


def _filter(call: Call, mode: str, place: int, scale: float | None) -> np.ndarray:
    """The weights of the elements along a dimension, a row for each result."""
    extent, size = call.fixed_size(2 + place), call.result.size[2 + place]
    if not isinstance(size, int):
        raise Refused("the size of an image changes", refusal=ONNX_SIZE)
    if extent == size:
        return np.eye(extent)
    kind = np.dtype(call.dtype).type
    step = step_of(extent, size, bool(call.constant("align_corners")), scale, kind)
    taps, found = filtered_taps(extent, size, step, mode), np.zeros((size, extent))
    for places, weights in zip(taps.places, taps.weights):
        np.add.at(found, (np.arange(size), places), weights)
    return found


def _named(call: Call) -> Call:
    """The overloads with lists call the image `input`."""
    if "self" in call.arguments:
        return call
    return Call(call.node, {**call.arguments, "self": call.arguments["input"]}, call.builder)


for _overload in ("", ".vec"):
    for _dims in (1, 2, 3):
        CONVERSIONS[f"aten::upsample_nearest{_dims}d{_overload}"] = _by_mode(_dims, _NEAREST)
        _name = f"aten::_upsample_nearest_exact{_dims}d{_overload}"
        CONVERSIONS[_name] = _by_mode(_dims, _NEAREST_CENTRE)
    for _kind, (_mode, _dims) in _SMOOTH.items():
        CONVERSIONS[f"aten::{_kind}{_overload}"] = _smooth(_mode, _dims)
    for _kind in ("bilinear", "bicubic", "lanczos"):
        CONVERSIONS[f"aten::_upsample_{_kind}2d_aa{_overload}"] = _filtered(_kind)


# -- Points ----------------------------------------------------------------------------------------

_OPSET_OF_VOLUMES: Final = 20
_MODES: Final = (("linear", "bilinear"), ("nearest", "nearest"), ("cubic", "bicubic"))
"""By PyTorch's number: as later opsets call them, and as earlier ones do."""
_EDGES: Final = ("zeros", "border", "reflection")


@converts("aten::grid_sampler", "aten::grid_sampler_2d", "aten::grid_sampler_3d")
def grid_sample(call: Call) -> ir.Value:
    is_late = call.builder.opset >= _OPSET_OF_VOLUMES
    if call.rank("input") == 5 and not is_late:
        raise Refused("volumes are read at points since opset 20", "take a later opset")
    mode = _MODES[int(call.constant("interpolation_mode"))][0 if is_late else 1]
    edges = _EDGES[int(call.constant("padding_mode"))]
    aligned = int(bool(call.constant("align_corners")))
    given = [call.value("input"), call.value("grid")]
    return call.op("GridSample", *given, mode=mode, padding_mode=edges, align_corners=aligned)


# -- Channels and space ----------------------------------------------------------------------------


def _rearranged(
    call: Call, split: list[int], order: tuple[int, ...], joined: list[int]
) -> ir.Value:
    """The last dimensions are split, put in another order and joined; those before stay."""
    lead = call.rank() - 3
    kept = [0] * lead
    parts = call.op("Reshape", call.value(), call.ints([*kept, *split]))
    turned = call.op("Transpose", parts, perm=[*range(lead), *(lead + each for each in order)])
    return call.op("Reshape", turned, call.ints([*kept, *joined]))


@converts("aten::pixel_shuffle")
def pixel_shuffle(call: Call) -> ir.Value:
    r = int(call.constant("upscale_factor"))
    channels, height, width = (call.fixed_size(each) for each in (-3, -2, -1))
    split, joined = (
        [channels // r**2, r, r, height, width],
        [channels // r**2, height * r, width * r],
    )
    return _rearranged(call, split, (0, 3, 1, 4, 2), joined)


@converts("aten::pixel_unshuffle")
def pixel_unshuffle(call: Call) -> ir.Value:
    r = int(call.constant("downscale_factor"))
    channels, height, width = (call.fixed_size(each) for each in (-3, -2, -1))
    split = [channels, height // r, r, width // r, r]
    joined = [channels * r**2, height // r, width // r]
    return _rearranged(call, split, (0, 2, 4, 1, 3), joined)


@converts("aten::channel_shuffle", "aten::native_channel_shuffle")
def channel_shuffle(call: Call) -> ir.Value:
    groups, channels = int(call.constant("groups")), call.fixed_size(1)
    parts = call.op("Reshape", call.value(), call.ints([0, groups, channels // groups, -1]))
    turned = call.op("Transpose", parts, perm=[0, 2, 1, 3])
    return call.op("Reshape", turned, call.op("Shape", call.value()))
