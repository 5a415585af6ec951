"""What capture does with a node: whether exported graphs have a place for it, and whether it reads elements."""

from __future__ import annotations

from typing import Any, Final

from tsc.compiler.analysis.metadata import METADATA_READERS
from tsc.compiler.ir import Node, prim
from tsc.compiler.schema import Operator
from tsc.compiler.types import TypeKind
from tsc.runtime.execution.node_kernels import operator_of
from tsc.runtime.values.tensor import Tensor

_FROM_NUMBERS: Final = frozenset({"aten::tensor", "aten::as_tensor", "prim::NumToTensor"})
"""Operators that make tensors of numbers: what they give is a constant."""
_CONTAINERS: Final = frozenset({prim.ListConstruct, prim.TupleConstruct, prim.DictConstruct})


def is_recorded(operator: Operator) -> bool:
    """Whether an operator has a place in exported graphs: it gives tensors, or writes to them."""
    name = operator.qualified_name.partition(".")[0]
    if name.startswith("prim::") or name in _FROM_NUMBERS:
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


def shares(operator: Operator) -> bool:
    """Whether a result may be, or look at, what the operator was given."""
    return any(each.alias_info is not None for each in operator.schema.returns)


def reads_elements(node: Node, result: Any) -> bool:
    """Whether a result that is no tensor tells what a tensor holds; sizes and dtypes do not."""
    if node.kind in METADATA_READERS or node.kind in _CONTAINERS or node.kind.startswith("prim::"):
        return False
    operator = operator_of(node)
    if operator is None or any(_is_open(each.type) for each in operator.schema.arguments):
        return node.kind in ("aten::__contains__", "aten::index", "aten::count", "aten::remove")
    return result is not None and not isinstance(result, Tensor)
