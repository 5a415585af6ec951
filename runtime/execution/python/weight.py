"""Which values hold memory, so that their variables are deleted when they are not needed any more."""

from __future__ import annotations

from typing import Final

from tsc.compiler.ir import Value
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
