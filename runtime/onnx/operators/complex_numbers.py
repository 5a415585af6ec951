"""Complex numbers, which ONNX has not: a tensor of them is one of floats with a last dimension of two.

Calls that take or give complex tensors have a table of their own. Models take and give none.
"""

from __future__ import annotations

from typing import Final

import onnx_ir as ir

from tsc.compiler.exir.fake_tensor import FakeTensor
from tsc.compiler.exir.node import Node
from tsc.runtime.onnx.calls import Call, converts_complex, values_in
from tsc.runtime.onnx.operators.gates import angle_of
from tsc.runtime.onnx.operators.views import index_select, select, slice_of, squeeze
from tsc.runtime.onnx.refusals import Refused

PARTS: Final = {"complex64": "float32", "complex128": "float64"}


def part_dtype(known: FakeTensor) -> str:
    """Of the real part: that of a tensor that is real."""
    name = known.dtype.name
    return PARTS.get(name, name)


def _dtype(call: Call) -> str:
    return part_dtype(call.result)


def pair(call: Call, name: str) -> ir.Value:
    """A tensor or a number, whatever it is, as pairs in the dtype of the result."""
    given, dtype = call.arguments[name], _dtype(call)
    if not isinstance(given, Node):
        if not isinstance(given, int | float | complex):
            raise Refused(f"{name} is no number")
        return call.number([complex(given).real, complex(given).imag], dtype)
    known = call.known(name)
    if known.dtype.name in PARTS:
        value = call.builder.value_of(given)
        return value if part_dtype(known) == dtype else call.builder.cast(value, dtype)
    real = call.op("Unsqueeze", call.value(name, dtype), call.ints([-1]))
    return call.op("Concat", real, call.op("Sub", real, real), axis=-1)


def joined(call: Call, real: ir.Value, imaginary: ir.Value) -> ir.Value:
    """Pairs of two tensors of one shape."""
    parts = [call.op("Unsqueeze", each, call.ints([-1])) for each in (real, imaginary)]
    return call.op("Concat", *parts, axis=-1)


def part(call: Call, value: ir.Value, place: int) -> ir.Value:
    """The real or the imaginary part of pairs."""
    return call.op("Gather", value, call.ints(place), axis=-1)


@converts_complex("aten::_to_copy", "aten::to.dtype")
def convert_dtype(call: Call) -> ir.Value:
    if call.dtype not in PARTS:
        raise Refused("the imaginary part is lost", "take torch.real(x)")
    return pair(call, "self")


@converts_complex("aten::complex")
def complex_of_parts(call: Call) -> ir.Value:
    real, imaginary = (call.value(each) for each in ("real", "imag"))
    zero = call.number(0, _dtype(call))
    shape = call.op("Shape", call.op("Add", call.op("Mul", real, zero), imaginary))
    return joined(call, *(call.op("Expand", each, shape) for each in (real, imaginary)))


@converts_complex("aten::polar")
def polar(call: Call) -> ir.Value:
    length, angle = call.value("abs"), call.value("angle")
    parts = [call.op("Mul", length, call.op(each, angle)) for each in ("Cos", "Sin")]
    return joined(call, *parts)


@converts_complex(
    *("aten::view_as_complex", "aten::view_as_real", "aten::clone", "aten::alias", "aten::detach"),
    *("aten::contiguous", "aten::resolve_conj", "aten::lift_fresh_copy"),
)
def same(call: Call) -> ir.Value:
    return call.op("Identity", call.value())


@converts_complex("aten::real")
def real_part(call: Call) -> ir.Value:
    return part(call, call.value(), 0)


@converts_complex("aten::imag")
def imaginary_part(call: Call) -> ir.Value:
    return part(call, call.value(), 1)


@converts_complex("aten::abs")
def absolute(call: Call) -> ir.Value:
    return call.op("ReduceL2", call.value(), call.ints([-1]), keepdims=0)


@converts_complex("aten::angle")
def angle(call: Call) -> ir.Value:
    value = call.value()
    return angle_of(call, part(call, value, 1), part(call, value, 0))


@converts_complex("aten::_conj", "aten::conj", "aten::_conj_physical", "aten::conj_physical")
def conjugate(call: Call) -> ir.Value:
    return conjugated(call, call.value(), _dtype(call))


def conjugated(call: Call, value: ir.Value, dtype: str) -> ir.Value:
    """With the other sign of the imaginary part."""
    return call.op("Mul", value, call.number([1, -1], dtype))


# -- Arithmetic ------------------------------------------------------------------------------------


@converts_complex("aten::add.Tensor", "aten::add.Scalar", "aten::sub.Tensor", "aten::sub.Scalar")
def sum_or_difference(call: Call) -> ir.Value:
    if call.constant("alpha") != 1:
        raise Refused("the second one is multiplied before", "multiply it by itself")
    kind = "Add" if ".add." in str(call.node.target) else "Sub"
    return call.op(kind, pair(call, "self"), pair(call, "other"))


