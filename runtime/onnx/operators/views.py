"""Other shapes of the same elements, parts of them, and several put together."""

from __future__ import annotations

import onnx_ir as ir

from tsc.compiler.exir.node import Node
from tsc.runtime.onnx.calls import Call, converts, number_type, values_in

_END = (1 << 63) - 1


@converts("aten::view", "aten::reshape", "aten::_unsafe_view")
def view(call: Call) -> ir.Value:
    name = "size" if "size" in call.arguments else "shape"
    return call.op("Reshape", call.value(), call.builder.sizes(call.list(name)), allowzero=1)


@converts("aten::permute")
def permute(call: Call) -> ir.Value:
    order = [each % max(call.rank(), 1) for each in call.pair("dims", 1)]
    return call.op("Transpose", call.value(), perm=order)


@converts("aten::transpose.int")
def transpose(call: Call) -> ir.Value:
    order = list(range(call.rank()))
    first, second = call.dim("dim0"), call.dim("dim1")
    if order:
        order[first], order[second] = order[second], order[first]
    return call.op("Transpose", call.value(), perm=order)


@converts("aten::t")
def matrix_transpose(call: Call) -> ir.Value:
    return call.op("Transpose", call.value(), perm=list(reversed(range(call.rank()))))


@converts("aten::unsqueeze")
def unsqueeze(call: Call) -> ir.Value:
    return call.op("Unsqueeze", call.value(), call.ints([call.constant("dim")]))


@converts("aten::squeeze.dim", "aten::squeeze.dims")
def squeeze(call: Call) -> ir.Value:
    """Dimensions that are not 1 stay."""
    sizes = call.known("self").size
    dims = [int(each) % max(len(sizes), 1) for each in call.pair("dim", 1)]
    dropped = [each for each in dims if sizes and sizes[each] == 1]
    return call.op("Squeeze", call.value(), call.ints(dropped)) if dropped else call.value()


@converts("aten::flatten.using_ints")
def flatten(call: Call) -> ir.Value:
    if call.rank() == 0:
        return call.op("Reshape", call.value(), call.ints([1]))
    start, end, value = call.dim("start_dim"), call.dim("end_dim"), call.value()
    shape = call.op("Shape", value)
    flat = call.op("ReduceProd", _between(call, shape, start, end + 1), keepdims=1)
    parts = [_between(call, shape, 0, start), flat, _between(call, shape, end + 1, _END)]
    return call.op("Reshape", value, call.op("Concat", *parts, axis=0), allowzero=1)


def _between(call: Call, value: ir.Value, start: int, end: int) -> ir.Value:
    return call.op("Slice", value, call.ints([start]), call.ints([end]))


@converts("aten::expand")
def expand(call: Call) -> ir.Value:
    """A size of -1 stays as it is, which is what 1 means to ONNX."""
    sizes = [1 if each == -1 else each for each in call.list("size")]
    return call.op("Expand", call.value(), call.builder.sizes(sizes))


@converts("aten::expand_as")
def expand_as(call: Call) -> ir.Value:
    return call.op("Expand", call.value(), call.op("Shape", call.value("other")))


@converts("aten::repeat")
def repeat(call: Call) -> ir.Value:
    repeats = call.list("repeats")
    front = list(range(len(repeats) - call.rank()))
    value = call.op("Unsqueeze", call.value(), call.ints(front)) if front else call.value()
    return call.op("Tile", value, call.builder.sizes(repeats))


@converts("aten::slice.Tensor")
def slice_of(call: Call) -> ir.Value:
    bounds = [call.arguments["start"], call.arguments["end"], call.arguments["step"]]
    start, end, step = (
        each if each is not None else default for each, default in zip(bounds, (0, _END, 1))
    )
    sizes = call.builder.sizes
    dim = call.ints([call.dim()])
    return call.op("Slice", call.value(), sizes([start]), sizes([end]), dim, sizes([step]))


@converts("aten::select.int")
def select(call: Call) -> ir.Value:
    index = call.arguments["index"]
    place = call.builder.value_of(index) if isinstance(index, Node) else call.ints(index)
    return call.op("Gather", call.value(), place, axis=call.dim())


@converts("aten::index_select")
def index_select(call: Call) -> ir.Value:
    return call.op("Gather", call.value(), call.value("index"), axis=call.dim())


@converts("aten::gather")
def gather(call: Call) -> ir.Value:
    return call.op("GatherElements", call.value(), call.value("index"), axis=call.dim())


@converts("aten::embedding")
def embedding(call: Call) -> ir.Value:
    return call.op("Gather", call.value("weight"), call.value("indices"), axis=0)


@converts("aten::cat")
def cat(call: Call) -> ir.Value:
    dim = int(call.constant("dim")) % max(len(call.result.size), 1)
    parts = [call.in_result(each) for each in values_in(call, "tensors")]
    return call.op("Concat", *parts, axis=dim)


@converts("aten::stack")
def stack(call: Call) -> ir.Value:
    dim = call.ints([int(call.constant("dim")) % len(call.result.size)])
    parts = [call.op("Unsqueeze", call.in_result(e), dim) for e in values_in(call, "tensors")]
    axis = int(call.constant("dim")) % len(call.result.size)
    return call.op("Concat", *parts, axis=axis)


@converts("aten::split_with_sizes", "aten::split.sizes")
def split(call: Call) -> list[ir.Value]:
    sizes = call.list("split_sizes" if "split_sizes" in call.arguments else "split_size")
    parts = call.builder.sizes(sizes)
    found = call.builder.ops("Split", len(sizes), call.value(), parts, axis=call.dim())
    return list(found)


@converts("aten::item", "aten::_local_scalar_dense")
def number_in_tensor(call: Call) -> ir.Value:
    """A number has no dimensions, and 64 bits."""
    number = call.op("Reshape", call.value(), call.ints([]))
    return call.builder.cast(number, number_type(call.node.meta.get("val")))
