"""Which operators a dialect has, and what it asks of a call of one; each rule tells what is wrong, or None."""

from __future__ import annotations

from typing import Final

from tsc.compiler.exir.batch_regions import MARKS
from tsc.compiler.exir.delegation.effects import bound_arguments, operator_of, written_nodes
from tsc.compiler.exir.node import Node
from tsc.compiler.exir.serialized.called_names import schema_of
from tsc.compiler.exir.targets import Target
from tsc.compiler.exir.verification.core_aten import CORE_ATEN
from tsc.compiler.exir.verification.edge_dtypes import dtype_violation
from tsc.compiler.exir.verification.edge_operators import edge_name
from tsc.compiler.schema import OperatorTable
from tsc.compiler.types import TypeKind

_DELEGATE: Final = "executorch_call_delegate"
_OF_PYTHON: Final = ("operator.", "math.", "builtins.", "torch.sym_")
_CHECKS: Final = frozenset(
    {
        *("aten::_assert_scalar", "aten::_assert_async", "aten::_assert_async.msg"),
        "aten::_assert_tensor_metadata",
        *("aten::sym_constrain_range", "aten::sym_constrain_range_for_size"),
    }
)
"""They are in programs of each dialect, and compute nothing."""


def is_unknown(node: Node, operators: OperatorTable) -> str | None:
    """Calls of what is neither an operator nor Python's arithmetic on numbers."""
    target = _target(node)
    if target.is_higher_order or target in MARKS or str(target).startswith(_OF_PYTHON):
        return None
    if target.is_operator and (
        target.namespace != "aten" or schema_of(target, operators) is not None
    ):
        return None
    return f"{target} is no operator"


def writes(node: Node, operators: OperatorTable) -> str | None:
    """Operators that write to what they are given."""
    if not written_nodes(node, operators):
        return None
    return f"{_name(node)} writes to its arguments: run_decompositions gives a program that does not write"


def breaks_core(node: Node, operators: OperatorTable) -> str | None:
    """Operators that are not of core ATen."""
    target = _target(node)
    if not target.is_operator or target.namespace != "aten":
        return None
    name = _name(node)
    return None if name in CORE_ATEN or name in _CHECKS else f"{name} is not of core ATen"


def breaks_edge(node: Node, operators: OperatorTable) -> str | None:
    """Views, numbers in the place of tensors, memory formats, and dtypes that do not fit."""
    operator = operator_of(node, operators)
    if operator is None:
        return None
    name = _name(node)
    if edge_name(name) != name:
        return f"{name} looks into its argument: {edge_name(name)} does not"
    arguments = list(bound_arguments(node, operator))
    for argument, given in arguments:
        if argument.type.kind is TypeKind.TensorType and isinstance(given, bool | int | float):
            return f"{name} is given the number {given} in the place of a tensor"
        if argument.name == "memory_format" and given is not None:
            return f"{name} is told a memory format: orders of dimensions take its place"
    return dtype_violation(name, arguments, node)


def breaks_backend(node: Node, operators: OperatorTable) -> str | None:
    """Calls of lowered modules whose module is not there."""
    target = _target(node)
    if target.name != _DELEGATE or (node.args and isinstance(node.args[0], Node)):
        return None
    return "a lowered module is called, and none is given"


def _target(node: Node) -> Target:
    assert isinstance(node.target, Target)
    return node.target


def _name(node: Node) -> str:
    target = _target(node)
    return f"{target.name}.{target.overload}" if target.overload else target.name