@converts_complex("aten::neg")
def negative(call: Call) -> ir.Value:
    return call.op("Neg", call.value())


@converts_complex("aten::mul.Tensor", "aten::mul.Scalar")
def product(call: Call) -> ir.Value:
    return multiplied(call, pair(call, "self"), pair(call, "other"))


def multiplied(call: Call, first: ir.Value, second: ir.Value, kind: str = "Mul") -> ir.Value:
    """(a + bi)(c + di) = ac - bd + (ad + bc)i, of numbers or matrices."""
    (a, b), (c, d) = ([part(call, each, place) for place in (0, 1)] for each in (first, second))
    real = call.op("Sub", call.op(kind, a, c), call.op(kind, b, d))
    return joined(call, real, call.op("Add", call.op(kind, a, d), call.op(kind, b, c)))


@converts_complex("aten::div.Tensor", "aten::div.Scalar")
def quotient(call: Call) -> ir.Value:
    """The product with the conjugate, by the square of the length."""
    divisor, dtype = pair(call, "other"), _dtype(call)
    top = multiplied(call, pair(call, "self"), conjugated(call, divisor, dtype))
    square = call.op("ReduceSumSquare", divisor, call.ints([-1]), keepdims=1)
    return call.op("Div", top, square)


@converts_complex("aten::mm", "aten::bmm", "aten::matmul")
def matrix_product(call: Call) -> ir.Value:
    other = "mat2" if "mat2" in call.arguments else "other"
    return multiplied(call, pair(call, "self"), pair(call, other), "MatMul")


@converts_complex("aten::sum", "aten::sum.dim_IntList", "aten::mean", "aten::mean.dim")
def sum_or_mean(call: Call) -> ir.Value:
    rank = call.rank()
    given = call.list("dim") if call.arguments.get("dim") else list(range(rank))
    dims = [int(str(each)) % max(rank, 1) for each in given]
    kind = "ReduceMean" if ".mean." in str(call.node.target) else "ReduceSum"
    if not dims:
        return call.op("Identity", call.value())
    keep = int(bool(call.arguments.get("keepdim", False)))
    return call.op(kind, pair(call, "self"), call.ints(dims), keepdims=keep)


# -- Shapes ----------------------------------------------------------------------------------------

# These count dimensions from the front, and leave the last one alone.
converts_complex("aten::select.int")(select)
converts_complex("aten::slice.Tensor")(slice_of)
converts_complex("aten::squeeze.dim", "aten::squeeze.dims")(squeeze)
converts_complex("aten::index_select")(index_select)


@converts_complex("aten::view", "aten::reshape", "aten::_unsafe_view")
def view(call: Call) -> ir.Value:
    name = "size" if "size" in call.arguments else "shape"
    sizes = call.builder.sizes([*call.list(name), 2])
    return call.op("Reshape", call.value(), sizes, allowzero=1)


@converts_complex("aten::expand")
def expand(call: Call) -> ir.Value:
    sizes = [1 if each == -1 else each for each in call.list("size")]
    return call.op("Expand", call.value(), call.builder.sizes([*sizes, 2]))


@converts_complex("aten::unsqueeze")
def unsqueeze(call: Call) -> ir.Value:
    dim = int(call.constant("dim")) % (call.rank() + 1)
    return call.op("Unsqueeze", call.value(), call.ints([dim]))


@converts_complex("aten::permute", "aten::transpose.int", "aten::t")
def permute(call: Call) -> ir.Value:
    rank = call.rank()
    order = list(range(rank))
    if "dims" in call.arguments:
        order = [each % rank for each in call.pair("dims", 1)]
    elif "dim0" in call.arguments:
        first, second = call.dim("dim0"), call.dim("dim1")
        order[first], order[second] = order[second], order[first]
    else:
        order.reverse()
    return call.op("Transpose", call.value(), perm=[*order, rank])


@converts_complex("aten::constant_pad_nd")
def pad(call: Call) -> ir.Value:
    """Amounts are from the last dimension to the first, and before each of them first."""
    amounts, rank = call.pair("pad", 1), call.rank()
    before, after = ([*reversed(amounts[side::2]), 0] for side in (0, 1))
    missing = [0] * (rank + 1 - len(before))
    pads = call.ints([*missing, *before, *missing, *after])
    return call.op(
        "Pad", call.value(), pads, call.number(complex(call.constant("value")).real, _dtype(call))
    )


@converts_complex("aten::cat", "aten::stack")
def cat(call: Call) -> ir.Value:
    rank = len(call.result.size)
    dim, parts = int(call.constant("dim")) % rank, values_in(call, "tensors")
    if "stack" in str(call.node.target):
        parts = [call.op("Unsqueeze", each, call.ints([dim])) for each in parts]
    return call.op("Concat", *parts, axis=dim)
