"""Small convolutions in groups, by the kernels of large ones, or as products of the weights with windows side by side
where there are few; and maxima and averages of windows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Any, Final

import numpy as np

from tsc.compiler.ir import Node, Value
from tsc.compiler.types import ListType
from tsc.runtime.arrays.array import Array
from tsc.runtime.arrays.dtypes import DOUBLE, FLOAT
from tsc.runtime.context.native_hooks import window_steps
from tsc.runtime.native.code.conditions import vector_bytes
from tsc.runtime.native.expressions.instructions import NotLowered
from tsc.runtime.native.fusion.group_kernel import Apart, Kernel, Scratch, Source, source_of
from tsc.runtime.native.fusion.products import Product
from tsc.runtime.native.fusion.recorded_group import RecordedGroup
from tsc.runtime.native.fusion.window_text import averages_text, columns_text, maxima_text
from tsc.runtime.values.tensor import Tensor

CONVOLVING: Final = {"aten::conv1d": 1, "aten::conv2d": 2}
POOLING: Final = {
    "aten::max_pool1d": 1,
    "aten::max_pool2d": 2,
    "aten::avg_pool1d": 1,
    "aten::avg_pool2d": 2,
}
"""By kinds of nodes: the axes of an image."""
_MOST_MULTIPLICATIONS: Final = 1 << 22
"""Of a convolution by a product in a group: those that take longer may be shared out to threads."""
_MOST_ELEMENTS: Final = 1 << 18
"""Of the result and the images of a convolution in a group: it keeps both while its code is made."""
_MANY_PLACES: Final = 1 << 12
"""Of pooling, from which on the kernels of large windows are worth their code."""


@dataclass(frozen=True, slots=True)
class _Windows:
    """How windows lie in images: extents, steps, padding and dilation, by row and column."""

    extents: Sequence[int]
    steps: Sequence[int]
    padding: Sequence[int]
    dilation: Sequence[int]

    def layout(self, images: Array, places: Sequence[int]) -> list[int]:
        """As kernels take it; `images` have axes for stack, channel, row and column."""
        stack, channels, *sizes = images.shape
        return [
            *(stack, channels, *self.extents, *places, *sizes),
            *(*self.steps, *self.padding, *self.dilation, *images.strides),
        ]


def is_convolution(node: Node) -> bool:
    """Whether a node is one whose padding is told in numbers."""
    return all(isinstance(each.type, ListType) for each in node.inputs[3:6])


def convolved(node: Node, group: RecordedGroup) -> list[Value]:
    """The tensors that a convolution reads: images, weights and bias, if there is one."""
    return [each for each in node.inputs[:3] if isinstance(group.value(each), Tensor)]


def convolution_kernels(node: Node, group: RecordedGroup) -> list[Kernel]:
    """Of a convolution of a batch. Raises NotLowered."""
    axes = CONVOLVING[node.kind]
    result, weight = _arrays(group, _written_and_read(node, group))[:2]
    images = group.array(node.inputs[0])
    if images.ndim < axes + 2 or not images.size:
        raise NotLowered
    fills_vectors = prod(result.shape[2:]) * result.itemsize >= vector_bytes()
    is_much = result.size * prod(weight.shape[1:]) > _MOST_MULTIPLICATIONS
    if fills_vectors and images.dtype == result.dtype:
        if is_much and (len(images) > 1 or max(result.size, images.size) > _MOST_ELEMENTS):
            raise NotLowered
        return _windows_kernels(node, group)
    if is_much:
        raise NotLowered
    return _product_kernels(node, group)


def _windows_kernels(node: Node, group: RecordedGroup) -> list[Kernel]:
    """Those of large convolutions, which read windows where they lie, or in copies of planes."""
    axes = CONVOLVING[node.kind]
    images, weight, *bias = convolved(node, group)
    a, w, made = (group.array(each) for each in (images, weight, node.output))
    settings = [_by_axis(group.value(each), axes) for each in node.inputs[3:6]]
    groups = group.value(node.inputs[6])
    step = window_steps().convolution_step(a, w, made, settings, groups, has_bias=bool(bias))
    read = [images, weight, *(bias or [weight])]
    result, *others = (source_of(group, each, group.array(each)) for each in (node.output, *read))
    return _kernels_of_step(step, result, others, made.size)


def _kernels_of_step(
    step: Any, result: Source, read: Sequence[Source], elements: int
) -> list[Kernel]:
    """A kernel, and one before it that copies planes where threads share one image."""
    copied, compute = Source(Scratch(step.scratch), 0), step.compute
    kernels: list[Kernel] = []
    if step.copy is not None:
        copy, ends = step.copy, (copied, read[0])
        kernels.append(Kernel(copy.name, step.text, step.layout, copy.extent, ends, 1, copy.work))
    apart = None if step.apart is None else Apart(step.apart, step.scratch)
    kernels.append(
        Kernel(
            compute.name,
            step.text,
            step.layout,
            compute.extent,
            (result, copied, *read),
            1 if kernels else 2,
            elements,
            work=compute.work,
            apart=apart,
        )
    )
    return kernels


def _product_kernels(node: Node, group: RecordedGroup) -> list[Kernel]:
    """Windows side by side, then products. Raises NotLowered."""
    axes = CONVOLVING[node.kind]
    result, weight, *bias = (group.array(each) for each in _written_and_read(node, group))
    images = group.array(node.inputs[0])
    images, result, weight = (_with_rows(each, axes) for each in (images, result, weight))
    stack = images.shape[0]
    groups, places = group.value(node.inputs[6]), prod(result.shape[2:])
    terms = prod(weight.shape[1:])
    numbers = [_by_axis(group.value(each), axes) for each in node.inputs[3:6]]
    windows = _Windows(weight.shape[2:], *_with_neutral_row(numbers))
    columns = np.empty((stack, groups, terms, places), result.dtype)
    matrices = [
        result.reshape(stack, groups, -1, places),
        np.broadcast_to(
            weight.reshape(groups, -1, terms), (stack, groups, result.shape[1] // groups, terms)
        ),
        columns,
        *(
            np.broadcast_to(
                each.reshape(groups, -1, 1), (stack, groups, each.size // groups, places)
            )
            for each in bias
        ),
    ]
    layout = windows.layout(images, result.shape[2:])
    scratch = Source(Scratch(columns.nbytes), 0)
    target, *others = (
        source_of(group, each, group.array(each)) for each in _written_and_read(node, group)
    )
    read = source_of(group, node.inputs[0], images)
    product = Product(tuple(matrices))
    sources = (target, others[0], scratch, *others[1:])
    return [
        Kernel(
            "windows", columns_text(result.dtype), layout, stack, (scratch, read), 1, columns.size
        ),
        product.kernel(sources),
    ]


def _written_and_read(node: Node, group: RecordedGroup) -> list[Value]:
    """The result of a convolution, its weights, and the bias, if there is one."""
    return [node.output, *convolved(node, group)[1:]]


def _arrays(group: RecordedGroup, values: Sequence[Value]) -> list[Array]:
    """Of values that are contiguous and of one floating dtype. Raises NotLowered."""
    arrays = [group.array(each) for each in values]
    if any(not each.flags.c_contiguous or each.dtype != arrays[0].dtype for each in arrays):
        raise NotLowered
    if arrays[0].dtype not in (FLOAT, DOUBLE):
        raise NotLowered
    return arrays


def pooled(node: Node, _group: RecordedGroup) -> list[Value]:
    """The tensor of images that is pooled."""
    return [node.inputs[0]]


def pooling_kernels(node: Node, group: RecordedGroup) -> list[Kernel]:
    """Of a pooling by maxima or averages. Raises NotLowered."""
    axes = POOLING[node.kind]
    result, images = *_arrays(group, [node.output]), group.array(node.inputs[0])
    if images.ndim <= axes or not images.size or images.dtype != result.dtype:
        raise NotLowered
    if images.ndim == axes + 1:
        images, result = images[np.newaxis], result[np.newaxis]
    averages = "avg" in node.kind
    window, steps, *others = (_by_axis(group.value(each), axes) for each in _settings(node))
    if averages:
        _check_counts(node, group, others[0])
        others.append([1] * axes)
    if result.size >= _MANY_PLACES:
        settings = [window, steps or window, *others]
        step = window_steps().pooling_step(images, result, settings, averages=averages)
        read = source_of(group, node.inputs[0], images)
        made = source_of(group, node.output, result)
        return _kernels_of_step(step, made, [read] * 3, result.size)
    images, result = (_with_rows(each, axes) for each in (images, result))
    extents, *numbers = _with_neutral_row([window, steps or window, *others], of_window=1)
    layout = _Windows(extents, *numbers).layout(images, result.shape[2:])
    sources = (source_of(group, node.output, result), source_of(group, node.inputs[0], images))
    text = averages_text(result.dtype) if averages else maxima_text(result.dtype)
    return [Kernel("windows", text, layout, images.shape[0], sources, 1, result.size)]


def _settings(node: Node) -> Sequence[Value]:
    """Windows, steps and padding, and dilation, if there may be one."""
    return node.inputs[1 : 4 if "avg" in node.kind else 5]


def _check_counts(node: Node, group: RecordedGroup, padding: Sequence[int]) -> None:
    """Raises NotLowered for averages of other numbers of elements than windows have."""
    goes_beyond, counts_padding, *divisor = (group.value(each) for each in node.inputs[4:])
    if goes_beyond or (any(padding) and not counts_padding) or any(divisor):
        raise NotLowered


def is_pooling(node: Node) -> bool:
    """Whether a node has all settings of one."""
    return len(node.inputs) in (6, 7)


def _with_rows(array: Array, axes: int) -> Array:
    """Images of one axis as such of a single row."""
    return array[..., np.newaxis, :] if axes == 1 else array


def _by_axis(numbers: Sequence[int], axes: int) -> list[int]:
    """A single number stands for all axes; none stay none."""
    return list(numbers) * axes if len(numbers) == 1 else list(numbers)


def _with_neutral_row(settings: Sequence[list[int]], of_window: int = 0) -> list[list[int]]:
    """Steps, padding and dilation (after so many extents) of rows and columns, where there may be only columns."""
    neutral = [1] * of_window + [1, 0, 1]
    return [[row, *each] if len(each) == 1 else each for row, each in zip(neutral, settings)]
