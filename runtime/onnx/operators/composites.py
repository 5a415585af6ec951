"""Operators that are made of others: sums by equations, norms by roots of squares, dimensions that are split."""

from __future__ import annotations

import numpy as np
import onnx_ir as ir

from tsc.compiler.exir.refusals import ONNX_SIZE
from tsc.runtime.onnx.calls import Call, converts, values_in
from tsc.runtime.onnx.element_types import is_floating
from tsc.runtime.onnx.refusals import Refused

_END = (1 << 63) - 1


@converts("aten::einsum")
def einsum(call: Call) -> ir.Value:
    equation = str(call.constant("equation")).replace(" ", "")
    return call.op("Einsum", *values_in(call, "tensors"), equation=equation)


@converts("aten::bilinear")
def bilinear(call: Call) -> ir.Value:
    """Each result is a form of both inputs."""
    given = [call.value(each) for each in ("input1", "weight", "input2")]
    product = call.op("Einsum", *given, equation="...i,oij,...j->...o")
    return call.op("Add", product, call.value("bias")) if call.given("bias") else product


@converts("aten::outer", "aten::ger")
def outer(call: Call) -> ir.Value:
    other = "vec2" if "vec2" in call.arguments else "other"
    column = call.op("Unsqueeze", call.value(dtype=call.dtype), call.ints([1]))
    row = call.op("Unsqueeze", call.value(other, call.dtype), call.ints([0]))
    return call.op("Mul", column, row)


@converts("aten::unflatten.int")
def unflatten(call: Call) -> ir.Value:
    shape, dim = call.op("Shape", call.value()), call.dim()
    sizes = call.builder.sizes(call.list("sizes"))
    before = call.op("Slice", shape, call.ints([0]), call.ints([dim]))
    after = call.op("Slice", shape, call.ints([dim + 1]), call.ints([_END]))
    return call.op("Reshape", call.value(), call.op("Concat", before, sizes, after, axis=0))


@converts("aten::rms_norm")
def rms_norm(call: Call) -> ir.Value:
    """Divided by the root of the mean of squares."""
    value = call.value("input")
    axes = call.ints([-1 - each for each in range(len(call.list("normalized_shape")))])
    mean = call.op("ReduceMean", call.op("Mul", value, value), axes)
    least = call.arguments["eps"]
    if least is None:
        least = float(np.finfo(np.dtype(call.dtype)).eps)
    root = call.op("Sqrt", call.op("Add", mean, call.number(least)))
    result = call.op("Div", value, root)
    return call.op("Mul", result, call.value("weight")) if call.given("weight") else result


@converts("aten::logsumexp")
def log_of_sum_of_powers(call: Call) -> ir.Value:
    """Without what the largest is, which is added again; an infinite one counts for nothing."""
    axes, dtype = call.ints(call.list("dim")), call.dtype
    if not is_floating(dtype) or call.rank() == 0:
        raise Refused("this is for floats with dimensions", "convert before")
    value, keep = call.value(dtype=dtype), int(bool(call.constant("keepdim")))
    largest = call.op("ReduceMax", value, axes, keepdims=1)
    largest = call.op("Where", call.op("IsInf", largest), call.number(0), largest)
    powers = call.op("Exp", call.op("Sub", value, largest))
    logarithm = call.op("Log", call.op("ReduceSum", powers, axes, keepdims=keep))
    return call.op("Add", logarithm, largest if keep else call.op("Squeeze", largest, axes))


@converts("aten::eye", "aten::eye.m")
def identity_matrix(call: Call) -> ir.Value:
    rows, columns = (call.result.size[each] for each in (0, 1))
    if not isinstance(rows, int) or not isinstance(columns, int):
        raise Refused("the size of the matrix changes", refusal=ONNX_SIZE)
    return call.number(np.eye(rows, columns))


