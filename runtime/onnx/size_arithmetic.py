"""Sizes, and functions of Python on them, as operators of ONNX on integers without dimensions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import onnx_ir as ir

from tsc.compiler.exir.arguments import Argument
from tsc.compiler.exir.fake_tensor import FakeTensor
from tsc.compiler.exir.node import Node
from tsc.compiler.exir.refusals import ONNX_CONSTANT
from tsc.runtime.onnx.calls import GraphBuilder
from tsc.runtime.onnx.refusals import Refused

Compute = Callable[[GraphBuilder, Node], ir.Value]


def _operand(builder: GraphBuilder, given: Argument) -> ir.Value:
    if isinstance(given, Node):
        return builder.value_of(given)
    if not isinstance(given, int):
        raise Refused(f"{given!r} stands among sizes, and is no int", "compute with ints")
    return builder.constant(given, "bool" if isinstance(given, bool) else "int64")


def _function(kind: str) -> Compute:
    return lambda builder, node: builder.op(kind, *(_operand(builder, e) for e in node.args))


def _floor_quotient(builder: GraphBuilder, node: Node) -> ir.Value:
    """Rounded down: (a - a mod b) / b, as ONNX's Mod has the sign of the divisor and Div cuts off."""
    number, divisor = (_operand(builder, each) for each in node.args)
    exact = builder.op("Sub", number, builder.op("Mod", number, divisor))
    return builder.op("Div", exact, divisor)


def _not_equal(builder: GraphBuilder, node: Node) -> ir.Value:
    return builder.op("Not", _function("Equal")(builder, node))


def _tensor(builder: GraphBuilder, node: Node) -> ir.Value:
    given = node.args[0]
    if not isinstance(given, Node):
        raise Refused("a size is of a tensor")
    return builder.value_of(given)


def _known(node: Node) -> FakeTensor:
    given = node.args[0]
    known = given.meta.get("val") if isinstance(given, Node) else None
    if not isinstance(known, FakeTensor):
        raise Refused("a size is of a tensor")
    return known


def _size(builder: GraphBuilder, node: Node) -> ir.Value:
    """Of one dimension, which may be counted from the end."""
    shape = builder.op("Shape", _tensor(builder, node))
    dim = node.args[1]
    if not isinstance(dim, int):
        raise Refused("a dimension is computed", refusal=ONNX_CONSTANT)
    place = dim % len(_known(node).size)  # pairs of complex numbers have one more
    return builder.op("Gather", shape, builder.constant(place), axis=0)


def _number_of_elements(builder: GraphBuilder, node: Node) -> ir.Value:
    shape = builder.op("Shape", _tensor(builder, node), start=0, end=len(_known(node).size))
    return builder.op("ReduceProd", shape, keepdims=0)


def _known_of_memory(builder: GraphBuilder, node: Node) -> ir.Value:
    """ONNX knows nothing of memory: the number is that of the program, if it has one."""
    known = node.meta.get("val")
    if not isinstance(known, bool | int):
        raise Refused("how the tensor lies in memory changes", "compute it from sizes")
    return builder.constant(known, "bool" if isinstance(known, bool) else "int64")


SIZE_FUNCTIONS: Final[dict[str, Compute]] = {
    "operator.add": _function("Add"),
    "operator.sub": _function("Sub"),
    "operator.mul": _function("Mul"),
    "operator.neg": _function("Neg"),
    "operator.mod": _function("Mod"),
    "operator.floordiv": _floor_quotient,
    "operator.eq": _function("Equal"),
    "operator.ne": _not_equal,
    "operator.lt": _function("Less"),
    "operator.le": _function("LessOrEqual"),
    "operator.gt": _function("Greater"),
    "operator.ge": _function("GreaterOrEqual"),
    "operator.and_": _function("And"),
    "operator.or_": _function("Or"),
    "torch.sym_not": _function("Not"),
    "torch.sym_max": _function("Max"),
    "torch.sym_min": _function("Min"),
    "torch.ops.aten.sym_size.int": _size,
    "torch.ops.aten.sym_numel.default": _number_of_elements,
    "torch.ops.aten.sym_stride.int": _known_of_memory,
    "torch.ops.aten.sym_storage_offset.default": _known_of_memory,
    "torch.ops.aten.sym_is_contiguous.default": _known_of_memory,
}
ASSERTIONS: Final = (
    "torch.ops.aten._assert_scalar.default",
    "torch.ops.aten._assert_async.default",
    "torch.ops.aten._assert_async.msg",
    "torch.ops.aten._assert_tensor_metadata.default",
    "torch.ops.aten.sym_constrain_range.default",
    "torch.ops.aten.sym_constrain_range_for_size.default",
)
"""ONNX raises nothing: they are left out."""
