"""Where the type of a variable must be written, since its values do not tell it."""

from __future__ import annotations

from typing import Final

from tsc.compiler.ir import Value
from tsc.compiler.types import TypeKind, unify_types

_ALTERNATIVES: Final = (TypeKind.OptionalType, TypeKind.UnionType)


def needs_annotation(target: Value, value: Value) -> bool:
    """Whether the variable may hold more than its first value shows."""
    return target.type.kind is TypeKind.OptionalType or target.type != value.type


def told_by_branches(target: Value, value: Value, other: Value) -> bool:
    """Whether the variable's type is what the types of its two values unify to."""
    return unify_types(value.type, other.type) == target.type


def is_told_by_values(target: Value, value: Value, other: Value) -> bool:
    """The same, where a type of several alternatives is always written."""
    return target.type.kind not in _ALTERNATIVES and told_by_branches(target, value, other)
