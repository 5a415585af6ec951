"""Which types have values that can be written to, or that may hold such values."""

from __future__ import annotations

from typing import Final

from tsc.compiler.types import Type, TypeKind

_MUTABLE: Final = frozenset(
    {
        TypeKind.TensorType,
        TypeKind.ListType,
        TypeKind.DictType,
        TypeKind.ClassType,
        TypeKind.InterfaceType,
        TypeKind.AnyType,
        TypeKind.GeneratorType,
    }
)
_AS_MUTABLE_AS_CONTENTS: Final = frozenset(
    {
        TypeKind.OptionalType,
        TypeKind.UnionType,
        TypeKind.TupleType,
        TypeKind.FutureType,
        TypeKind.AwaitType,
    }
)


def is_mutable_type(type: Type) -> bool:
    """Whether two values of ``type`` may share memory that somebody writes to."""
    if type.kind in _MUTABLE:
        return True
    if type.kind in _AS_MUTABLE_AS_CONTENTS:
        return any(map(is_mutable_type, type.contained))
    return False
