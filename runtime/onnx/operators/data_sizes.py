"""Results of sizes that data decides: places of what is not zero, elements by mask, what is there once, and counts."""

from __future__ import annotations

from typing import Final

import onnx_ir as ir

from tsc.runtime.onnx.calls import Call, converts

_END: Final = (1 << 63) - 1


@converts("aten::nonzero", "aten::argwhere")
def nonzero(call: Call) -> ir.Value:
    return call.op("Transpose", call.op("NonZero", call.value(dtype="bool")), perm=[1, 0])


@converts("aten::where", "aten::nonzero_numpy")
def nonzero_by_dimension(call: Call) -> list[ir.Value]:
    """A list of places for each dimension; a tensor without any counts as one of one element."""
    name = "condition" if "condition" in call.arguments else "self"
    value, rank = call.value(name, "bool"), max(call.rank(name), 1)
    if not call.rank(name):
        value = call.op("Reshape", value, call.ints([1]))
    found = call.op("NonZero", value)
    return [call.op("Gather", found, call.ints(row), axis=0) for row in range(rank)]


@converts("aten::masked_select")
def masked_select(call: Call) -> ir.Value:
    """Both take the shape in which they meet, and are read as one row."""
    mask = call.value("mask")
    false = call.op("Expand", call.number(False, "bool"), call.op("Shape", call.value()))
    shape = call.op("Shape", call.op("Or", mask, false))
    rows = [
        call.op("Reshape", call.op("Expand", each, shape), call.ints([-1]))
        for each in (call.value(), mask)
    ]
    return call.op("Compress", *rows, axis=0)


# -- What is there once ----------------------------------------------------------------------------


_WITHOUT_UNIQUE: Final = ("bool", "uint8", "int16", "int32")
"""Dtypes that ONNX Runtime has no kernel for: their elements are ordered as int64."""


@converts("aten::_unique2", "aten::unique_dim")
def unique(call: Call) -> list[ir.Value]:
    """Sorted, as PyTorch's are on the processor. Places of each element are in its shape."""
    axis = {"axis": call.dim()} if "dim" in call.arguments else {}
    dtype = call.known("self").dtype.name
    is_widened = dtype in _WITHOUT_UNIQUE
    value = call.value("self", "int64" if is_widened else None)
    result, _, places, counts = call.builder.ops("Unique", 4, value, sorted=1, **axis)
    if is_widened:
        result = call.builder.cast(result, dtype)
    if not axis:
        places = call.op("Reshape", places, call.op("Shape", call.value()))
    return _wanted(call, result, places, counts)


@converts("aten::unique_consecutive")
def unique_in_a_row(call: Call) -> list[ir.Value]:
    """What differs from what is before it; a place is the number of such up to there."""
    dim, value = 0, call.value()
    if call.given("dim"):
        dim = call.dim()
    else:
        value = call.op("Reshape", value, call.ints([-1]))
    count = call.op("Shape", value, start=dim, end=dim + 1)
    is_first = _differs_from_before(call, value, dim, count)
    result = call.op("Compress", value, is_first, axis=dim)
    number = call.op("CumSum", call.builder.cast(is_first, "int64"), call.ints(0))
    places = call.op("Sub", number, call.ints(1))
    if not call.given("dim"):
        places = call.op("Reshape", places, call.op("Shape", call.value()))
    starts = call.op("Reshape", call.op("NonZero", is_first), call.ints([-1]))
    ends = call.op("Concat", _part(call, starts, 0, 1, _END), count, axis=0)
    return _wanted(call, result, places, call.op("Sub", ends, starts))


def _differs_from_before(call: Call, value: ir.Value, dim: int, count: ir.Value) -> ir.Value:
    """A mask of slices along a dimension; the first differs, if there is one."""
    before, here = _part(call, value, dim, 0, -1), _part(call, value, dim, 1, _END)
    different = call.op("Not", call.op("Equal", before, here))
    rank = call.rank() if call.given("dim") else 1
    others = [each for each in range(rank) if each != dim]
    if others:
        numbers = call.builder.cast(different, "int32")
        largest = call.op("ReduceMax", numbers, call.ints(others), keepdims=0)
        different = call.builder.cast(largest, "bool")
    mask = call.op("Concat", call.builder.constant([True], "bool"), different, axis=0)
    return call.op("Slice", mask, call.ints([0]), count)


def _part(call: Call, value: ir.Value, dim: int, start: int, end: int) -> ir.Value:
    return call.op("Slice", value, call.ints([start]), call.ints([end]), call.ints([dim]))


def _wanted(call: Call, result: ir.Value, places: ir.Value, counts: ir.Value) -> list[ir.Value]:
    """What is not asked for is empty."""
    empty = call.ints([])
    given = [call.constant("return_inverse"), call.constant("return_counts")]
    return [
        result,
        *(each if is_wanted else empty for each, is_wanted in zip((places, counts), given)),
    ]


# -- Counts ----------------------------------------------------------------------------------------


@converts("aten::repeat_interleave.self_Tensor", "aten::repeat_interleave.Tensor")
def repeat_by_counts(call: Call) -> ir.Value:
    """A place of the result has the number of elements that end before it: these are counted at their ends."""
    if "self" not in call.arguments:
        return _numbers_by_counts(call, call.value("repeats", "int64"))
    dim, value = 0, call.value()
    if call.given("dim"):
        dim = call.dim()
    else:
        value = call.op("Reshape", value, call.ints([-1]))
    size = call.op("Shape", value, start=dim, end=dim + 1)
    counts = call.op("Expand", call.value("repeats", "int64"), size)
    return call.op("Gather", value, _numbers_by_counts(call, counts), axis=dim)


def _numbers_by_counts(call: Call, counts: ir.Value) -> ir.Value:
    """Of [2, 0, 3]: [0, 0, 2, 2, 2]."""
    total = call.op("ReduceSum", counts, keepdims=1)
    total = call.op("Reshape", total, call.ints([1]))
    ends = call.op("CumSum", counts, call.ints(0))
    places = call.op("Expand", call.ints(0), call.op("Add", total, call.ints([1])))
    ones = call.op("Expand", call.ints(1), call.op("Shape", ends))
    marks = call.op("ScatterElements", places, ends, ones, axis=0, reduction="add")
    numbers = call.op("CumSum", marks, call.ints(0))
    return call.op("Slice", numbers, call.ints([0]), total)


@converts("aten::bincount")
def bincount(call: Call) -> ir.Value:
    """As many as the largest number wants, or as are asked for."""
    value = call.value(dtype="int64")
    least = call.op("Sub", call.builder.sizes(call.list("minlength")), call.ints([1]))
    largest = call.op("ReduceMax", call.op("Concat", value, least, axis=0), keepdims=0)
    size = call.op("Reshape", call.op("Add", largest, call.ints(1)), call.ints([1]))
    start = call.op("Expand", call.number(0), size)
    if call.given("weights"):
        added = call.value("weights", call.dtype)
    else:
        added = call.op("Expand", call.number(1), call.op("Shape", value))
    return call.op("ScatterElements", start, value, added, axis=0, reduction="add")
