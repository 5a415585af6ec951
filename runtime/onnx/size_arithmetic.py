"""Functions of Python on sizes, as operators of ONNX on integers without dimensions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import onnx_ir as ir

from tsc.compiler.exir.arguments import Argument
from tsc.compiler.exir.node import Node
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
