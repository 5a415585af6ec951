"""Pooling by windows: the largest element with its place, and averages. Images alone become batches of one."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import onnx_ir as ir

from tsc.runtime.onnx.calls import Call, converts
from tsc.runtime.onnx.element_types import is_floating
from tsc.runtime.onnx.refusals import Refused


@dataclass(frozen=True, slots=True)
class Windows:
    """How windows go over the last dimensions; `excess` is what a last window needs beyond the padding."""

    kernel: list[int]
    stride: list[int]
    padding: list[int]
    dilation: list[int]
    counts: list[int] | None
    excess: list[int]

    @classmethod
    def of(cls, call: Call, dims: int) -> Windows:
        kernel = call.pair("kernel_size", dims)
        stride = call.pair("stride", dims) if call.list("stride") else kernel
        padding = call.pair("padding", dims)
        dilation = call.pair("dilation", dims) if "dilation" in call.arguments else [1] * dims
        counts, excess = None, [0] * dims
        if call.constant("ceil_mode") and not changes(call, dims):
            counts = [call.fixed_size(place - dims, "self") for place in range(dims)]
            counts = list(map(_windows, counts, kernel, stride, padding, dilation))
            reach = [
                (n - 1) * s + d * (k - 1) + 1
                for n, s, d, k in zip(counts, stride, dilation, kernel)
            ]
            there = [call.fixed_size(place - dims) + 2 * padding[place] for place in range(dims)]
            excess = [max(a - b, 0) for a, b in zip(reach, there)]
        return cls(kernel, stride, padding, dilation, counts, excess)

    @property
    def pads(self) -> list[int]:
        """Starts, then ends, as ONNX has them."""
        return [*self.padding, *(a + b for a, b in zip(self.padding, self.excess))]


def _windows(size: int, kernel: int, stride: int, padding: int, dilation: int) -> int:
    """How many there are if the last one may go over the end: it begins within the image or the padding before it."""
    count = -(-(size + 2 * padding - dilation * (kernel - 1) - 1) // stride) + 1
    return count - 1 if (count - 1) * stride >= size + padding else count


def changes(call: Call, dims: int) -> bool:
    """Whether a size of the images is not known."""
    return not all(isinstance(each, int) for each in call.known("self").size[-dims:])


def in_batch(call: Call, dims: int) -> tuple[ir.Value, bool]:
    """The images with a dimension for the batch, and whether that was put there."""
    value, is_alone = call.value(), call.rank() == dims + 1
    return (call.op("Unsqueeze", value, call.ints([0])), True) if is_alone else (value, False)


def out_of_batch(call: Call, value: ir.Value, is_alone: bool) -> ir.Value:
    return call.op("Squeeze", value, call.ints([0])) if is_alone else value


def _largest(call: Call, dims: int, outputs: int) -> list[ir.Value]:
    windows = Windows.of(call, dims)
    if not is_floating(call.known("self").dtype.name):
        raise Refused("pooling of integers is not in ONNX Runtime", "convert to floats before")
    if any(pad >= size for pad, size in zip(windows.pads, windows.kernel * 2)):
        raise Refused("a window lies in the padding alone", "pad before, by less")
    images, is_alone = in_batch(call, dims)
    if call.constant("ceil_mode") and changes(call, dims):
        images = _lengthened(call, images, windows)
    found = call.builder.ops(
        *("MaxPool", outputs, images),
        kernel_shape=windows.kernel,
        strides=windows.stride,
        pads=windows.pads,
        dilations=windows.dilation,
    )
    if outputs == 2:
        found = [found[0], _in_plane(call, images, found[1], dims)]
    return [out_of_batch(call, each, is_alone) for each in found]


def _lengthened(call: Call, images: ir.Value, windows: Windows) -> ir.Value:
    """Images with as much behind their ends as the last windows need, which begin in them or in the padding before."""
    number, dims = call.ints, len(windows.kernel)
    size = call.op("Shape", images, start=-dims)
    padding, stride = number(windows.padding), number(windows.stride)
    reach = number([d * (k - 1) + 1 for d, k in zip(windows.dilation, windows.kernel)])
    beyond = call.op("Sub", call.op("Add", size, number([2 * e for e in windows.padding])), reach)
    rounded = call.op("Add", beyond, number([each - 1 for each in windows.stride]))
    steps = call.op("Div", rounded, stride)
    start = call.op("Mul", steps, stride)
    is_behind = call.op("GreaterOrEqual", start, call.op("Add", size, padding))
    start = call.op("Where", is_behind, call.op("Sub", start, stride), start)
    excess = call.op("Max", call.op("Sub", start, beyond), number([0] * dims))
    pads = call.op("Concat", number([0] * (dims + 4)), excess, axis=0)
    return call.op("Pad", images, pads, call.number(-math.inf, call.known("self").dtype.name))


def _in_plane(call: Call, images: ir.Value, places: ir.Value, dims: int) -> ir.Value:
    """Places in an image: those of ONNX are in the whole tensor that is pooled, which may be larger."""
    pooled, shape = (call.op("Shape", each, start=-dims) for each in (images, call.value()))
    rest = call.op("Mod", places, call.op("ReduceProd", pooled, keepdims=0))
    if images is call.value() or not changes(call, dims):
        return rest
    found = call.ints(0)
    for dim in range(dims):
        inner = call.op("Slice", pooled, call.ints([dim + 1]), call.ints([dims]))
        step = call.op("ReduceProd", inner, keepdims=0)
        own = call.op("Gather", shape, call.ints(dim), axis=0)
        found = call.op("Add", call.op("Mul", found, own), call.op("Div", rest, step))
        rest = call.op("Mod", rest, step)
    return found


def _register_largest(dims: int) -> None:
    @converts(f"aten::max_pool{dims}d")
    def alone(call: Call) -> ir.Value:  # pyright: ignore[reportUnusedFunction]
        return _largest(call, dims, 1)[0]

    @converts(f"aten::max_pool{dims}d_with_indices")
    def with_places(call: Call) -> list[ir.Value]:  # pyright: ignore[reportUnusedFunction]
        return _largest(call, dims, 2)


def _average(call: Call, dims: int) -> ir.Value:
    windows = Windows.of(call, dims)
    images, is_alone = in_batch(call, dims)
    divisor = call.arguments.get("divisor_override")
    includes = bool(call.constant("count_include_pad"))
    attributes = {"kernel_shape": windows.kernel, "strides": windows.stride}
    if divisor is None and not any(windows.excess):
        pads, counted = windows.pads, int(includes)
        result = call.op("AveragePool", images, pads=pads, count_include_pad=counted, **attributes)
        return out_of_batch(call, result, is_alone)
    pads = [0, 0, *windows.pads[:dims], 0, 0, *windows.pads[dims:]]
    padded = call.op("Pad", images, call.ints(pads))
    whole = math.prod(windows.kernel)
    factors = (
        np.array(whole / int(str(divisor)))
        if divisor is not None
        else whole / _elements(call, windows, includes)
    )
    averages = call.op("AveragePool", padded, **attributes)
    return out_of_batch(call, call.op("Mul", averages, call.number(factors)), is_alone)


def _elements(call: Call, windows: Windows, includes: bool) -> np.ndarray:
    """How many elements of each window are divided by: without what lies beyond the padding, or in it."""
    dims = len(windows.kernel)
    result = np.ones((), np.int64)
    for place in range(dims):
        size, pad = call.fixed_size(place - dims), windows.padding[place]
        first, last = (-pad, size + pad) if includes else (0, size)
        assert windows.counts is not None
        starts = np.arange(windows.counts[place]) * windows.stride[place] - pad
        ends = np.minimum(starts + windows.kernel[place], last)
        result = np.multiply.outer(result, ends - np.maximum(starts, first))
    return result


def _register_averages(dims: int) -> None:
    @converts(f"aten::avg_pool{dims}d")
    def average(call: Call) -> ir.Value:  # pyright: ignore[reportUnusedFunction]
        return _average(call, dims)


for _dims in (1, 2, 3):
    _register_largest(_dims)
    _register_averages(_dims)
