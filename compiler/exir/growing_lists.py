"""Lists of which data tells how long they are: which can be, and what may be done to them in branches and loops."""

from __future__ import annotations

from typing import Final

from tsc.compiler.types import Type, TypeKind

CHANGES: Final = frozenset(
    {
        *("aten::append", "aten::insert", "aten::extend", "aten::add_", "aten::pop"),
        *("aten::_set_item", "aten::reverse", "aten::clear"),
    }
)
"""What changes such a list; nodes are told by their kinds."""
_ELEMENTS: Final = (TypeKind.TensorType, TypeKind.IntType, TypeKind.FloatType, TypeKind.BoolType)


def may_grow(type: Type) -> bool:
    """Whether lists of a type can be kept in one tensor: their elements are tensors, or numbers."""
    return type.kind is TypeKind.ListType and type.contained[0].kind in _ELEMENTS
