"""Parts of tensors by size and place, and what is put in their place by a mask."""

from __future__ import annotations

import math

import numpy as np
import onnx_ir as ir

from tsc.compiler.exir.refusals import ONNX_SIZE
from tsc.runtime.onnx.calls import Call, converts
from tsc.runtime.onnx.refusals import Refused

_END = (1 << 63) - 1


@converts("aten::masked_fill.Scalar", "aten::masked_fill.Tensor")
def masked_fill(call: Call) -> ir.Value:
    return call.chosen(call.value("mask"), call.value("value", call.dtype), call.value())


@converts("aten::where.ScalarOther", "aten::where.ScalarSelf", "aten::where.Scalar")
def where_numbers(call: Call) -> ir.Value:
    choices = [call.value(each, call.dtype) for each in ("self", "other")]
    return call.chosen(call.value("condition", "bool"), *choices)


@converts("aten::unbind.int")
def unbind(call: Call) -> list[ir.Value]:
    dim = call.dim()
    size = call.known("self").size[dim]
    if not isinstance(size, int):
        raise Refused("the count of results changes", refusal=ONNX_SIZE)
    return [call.op("Gather", call.value(), call.ints(each), axis=dim) for each in range(size)]


@converts("aten::split.Tensor", "aten::chunk")
def equal_parts(call: Call) -> list[ir.Value]:
    """Parts of one size but for the last."""
    dim = call.dim()
    size = call.known("self").size[dim]
    if not isinstance(size, int):
        raise Refused("the count of results changes", refusal=ONNX_SIZE)
    if "chunks" in call.arguments:
        each = max(-(-size // int(call.constant("chunks"))), 1)
    else:
        each = int(call.constant("split_size"))
    sizes = [min(each, size - start) for start in range(0, size, each)] or [0]
    return list(call.builder.ops("Split", len(sizes), call.value(), call.ints(sizes), axis=dim))


@converts("aten::flip")
def flip(call: Call) -> ir.Value:
    dims = call.pair("dims", 1) if call.list("dims") else []
    first, last = call.ints([-1] * len(dims)), call.ints([-(1 << 63) + 1] * len(dims))
    return call.op("Slice", call.value(), first, last, call.ints(dims), call.ints([-1] * len(dims)))


@converts("aten::tril", "aten::triu")
def triangle(call: Call) -> ir.Value:
    upper = int("triu" in str(call.node.target))
    return call.op("Trilu", call.value(), call.ints(call.constant("diagonal")), upper=upper)


@converts("aten::roll")
def roll(call: Call) -> ir.Value:
    """What goes over an end comes in at the other one; without dimensions, of all elements in a row."""
    value, shifts = call.value(), call.pair("shifts", 1)
    if call.list("dims"):
        for shift, dim in zip(shifts, call.pair("dims", 1)):
            value = _rolled(call, value, shift % max(call.fixed_size(dim), 1), dim)
        return value
    row = call.op("Reshape", value, call.ints([-1]))
    count = math.prod(call.fixed_sizes())
    rolled = _rolled(call, row, shifts[0] % max(count, 1), 0)
    return call.op("Reshape", rolled, call.op("Shape", value))


def _rolled(call: Call, value: ir.Value, shift: int, dim: int) -> ir.Value:
    if not shift:
        return value
    place, axis = call.ints([-shift]), call.ints([dim])
    last = call.op("Slice", value, place, call.ints([_END]), axis)
    first = call.op("Slice", value, call.ints([0]), place, axis)
    return call.op("Concat", last, first, axis=dim)


@converts("aten::diagonal")
def diagonal(call: Call) -> ir.Value:
    """Both dimensions are brought to the end and joined; the diagonal is at every (width + 1)th element."""
    rank, offset = call.rank(), int(call.constant("offset"))
    dims = [call.dim("dim1"), call.dim("dim2")]
    height, width = (call.fixed_size(each) for each in dims)
    order = [*(each for each in range(rank) if each not in dims), *dims]
    turned = call.op("Transpose", call.value(), perm=order)
    joined = call.op("Reshape", turned, call.ints([*[0] * (rank - 2), height * width]))
    rows = np.arange(height)
    rows = rows[(rows + offset >= 0) & (rows + offset < width)]
    return call.op("Gather", joined, call.ints(rows * width + rows + offset), axis=-1)


@converts("aten::diagonal_scatter")
def diagonal_scatter(call: Call) -> ir.Value:
    """What is written beside its place on the diagonal, in the whole row or column, and taken where that goes."""
    rank, offset = call.rank(), int(call.constant("offset"))
    dims = [call.dim("dim1"), call.dim("dim2")]
    height, width = (call.fixed_size(each) for each in dims)
    order = [*(each for each in range(rank) if each not in dims), *dims]
    turned = call.op("Transpose", call.value(), perm=order)
    places = np.arange(height)[:, None] + offset == np.arange(width)[None]
    lines, axis = (places.any(1), -1) if offset >= 0 else (places.any(0), -2)
    numbers = np.cumsum(lines) - 1
    source = call.op("Gather", call.value("src"), call.ints(np.maximum(numbers, 0)), axis=-1)
    source = call.op("Unsqueeze", source, call.ints([axis]))
    written = call.chosen(call.number(places, "bool"), source, turned)
    return call.op("Transpose", written, perm=[int(each) for each in np.argsort(order)])


@converts("aten::as_strided")
def as_strided(call: Call) -> ir.Value:
    """Elements by their places in memory: the tensor has to be all of it, in order."""
    known, sizes = call.known("self"), call.fixed_sizes()
    steps = [math.prod(sizes[place + 1 :]) for place in range(len(sizes))]
    offset = call.arguments["storage_offset"] or 0
    if (known.stride is not None and list(known.stride) != steps) or known.storage_offset:
        raise Refused("this views memory of a tensor that is a view itself", "call contiguous()")
    places = np.array(int(str(offset)))
    for size, step in zip(call.pair("size", 1), call.pair("stride", 1)):
        places = np.add.outer(places, np.arange(size) * step)
    if places.size and places.max() >= math.prod(sizes):
        raise Refused("this views memory beyond the tensor", "view the tensor that has the memory")
    row = call.op("Reshape", call.value(), call.ints([-1]))
    return call.op("Gather", row, call.ints(places), axis=0)
