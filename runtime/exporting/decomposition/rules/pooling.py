"""Pooling, padding, and the windows of images."""

from __future__ import annotations

from typing import Any

from tsc.runtime.exporting.decomposition.calls import Calls
from tsc.runtime.exporting.decomposition.rules.forms import CPU, INT64, copied, counted, full
from tsc.runtime.exporting.decomposition.table import decomposes


@decomposes("max_pool2d")
def max_pool2d(call: Calls, *values: Any) -> Any:
    return call("max_pool2d_with_indices", *values)[0]


@decomposes("max_pool3d")
def max_pool3d(call: Calls, *values: Any) -> Any:
    return call("max_pool3d_with_indices", *values)[0]


@decomposes("max_pool1d")
def max_pool1d(
    call: Calls,
    x: Any,
    size: list[int],
    stride: list[int],
    pad: list[int],
    dilation: list[int],
    ceil: bool,
) -> Any:
    return _max_pool1d(call, x, size, stride, pad, dilation, ceil)[0]


@decomposes("max_pool1d_with_indices")
def max_pool1d_with_indices(
    call: Calls,
    x: Any,
    size: list[int],
    stride: list[int],
    pad: list[int],
    dilation: list[int],
    ceil: bool,
) -> Any:
    return _max_pool1d(call, x, size, stride, pad, dilation, ceil)


def _max_pool1d(
    call: Calls,
    x: Any,
    size: list[int],
    stride: list[int],
    pad: list[int],
    dilation: list[int],
    ceil: bool,
) -> Any:
    """Of images that are one row high."""
    rows = call("unsqueeze", x, -2)
    given = ([1, *size], [1, *(stride or size)], [0, *pad], [1, *dilation], ceil)
    values, indices = call("max_pool2d_with_indices", rows, *given)
    return call("squeeze.dim", values, -2), call("squeeze.dim", indices, -2)


@decomposes("avg_pool1d")
def avg_pool1d(
    call: Calls,
    x: Any,
    size: list[int],
    stride: list[int],
    pad: list[int],
    ceil: bool,
    counts: bool,
) -> Any:
    rows = call("unsqueeze", x, -2)
    found = call("avg_pool2d", rows, [1, *size], [1, *(stride or size)], [0, *pad], ceil, counts)
    return call("squeeze.dim", found, -2)


@decomposes("adaptive_avg_pool1d")
def adaptive_avg_pool1d(call: Calls, x: Any, size: list[int]) -> Any:
    found = call("adaptive_avg_pool2d", call("unsqueeze", x, -2), [1, *size])
    return call("squeeze.dim", found, -2)


@decomposes("adaptive_avg_pool2d")
def adaptive_avg_pool2d(call: Calls, x: Any, size: list[Any]) -> Any:
    if list(size) == [1, 1]:
        return call("mean.dim", x, [-1, -2], True)
    return call("_adaptive_avg_pool2d", x, size)


@decomposes("adaptive_avg_pool3d")
def adaptive_avg_pool3d(call: Calls, x: Any, size: list[Any]) -> Any:
    if list(size) == [1, 1, 1]:
        return call("mean.dim", x, [-1, -2, -3], True)
    return call("_adaptive_avg_pool3d", x, size)


@decomposes("adaptive_max_pool1d")
def adaptive_max_pool1d(call: Calls, x: Any, size: list[int]) -> Any:
    values, indices = call("adaptive_max_pool2d", call("unsqueeze", x, -2), [1, *size])
    return call("squeeze.dim", values, -2), call("squeeze.dim", indices, -2)


@decomposes("max_unpool2d")
def max_unpool2d(call: Calls, x: Any, indices: Any, size: list[int]) -> Any:
    return _unpooled(call, x, indices, size)


@decomposes("max_unpool3d")
def max_unpool3d(
    call: Calls, x: Any, indices: Any, size: list[int], stride: Any, padding: Any
) -> Any:
    return _unpooled(call, x, indices, size)


def _unpooled(call: Calls, x: Any, indices: Any, size: list[int]) -> Any:
    """Each value goes to its place in an image of zeros."""
    count, area = len(size), 1
    for each in size:
        area *= each
    outer = x.sizes[:-count]
    planes = 1
    for each in outer:
        planes = planes * each
    starts = call("view", counted(call, 0, planes), [*outer, *([1] * count)])
    places = call("add.Tensor", indices, call("mul.Tensor", starts, area))
    flat = call("view", places, [-1])
    whole = call("view", full(call, [*outer, *size], 0, x.code), [-1])
    found = call("index_put", whole, [flat], call("reshape", x, [-1]))
    return call("view", found, [*outer, *size])


# -- Padding -------------------------------------------------------------------------------------


@decomposes("pad")
def pad(call: Calls, x: Any, pads: list[Any], mode: str, value: float | None) -> Any:
    if mode == "constant":
        return call("constant_pad_nd", x, pads, 0.0 if value is None else value)
    name = {"reflect": "reflection", "replicate": "replication"}.get(mode)
    if name is None:
        return _circular(call, x, pads)
    return call(f"{name}_pad{len(pads) // 2}d", x, pads)


