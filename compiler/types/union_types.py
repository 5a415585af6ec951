"""Optional and Union. Made by ``optional`` and ``union`` in ``unification``, which normalize."""

from __future__ import annotations

from collections.abc import Sequence

from tsc.compiler.types.base import Type, TypeKind
from tsc.compiler.types.simple_types import COMPLEX, FLOAT, INT, NONE, NUMBER
from tsc.compiler.value_classes import value_class

NUMBERS = (FLOAT, COMPLEX, INT)
"""What ``Scalar`` stands for, in the order of a union's members."""


@value_class
class OptionalType(Type):
    """``Optional[element]``: the element or None."""

    kind = TypeKind.OptionalType

    element: Type

    @property
    def contained(self) -> Sequence[Type]:
        return (self.element,)

    def with_contained(self, types: Sequence[Type]) -> Type:
        return OptionalType(types[0])

    def is_subtype_of(self, other: Type) -> bool:
        if isinstance(other, OptionalType):
            return self.element.is_subtype_of(other.element)
        if isinstance(other, UnionType):
            return other.can_hold(NONE) and other.can_hold(self.element)
        return Type.is_subtype_of(self, other)

    def admits(self, other: Type) -> bool:
        return other.is_subtype_of(self.element)

    def why_not_subtype_of(self, other: Type) -> str | None:
        if self.element.is_subtype_of(other):
            return f"{self.annotation} may be None, {other.annotation} may not"
        return None

    def __str__(self) -> str:
        return f"{self.element}?"

    __repr__ = __str__

    @property
    def schema_text(self) -> str:
        return f"{self.element.schema_text}?"

    @property
    def annotation(self) -> str:
        return f"Optional[{self.element.annotation}]"


@value_class
class UnionType(Type):
    """``Union[...]`` of at least two members, flat, without subtypes of each other, sorted."""

    kind = TypeKind.UnionType

    members: tuple[Type, ...]

    @property
    def contained(self) -> Sequence[Type]:
        return self.members

    def with_contained(self, types: Sequence[Type]) -> Type:
        return UnionType(tuple(types))

    def can_hold(self, type: Type) -> bool:
        """Whether every value of ``type`` is one of a member."""
        if type.kind is TypeKind.NumberType:
            return all(number in self.members for number in NUMBERS)
        return any(type.is_subtype_of(member) for member in self.members)

    def is_subtype_of(self, other: Type) -> bool:
        if self == other:
            return True
        alternatives = union_members(other)
        return all(
            any(member.is_subtype_of(alternative) for alternative in alternatives)
            for member in self.members
        )

    def admits(self, other: Type) -> bool:
        return self.can_hold(other)

    def __str__(self) -> str:
        return f"Union({self._member_texts('schema_text')})"

    __repr__ = __str__

    @property
    def annotation(self) -> str:
        return f"Union[{self._member_texts('annotation')}]"

    def _member_texts(self, form: str) -> str:
        """PyTorch gathers int, float and complex as a ``Scalar`` at the end.

        It leaves the comma that stood before the first other member; so do we.
        """
        texts: list[str] = []
        if not self.can_hold(NUMBER):
            return ", ".join(getattr(member, form) for member in self.members)
        for index, member in enumerate(self.members):
            if member not in NUMBERS:
                texts.append((", " if index > 0 else "") + getattr(member, form))
        return f"{''.join(texts)}, {getattr(NUMBER, form)}"


def union_members(type: Type) -> tuple[Type, ...]:
    """What a type is a choice of: itself alone, unless it is a Union, an Optional or Scalar."""
    if isinstance(type, UnionType):
        return type.members
    if type.kind is TypeKind.NumberType:
        return NUMBERS
    if isinstance(type, OptionalType):
        return (NONE, *(NUMBERS if type.element == NUMBER else (type.element,)))
    return (type,)
