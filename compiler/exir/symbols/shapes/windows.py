"""Convolutions, pooling and interpolation: sizes that windows leave."""

from __future__ import annotations

from typing import Any

from tsc.compiler.exir.symbols.arithmetic import compute
from tsc.compiler.exir.symbols.shapes.rules import Call, Size, Sizes, divided_up, listed, rule


def _each(value: Any, count: int, default: Any) -> list[Any]:
    """One number for every dimension of space, of a list or a number."""
    given = [each for each in listed(value) if each is not None] or [default]
    return given * count if len(given) == 1 else given


def _left(size: Size, window: Any, stride: Any, padding: Any, dilation: Any) -> Size:
    return (size + 2 * padding - dilation * (window - 1) - 1) // stride + 1


def _some(call: Call, size: Size) -> Size:
    """A size that is not 0: windows have to find a place."""
    call.environment.require(compute("operator.gt", size, 0))
    return size


@rule("conv1d", "conv2d", "conv3d")
def _convolution(call: Call) -> Sizes:
    sizes, weight = call.sizes("input"), call.sizes("weight")
    space = len(weight) - 2
    batch = sizes[: len(sizes) - space - 1]
    call.same(sizes[-space - 1], weight[1] * call.get("groups", 1))
    stride, dilation = _each(call.get("stride"), space, 1), _each(call.get("dilation"), space, 1)
    padding: Any = call.get("padding", 0)
    if padding == "same":
        return [*batch, weight[0], *sizes[-space:]]
    paddings = _each(0 if padding == "valid" else padding, space, 0)
    windows = zip(sizes[-space:], weight[2:], stride, paddings, dilation, strict=True)
    return [*batch, weight[0], *[_some(call, _left(*each)) for each in windows]]


@rule("convolution", "_convolution")
def _any_convolution(call: Call) -> Sizes:
    return _transposed(call) if call.get("transposed", False) else _convolution(call)


@rule("conv_transpose1d", "conv_transpose2d", "conv_transpose3d")
def _transposed(call: Call) -> Sizes:
    sizes, weight = call.sizes("input"), call.sizes("weight")
    space = len(weight) - 2
    batch = sizes[: len(sizes) - space - 1]
    names = (("stride", 1), ("padding", 0), ("output_padding", 0), ("dilation", 1))
    parts = [_each(call.get(name), space, default) for name, default in names]
    found = [
        (size - 1) * stride - 2 * padding + dilation * (window - 1) + more + 1
        for size, window, stride, padding, more, dilation in zip(
            sizes[-space:], weight[2:], *parts, strict=True
        )
    ]
    return [*batch, weight[1] * call.get("groups", 1), *[_some(call, each) for each in found]]


@rule(
    "max_pool1d", "max_pool2d", "max_pool3d", "avg_pool1d", "avg_pool2d", "avg_pool3d",
    "max_pool1d_with_indices", "max_pool2d_with_indices", "max_pool3d_with_indices", "lp_pool1d", "lp_pool2d",
)  # fmt: skip
def _pool(call: Call) -> Sizes:
    sizes = call.sizes("self")
    space = int(call.operator.split("pool")[1][0])
    window = _each(call.get("kernel_size"), space, 1)
    stride = _each(call.get("stride"), space, None)
    stride = window if None in stride else stride
    padding, dilation = _each(call.get("padding"), space, 0), _each(call.get("dilation"), space, 1)
    rounded_up = bool(call.get("ceil_mode", False))
    windows = zip(sizes[-space:], window, stride, padding, dilation, strict=True)
    return [*sizes[:-space], *[_some(call, _pooled(call, rounded_up, *e)) for e in windows]]


def _pooled(
    call: Call, up: bool, size: Size, window: int, stride: int, padding: int, dilation: int
) -> Size:
    if not up:
        return _left(size, window, stride, padding, dilation)
    found = divided_up(size + 2 * padding - dilation * (window - 1) - 1, stride) + 1
    inside = compute("operator.lt", (found - 1) * stride, size + padding)
    return found if call.environment.decide(inside) else found - 1


@rule(
    "adaptive_avg_pool1d", "adaptive_avg_pool2d", "adaptive_avg_pool3d", "_adaptive_avg_pool2d",
    "_adaptive_avg_pool3d", "adaptive_max_pool1d", "adaptive_max_pool2d", "adaptive_max_pool3d",
)  # fmt: skip
def _adaptive(call: Call) -> Sizes:
    sizes, wanted = call.sizes("self"), call.arguments["output_size"]
    space = int(call.operator.split("pool")[1][0])
    given = _each(wanted, space, None)
    ends = sizes[-space:]
    return [*sizes[:-space], *[end if one is None else one for end, one in zip(ends, given)]]


@rule(
    "upsample_nearest1d", "upsample_nearest2d", "upsample_nearest3d", "upsample_linear1d",
    "upsample_bilinear2d", "upsample_bicubic2d", "upsample_trilinear3d", "_upsample_nearest_exact1d",
    "_upsample_nearest_exact2d", "_upsample_nearest_exact3d",
)  # fmt: skip
def _upsampled(call: Call) -> Sizes:
    sizes = call.sizes("input" if "input" in call.arguments else "self")
    wanted: Any = call.get("output_size")
    if wanted is not None:
        return [*sizes[:2], *wanted]
    factors: Any = call.get("scale_factors")
    return [*sizes[:2], *[_scaled(size, one) for size, one in zip(sizes[2:], factors, strict=True)]]


def _scaled(size: Size, factor: float) -> Size:
    """Whole factors give products of integers, others are rounded toward zero."""
    if factor == int(factor):
        return size * int(factor)
    return compute(
        "torch.sym_int", compute("operator.mul", compute("torch.sym_float", size), factor)
    )


@rule("im2col")
def _columns(call: Call) -> Sizes:
    """A column for each place of the window."""
    sizes, window = call.sizes("self"), _each(call.get("kernel_size"), 2, 1)
    options = [
        _each(call.get(name), 2, default)
        for name, default in (("stride", 1), ("padding", 0), ("dilation", 1))
    ]
    places = zip(sizes[-2:], window, *options, strict=True)
    rows, columns = [_some(call, _left(*each)) for each in places]
    return [*sizes[:-3], sizes[-3] * window[0] * window[1], rows * columns]


@rule("col2im")
def _image(call: Call) -> Sizes:
    sizes, window = call.sizes("self"), _each(call.get("kernel_size"), 2, 1)
    return [*sizes[:-2], sizes[-2] // (window[0] * window[1]), *call.get("output_size")]


@rule("max_unpool2d", "max_unpool3d")
def _unpooled(call: Call) -> Sizes:
    wanted: Any = call.get("output_size")
    return [*call.sizes("self")[: -len(wanted)], *wanted]


@rule("pixel_shuffle")
def _pixel_shuffle(call: Call) -> Sizes:
    sizes, factor = call.sizes("self"), int(call.get("upscale_factor"))
    return [*sizes[:-3], sizes[-3] // factor**2, sizes[-2] * factor, sizes[-1] * factor]
