"""Pooling to a size that is asked for: windows of one size where it divides, products with matrices elsewhere."""

from __future__ import annotations

import numpy as np
import onnx_ir as ir

from tsc.runtime.onnx.calls import CONVERSIONS, Call, Convert
from tsc.runtime.onnx.operators.pooling import in_batch, out_of_batch


def _sizes(call: Call, dims: int) -> tuple[list[int], list[int]]:
    """What there is and what is asked for."""
    there = [call.fixed_size(place - dims) for place in range(dims)]
    wanted = call.pair("output_size", dims)
    return there, [b if b is not None else a for a, b in zip(there, wanted)]  # pyright: ignore[reportUnnecessaryComparison]


def _average(dims: int) -> Convert:
    def convert(call: Call) -> ir.Value:
        if call.pair("output_size", dims) == [1] * dims:
            if call.rank() == dims + 2 and call.dtype == "float32":
                return call.op("GlobalAveragePool", call.value())
            return call.op("ReduceMean", call.value(), call.ints(list(range(-dims, 0))), keepdims=1)
        there, wanted = _sizes(call, dims)
        if any(a % b for a, b in zip(there, wanted)):
            return _by_matrices(call, there, wanted)
        images, is_alone = in_batch(call, dims)
        kernel = [a // b for a, b in zip(there, wanted)]
        result = call.op("AveragePool", images, kernel_shape=kernel, strides=kernel)
        return out_of_batch(call, result, is_alone)

    return convert


def _by_matrices(call: Call, there: list[int], wanted: list[int]) -> ir.Value:
    """Each dimension in turn is brought to the end, and multiplied by what takes averages of it."""
    value, rank = call.value(), call.rank()
    for place, (size, count) in enumerate(zip(there, wanted)):
        dim = rank - len(there) + place
        order = list(range(rank))
        order[dim], order[-1] = order[-1], order[dim]
        turned = call.op("Transpose", value, perm=order)
        product = call.op("MatMul", turned, call.number(_averaging(size, count)))
        value = call.op("Transpose", product, perm=order)
    return value


def _averaging(size: int, count: int) -> np.ndarray:
    """A column for each average: over the elements from ⌊i·size/count⌋ to ⌈(i+1)·size/count⌉."""
    columns = np.arange(count)
    starts, ends = columns * size // count, -(-(columns + 1) * size // count)
    rows = np.arange(size)[:, None]
    return ((rows >= starts) & (rows < ends)) / (ends - starts)


def _largest(dims: int) -> Convert:
    def convert(call: Call) -> list[ir.Value]:
        there, wanted = _sizes(call, dims)
        if any(a % b for a, b in zip(there, wanted)):
            return _largest_of_windows(call, there, wanted)
        images, is_alone = in_batch(call, dims)
        kernel = [a // b for a, b in zip(there, wanted)]
        found = call.builder.ops("MaxPool", 2, images, kernel_shape=kernel, strides=kernel)
        plane = call.ints(int(np.prod(there)))
        results = [found[0], call.op("Mod", found[1], plane)]
        return [out_of_batch(call, each, is_alone) for each in results]

    return convert


def _largest_of_windows(call: Call, there: list[int], wanted: list[int]) -> list[ir.Value]:
    """The elements of each window side by side; shorter windows have their last element more often."""
    dims = len(there)
    windows = [_places(size, count) for size, count in zip(there, wanted)]
    value = call.value()
    for place, each in enumerate(windows):
        value = call.op("Gather", value, call.ints(each), axis=place - dims)
    outer = call.rank() - dims
    order = [outer + 2 * e for e in range(dims)] + [outer + 2 * e + 1 for e in range(dims)]
    value = call.op("Transpose", value, perm=[*range(outer), *order])
    shape = call.op("Shape", value, end=outer + dims)
    value = call.op("Reshape", value, call.op("Concat", shape, call.ints([-1]), axis=0))
    chosen = call.op("ArgMax", value, axis=-1, keepdims=1)
    table = np.zeros((1,) * 2 * dims, np.int64)
    for place, each in enumerate(windows):
        form = [1] * 2 * dims
        form[place], form[dims + place] = each.shape
        table = table * there[place] + each.reshape(form)
    places = call.op("Expand", call.ints(table.reshape(*wanted, -1)), call.op("Shape", value))
    results = [call.op("GatherElements", each, chosen, axis=-1) for each in (value, places)]
    return [call.op("Squeeze", each, call.ints([-1])) for each in results]


def _places(size: int, count: int) -> np.ndarray:
    """The elements of each window, a row for each."""
    rows = np.arange(count)[:, None]
    starts, ends = rows * size // count, -(-(rows + 1) * size // count)
    longest = int((ends - starts).max())
    return np.minimum(starts + np.arange(longest), ends - 1)


for _dims in (1, 2, 3):
    for _form in ("", "_"):
        CONVERSIONS[f"aten::{_form}adaptive_avg_pool{_dims}d"] = _average(_dims)
    CONVERSIONS[f"aten::adaptive_max_pool{_dims}d"] = _largest(_dims)