def _circular(call: Calls, x: Any, pads: list[Any]) -> Any:
    """The tensor in the middle of a larger one, whose borders are copied from the other side."""
    count, sizes = len(pads) // 2, x.sizes
    wide = list(sizes)
    for place in range(count):
        wide[-1 - place] = sizes[-1 - place] + pads[2 * place] + pads[2 * place + 1]
    found = call("new_empty", x, wide)
    inner, source = found, x
    for place in range(count):
        dim, left, right = x.dim - 1 - place, pads[2 * place], pads[2 * place + 1]
        inner = call("slice.Tensor", inner, dim, max(left, 0), wide[dim] - max(right, 0), 1)
        source = call("slice.Tensor", source, dim, max(-left, 0), sizes[dim] - max(-right, 0), 1)
    call("copy_", inner, source)
    for place in range(count):
        dim, left, right = x.dim - 1 - place, pads[2 * place], pads[2 * place + 1]
        whole = wide[dim]
        if left > 0:
            border = call("slice.Tensor", found, dim, 0, left, 1)
            other = call(
                "slice.Tensor", found, dim, whole - left - max(right, 0), whole - max(right, 0), 1
            )
            call("copy_", border, other)
        if right > 0:
            border = call("slice.Tensor", found, dim, whole - right, whole, 1)
            other = call("slice.Tensor", found, dim, max(left, 0), max(left, 0) + right, 1)
            call("copy_", border, other)
    return found


@decomposes("reflection_pad1d", "reflection_pad2d", "reflection_pad3d")
def reflection_pad(call: Calls, x: Any, pads: list[Any]) -> Any:
    def places(left: Any, size: Any, right: Any) -> Any:
        counts, last = counted(call, -left, size + right), size - 1
        inner = call("sub.Tensor", last, call("abs", counts))
        return call("sub.Tensor", last, call("abs", inner))

    return _indexed(call, x, pads, places)


@decomposes("replication_pad1d", "replication_pad2d", "replication_pad3d")
def replication_pad(call: Calls, x: Any, pads: list[Any]) -> Any:
    def places(left: Any, size: Any, right: Any) -> Any:
        return call("clamp", counted(call, -left, size + right), 0, size - 1)

    return _indexed(call, x, pads, places)


def _indexed(call: Calls, x: Any, pads: list[Any], places: Any) -> Any:
    """Dimension by dimension, from the outermost one that is padded."""
    count = len(pads) // 2
    for step in range(count):
        dim = x.dim - count + step
        left, right = pads[2 * (count - 1 - step)], pads[2 * (count - 1 - step) + 1]
        index: list[Any] = [None] * x.dim
        index[dim] = places(left, x.sizes[dim], right)
        x = call("index.Tensor", x, index)
    return x


# -- Windows -------------------------------------------------------------------------------------


def _windows(call: Calls, size: Any, kernel: int, dilation: int, padding: int, stride: int) -> Any:
    """The place of each element of each window along one dimension."""
    options = {"dtype": INT64, "device": CPU, "pin_memory": False}
    end = size + padding * 2 - dilation * (kernel - 1)
    starts = call("unsqueeze", call("arange.start_step", 0, end, stride, **options), 0)
    steps = call("arange.start_step", 0, kernel * dilation, dilation, **options)
    return call("add.Tensor", starts, call("unsqueeze", steps, -1))


@decomposes("im2col")
def im2col(
    call: Calls, x: Any, size: list[int], dilation: list[int], padding: list[int], stride: list[int]
) -> Any:
    batched = x.dim == 4
    images = x if batched else call("unsqueeze", x, 0)
    batch, channels, height, width = images.sizes
    rows = _windows(call, height, size[0], dilation[0], padding[0], stride[0])
    columns = _windows(call, width, size[1], dilation[1], padding[1], stride[1])
    pads = [padding[1], padding[1], padding[0], padding[0]]
    padded = call("constant_pad_nd", images, pads, 0.0)
    down = call("unsqueeze", call("unsqueeze", rows, -1), -1)
    found = call("index.Tensor", padded, [None, None, down, columns])
    turned = copied(call, call("permute", found, [0, 1, 2, 4, 3, 5]))
    count = rows.sizes[1] * columns.sizes[1]
    made = call("view", turned, [batch, channels * size[0] * size[1], count])
    return made if batched else call("squeeze.dim", made, 0)


@decomposes("col2im")
def col2im(
    call: Calls,
    x: Any,
    output: list[int],
    size: list[int],
    dilation: list[int],
    padding: list[int],
    stride: list[int],
) -> Any:
    batched = x.dim == 3
    columns = x if batched else call("unsqueeze", x, 0)
    batch, rows_of_kernel = columns.sizes[0], columns.sizes[1]
    channels = rows_of_kernel // (size[0] * size[1])
    counts = [
        1 + (out + 2 * p - d * (k - 1) - 1) // s
        for out, p, d, k, s in zip(output, padding, dilation, size, stride)
    ]
    whole = call("reshape", columns, [batch, channels, *size, *counts])
    turned = call("permute", whole, [0, 1, 2, 4, 3, 5])
    down = _windows(call, output[0], size[0], dilation[0], padding[0], stride[0])
    down = call("unsqueeze", call("unsqueeze", down, -1), -1)
    across = _windows(call, output[1], size[1], dilation[1], padding[1], stride[1])
    padded = [out + 2 * p for out, p in zip(output, padding)]
    empty = full(call, [batch, channels, *padded], 0, x.code)
    found = call("index_put", empty, [None, None, down, across], turned, True)
    pads = [-padding[1], -padding[1], -padding[0], -padding[0]]
    made = call("constant_pad_nd", found, pads, 0.0)
    return made if batched else call("squeeze.dim", made, 0)
