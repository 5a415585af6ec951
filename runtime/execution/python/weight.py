"""Which values hold memory, whose variables are deleted when they are not needed any more, and whether tensors may."""

from __future__ import annotations

from typing import Final

from tsc.compiler.ir import CALLS, Graph, Value
from tsc.compiler.types import TypeKind

_LIGHT: Final = frozenset(
    {
        TypeKind.IntType,
        TypeKind.FloatType,
        TypeKind.BoolType,
        TypeKind.ComplexType,
        TypeKind.NumberType,
        TypeKind.NoneType,
        TypeKind.DeviceObjType,
    }
)
"""Types whose values hold so little memory that they may stay in a variable that is not needed any more."""


def is_heavy(value: Value) -> bool:
    """Whether the variable of a value is to be deleted when the value is not needed any more."""
    return value.type.kind not in _LIGHT


def has_tensors(graph: Graph) -> bool:
    """Whether a program may compute with tensors, its callees included."""
    nodes = [graph.param_node, *graph.all_nodes()]
    values = [value for node in nodes for value in node.outputs]
    calls = any(node.kind in CALLS for node in nodes)
    return calls or any("Tensor" in value.type.schema_text for value in values)