@converts("aten::tril_indices", "aten::triu_indices")
def places_of_triangle(call: Call) -> ir.Value:
    is_lower = "tril" in str(call.node.target)
    indices = np.tril_indices if is_lower else np.triu_indices
    row, column, offset = (int(call.constant(each)) for each in ("row", "col", "offset"))
    return call.number(np.array(indices(row, offset, column)))


@converts("aten::diag_embed")
def diagonal_matrices(call: Call) -> ir.Value:
    if call.constant("offset") or (call.constant("dim1"), call.constant("dim2")) != (-2, -1):
        raise Refused("the diagonals lie elsewhere than in the last matrices", "move them there")
    rows = call.op("Unsqueeze", call.value(), call.ints([-1]))
    is_diagonal = call.number(np.eye(call.fixed_size(-1)), "bool")
    return call.op("Where", is_diagonal, rows, call.number(0))


@converts("aten::baddbmm")
def added_batched_product(call: Call) -> ir.Value:
    dtype = call.dtype
    product = call.op("MatMul", *(call.value(each, dtype) for each in ("batch1", "batch2")))
    product = call.op("Mul", product, call.value("alpha", dtype))
    added = call.op("Mul", call.value(dtype=dtype), call.value("beta", dtype))
    return call.op("Add", added, product)


@converts("aten::mv", "aten::dot", "aten::vdot")
def product_with_vector(call: Call) -> ir.Value:
    other = "vec" if "vec" in call.arguments else "other" if "other" in call.arguments else "tensor"
    return call.op("MatMul", call.value(), call.value(other))


@converts("aten::repeat_interleave.self_int")
def repeat_elements(call: Call) -> ir.Value:
    """Each element as often, one after the other."""
    value, dim = call.value(), 0
    if call.given("dim"):
        dim = call.dim()
    else:
        value = call.op("Reshape", value, call.ints([-1]))
    rank = call.rank() if call.given("dim") else 1
    count = call.builder.sizes(call.list("repeats"))
    repeats = call.op(
        "Concat", call.ints([1] * (dim + 1)), count, call.ints([1] * (rank - dim - 1)), axis=0
    )
    tiled = call.op("Tile", call.op("Unsqueeze", value, call.ints([dim + 1])), repeats)
    shape = call.op("Shape", value)
    size = call.op("Mul", call.op("Slice", shape, call.ints([dim]), call.ints([dim + 1])), count)
    before = call.op("Slice", shape, call.ints([0]), call.ints([dim]))
    after = call.op("Slice", shape, call.ints([dim + 1]), call.ints([_END]))
    return call.op("Reshape", tiled, call.op("Concat", before, size, after, axis=0))


@converts("aten::one_hot")
def one_hot(call: Call) -> ir.Value:
    if call.constant("num_classes") < 0:
        raise Refused("data decides how many classes there are", "give num_classes")
    ends = call.ints([0, 1])
    return call.op("OneHot", call.value(), call.ints([call.constant("num_classes")]), ends, axis=-1)


@converts("aten::bucketize.Tensor", "aten::searchsorted.Tensor")
def places_in_order(call: Call) -> ir.Value:
    """How many boundaries are below, or not above; a row may have boundaries of its own."""
    name = "boundaries" if "boundaries" in call.arguments else "sorted_sequence"
    bounds = call.value(name, "float64")
    if call.arguments.get("sorter") is not None:
        bounds = call.op("GatherElements", bounds, call.value("sorter"), axis=-1)
    if call.rank(name) > 1:
        bounds = call.op("Unsqueeze", bounds, call.ints([-2]))
    right = bool(call.constant("right")) or call.arguments.get("side") == "right"
    column = call.op("Unsqueeze", call.value(dtype="float64"), call.ints([-1]))
    below = call.op("GreaterOrEqual" if right else "Greater", column, bounds)
    return call.in_result(
        call.op("ReduceSum", call.builder.cast(below, "int64"), call.ints([-1]), keepdims=0)
    )
