"""Truth values where operators take numbers: PyTorch computes with these in bool, and TorchScript has none such."""

from __future__ import annotations

from typing import Any, Final

from tsc.compiler.exir.arguments import Argument
from tsc.compiler.exir.fake_tensor import FakeTensor
from tsc.compiler.exir.node import Node
from tsc.compiler.exir.translation.scope import Scope
from tsc.compiler.ir import Value
from tsc.compiler.schema import Operator
from tsc.compiler.schema.argument import Argument as SchemaArgument
from tsc.compiler.types import NUMBER, TENSOR

_BOOL: Final = 11
"""The dtype as TorchScript counts it."""
Given = list[tuple[SchemaArgument, Any]]


def with_truth_values(
    scope: Scope, node: Node, operator: Operator, given: Given
) -> tuple[Operator, Given]:
    """The same call, whose result is of bool in TorchScript, too.

    The truth values are tensors of no dimensions, for the overload that has tensors in their place (``x & True``,
    ``where(x, True, False)``); ``full`` is told the dtype. Where the result is of another dtype, 1 and 0 are as good.
    """
    if not _gives_bool(node) or not any(map(_is_truth_value, given)):
        return operator, given
    found = _overload_with_tensors(scope, operator, given)
    if found is None:
        return operator, [
            (argument, _BOOL if argument.name == "dtype" and each is None else each)
            for argument, each in given
        ]
    return found, [
        (argument, _tensor(scope, each) if _is_truth_value(pair) else each)
        for argument, pair in zip(found.schema.arguments, given, strict=True)
        for each in pair[1:]
    ]


def _gives_bool(node: Node) -> bool:
    known = node.meta.get("val")
    return isinstance(known, FakeTensor) and known.dtype.name == "bool"


def _is_truth_value(pair: tuple[SchemaArgument, Any]) -> bool:
    return pair[0].type in (NUMBER, TENSOR) and type(pair[1]) is bool


def _overload_with_tensors(scope: Scope, operator: Operator, given: Given) -> Operator | None:
    """The overload of the same arguments, but for tensors where truth values are given."""
    wanted = [(pair[0].name, TENSOR if _is_truth_value(pair) else pair[0].type) for pair in given]
    for each in scope.operators.operators_for(operator.name):
        if [(argument.name, argument.type) for argument in each.schema.arguments] == wanted:
            return each
    return None


def _tensor(scope: Scope, value: Argument) -> Value:
    return scope.graph.insert("aten::scalar_tensor", [int(value is True)], {"dtype": _BOOL})
