"""Which types have a form in exported programs."""

from __future__ import annotations

from tsc.compiler.types import ClassType, Type, TypeKind

_LEAVES = frozenset(
    {
        *(TypeKind.TensorType, TypeKind.IntType, TypeKind.FloatType, TypeKind.BoolType),
        *(TypeKind.StringType, TypeKind.NoneType, TypeKind.NumberType),
        *(TypeKind.ScalarTypeType, TypeKind.LayoutType, TypeKind.MemoryFormatType),
    }
)
_CONTAINERS = frozenset(
    {TypeKind.ListType, TypeKind.TupleType, TypeKind.DictType, TypeKind.OptionalType}
)
_UNDECIDED = frozenset({TypeKind.AnyType, TypeKind.UnionType, TypeKind.VarType})


def foreign_part(type: Type) -> Type | None:
    """The part of a type that has no form in exported programs; None if all have, or may have."""
    if type.kind in _LEAVES or type.kind in _UNDECIDED:
        return None
    if type.kind not in _CONTAINERS:
        return type
    return next(filter(None, map(foreign_part, type.contained)), None)


def text_part(type: Type) -> Type | None:
    """The part of a type that is a text, which programs take and do not give, but as a key; None if it has none."""
    if type.kind is TypeKind.StringType:
        return type
    if type.kind not in _CONTAINERS:
        return None
    parts = type.contained[1:] if type.kind is TypeKind.DictType else type.contained
    return next(filter(None, map(text_part, parts)), None)


def holds_tensors(type: Type) -> bool:
    """Whether a value of a type is a tensor, or a list or tuple with tensors in it."""
    if isinstance(type, ClassType):
        return False
    return type.kind is TypeKind.TensorType or any(map(holds_tensors, type.contained))


def is_open(type: Type) -> bool:
    """Whether a type has variables, as those of operators on containers have."""
    return type.kind is TypeKind.VarType or any(map(is_open, type.contained))
