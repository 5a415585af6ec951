"""Parts of tensors by position, by mask and by size, and what is written to positions."""

from __future__ import annotations

import onnx_ir as ir

from tsc.compiler.exir.fake_tensor import FakeTensor
from tsc.compiler.exir.node import Node
from tsc.runtime.onnx.calls import Call, converts
from tsc.runtime.onnx.refusals import Refused


@converts("aten::masked_fill.Scalar", "aten::masked_fill.Tensor")
def masked_fill(call: Call) -> ir.Value:
    return call.op("Where", call.value("mask"), call.value("value", call.dtype), call.value())


@converts("aten::where.ScalarOther", "aten::where.ScalarSelf", "aten::where.Scalar")
def where_numbers(call: Call) -> ir.Value:
    choices = [call.value(each, call.dtype) for each in ("self", "other")]
    return call.op("Where", call.value("condition", "bool"), *choices)


@converts("aten::index.Tensor")
def index(call: Call) -> ir.Value:
    """By one tensor of positions; ONNX counts negative ones from the end, as PyTorch does."""
    places = [(dim, e) for dim, e in enumerate(call.list("indices")) if isinstance(e, Node)]
    if len(places) != 1:
        raise Refused("several dimensions are indexed at once", "index one after the other")
    dim, node = places[0]
    known = node.meta.get("val")
    if not isinstance(known, FakeTensor) or known.dtype.name not in ("int64", "int32"):
        raise Refused("a mask is an index", "use torch.where, or index by positions")
    return call.op("Gather", call.value(), call.builder.value_of(node), axis=dim)


@converts("aten::nonzero")
def nonzero(call: Call) -> ir.Value:
    return call.op("Transpose", call.op("NonZero", call.value(dtype="bool")), perm=[1, 0])


@converts("aten::scatter.src", "aten::scatter.value")
def scatter(call: Call) -> ir.Value:
    return _scattered(call, "none")


@converts("aten::scatter_add")
def scatter_add(call: Call) -> ir.Value:
    return _scattered(call, "add")


def _scattered(call: Call, reduction: str) -> ir.Value:
    """ONNX wants as many elements as positions; PyTorch takes those that there are positions for."""
    places = call.value("index")
    shape = call.op("Shape", places)
    if "value" in call.arguments:
        source = call.op("Expand", call.value("value", call.dtype), shape)
    else:
        axes = call.ints(list(range(call.rank("index"))))
        zeros = call.ints([0] * call.rank("index"))
        source = call.op("Slice", call.value("src"), zeros, shape, axes)
    inputs = [call.value(), places, source]
    return call.op("ScatterElements", *inputs, axis=call.dim(), reduction=reduction)


@converts("aten::unbind.int")
def unbind(call: Call) -> list[ir.Value]:
    dim = call.dim()
    size = call.known("self").size[dim]
    if not isinstance(size, int):
        raise Refused("the count of results changes", "make the dimension fixed")
    return [call.op("Gather", call.value(), call.ints(each), axis=dim) for each in range(size)]


@converts("aten::split.Tensor", "aten::chunk")
def equal_parts(call: Call) -> list[ir.Value]:
    """Parts of one size but for the last."""
    dim = call.dim()
    size = call.known("self").size[dim]
    if not isinstance(size, int):
        raise Refused("the count of results changes", "make the dimension fixed")
    if "chunks" in call.arguments:
        each = max(-(-size // int(call.constant("chunks"))), 1)
    else:
        each = int(call.constant("split_size"))
    sizes = [min(each, size - start) for start in range(0, size, each)] or [0]
    return list(call.builder.ops("Split", len(sizes), call.value(), call.ints(sizes), axis=dim))


@converts("aten::constant_pad_nd")
def pad(call: Call) -> ir.Value:
    """PyTorch tells of the last dimension first; ONNX of all starts, then of all ends."""
    pads, rank = call.pair("pad", 1), call.rank()
    starts, ends = [0] * rank, [0] * rank
    for place in range(len(pads) // 2):
        starts[rank - 1 - place], ends[rank - 1 - place] = pads[2 * place : 2 * place + 2]
    number = call.value("value", call.dtype)
    return call.op("Pad", call.value(), call.ints([*starts, *ends]), number)


@converts("aten::flip")
def flip(call: Call) -> ir.Value:
    dims = call.pair("dims", 1) if call.list("dims") else []
    first, last = call.ints([-1] * len(dims)), call.ints([-(1 << 63) + 1] * len(dims))
    return call.op("Slice", call.value(), first, last, call.ints(dims), call.ints([-1] * len(dims)))


@converts("aten::tril", "aten::triu")
def triangle(call: Call) -> ir.Value:
    upper = int("triu" in str(call.node.target))
    return call.op("Trilu", call.value(), call.ints(call.constant("diagonal")), upper=upper)
