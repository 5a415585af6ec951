"""What operators are to exported graphs: whether they have a place there, and whether results share memory."""

from __future__ import annotations

from typing import Any

from tsc.compiler.exir.data_numbers import MAKERS
from tsc.compiler.ir import Node, prim
from tsc.compiler.schema import Operator
from tsc.compiler.types import TypeKind


def is_recorded(operator: Operator) -> bool:
    """Whether an operator has a place in exported graphs: it gives tensors, or writes to them."""
    name = operator.qualified_name.partition(".")[0]
    if name.startswith("prim::") or name in MAKERS:
        return False
    arguments, returns = operator.schema.arguments, operator.schema.returns
    if any(_is_open(each.type) for each in (*arguments, *returns)):
        return False
    return bool(returns) and all(_gives_tensors(each.type) for each in returns)


def _is_open(type: Any) -> bool:
    """Whether a type has variables, as those of operators on containers have."""
    return type.kind is TypeKind.VarType or any(map(_is_open, type.contained))


def _gives_tensors(type: Any) -> bool:
    if type.kind in (TypeKind.ListType, TypeKind.OptionalType):
        return _gives_tensors(type.contained[0])
    return type.kind is TypeKind.TensorType


def makes_containers(node: Node) -> bool:
    """Whether a list or dict that a node gives is a new one; others were there before."""
    if node.kind in (prim.ListConstruct, prim.DictConstruct, prim.tolist):
        return True
    operator = node.operator
    if operator is None or node.kind.startswith("prim::"):
        return False
    return all(each.alias_info is None for each in operator.schema.returns)


def shares(operator: Operator) -> bool:
    """Whether a result may be, or look at, what the operator was given."""
    return any(each.alias_info is not None for each in operator.schema.returns)
