"""Types made of other types: lists, dicts, tuples, futures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field, replace
from typing import Final

from tsc.compiler.types.base import Type, TypeKind
from tsc.compiler.types.literals import literal_text
from tsc.compiler.value_classes import value_class


@value_class
class ListType(Type):
    """``List[element]``. Lists can be written to, so they are invariant."""

    kind = TypeKind.ListType

    element: Type

    @property
    def contained(self) -> Sequence[Type]:
        return (self.element,)

    def with_contained(self, types: Sequence[Type]) -> Type:
        return ListType(types[0])

    def is_subtype_of(self, other: Type) -> bool:
        return other.kind is TypeKind.AnyListType or Type.is_subtype_of(self, other)

    def __str__(self) -> str:
        return f"{self.element}[]"

    __repr__ = __str__

    @property
    def schema_text(self) -> str:
        return f"{self.element.schema_text}[]"

    @property
    def annotation(self) -> str:
        return f"List[{self.element.annotation}]"


@value_class
class DictType(Type):
    """``Dict[key, value]``."""

    kind = TypeKind.DictType

    key: Type
    value: Type

    @property
    def contained(self) -> Sequence[Type]:
        return (self.key, self.value)

    def with_contained(self, types: Sequence[Type]) -> Type:
        return DictType(types[0], types[1])

    def __str__(self) -> str:
        return f"Dict({self.key.schema_text}, {self.value.schema_text})"

    __repr__ = __str__

    @property
    def annotation(self) -> str:
        return f"Dict[{self.key.annotation}, {self.value.annotation}]"


@value_class
class TupleType(Type):
    """``Tuple[...]``, or a NamedTuple where it has ``field_names``.

    ``name`` is the qualified name ("__torch__.Point") and ``defaults`` belong to the last fields.
    Tuples are covariant; a named tuple is also a tuple without names.
    """

    kind = TypeKind.TupleType

    elements: tuple[Type, ...]
    name: str | None = None
    field_names: tuple[str, ...] | None = None
    defaults: tuple[object, ...] = field(default=(), hash=False)  # lists cannot be hashed

    @property
    def contained(self) -> Sequence[Type]:
        return self.elements

    def with_contained(self, types: Sequence[Type]) -> Type:
        return replace(self, elements=tuple(types))

    def is_subtype_of(self, other: Type) -> bool:
        if Type.is_subtype_of(self, other) or other.kind is TypeKind.AnyTupleType:
            return True
        if not isinstance(other, TupleType) or len(self.elements) != len(other.elements):
            return False
        if other.field_names is not None and self.field_names != other.field_names:
            return False
        return all(a.is_subtype_of(b) for a, b in zip(self.elements, other.elements))

    def field_default(self, index: int) -> tuple[object] | None:
        """The default of a field, wrapped in a tuple since None is a default too."""
        position = index - (len(self.elements) - len(self.defaults))
        return (self.defaults[position],) if position >= 0 else None

    def __str__(self) -> str:
        if self.field_names is None:
            return f"({', '.join(map(str, self.elements))})"
        return f"NamedTuple({', '.join(map(self._field_text, range(len(self.elements))))})"

    __repr__ = __str__

    def _field_text(self, index: int) -> str:
        assert self.field_names is not None
        default = self.field_default(index)
        suffix = "" if default is None else f" = {literal_text(default[0])}"
        return f"{self.field_names[index]} : {self.elements[index]}{suffix}"

    @property
    def schema_text(self) -> str:
        if self.field_names is not None and self.name is not None:
            return self.name
        return f"({', '.join(element.schema_text for element in self.elements)})"

    @property
    def annotation(self) -> str:
        if self.field_names is not None and self.name is not None:
            return self.name
        inner = ", ".join(element.annotation for element in self.elements)
        return f"Tuple[{inner or '()'}]"


@value_class
class _WrapperType(Type):
    """A type around one other."""

    element: Type

    @property
    def contained(self) -> Sequence[Type]:
        return (self.element,)

    def with_contained(self, types: Sequence[Type]) -> Type:
        return replace(self, element=types[0])

    @property
    def _name(self) -> str:
        return self.kind.name.removesuffix("Type")

    def __str__(self) -> str:
        return f"{self._name}[{self.element}]"

    __repr__ = __str__

    @property
    def schema_text(self) -> str:
        return f"{self._name}({self.element.schema_text})"

    @property
    def annotation(self) -> str:
        return f"{self._name}[{self.element.annotation}]"


@value_class
class FutureType(_WrapperType):
    """The result, to come, of a ``fork``: covariant."""

    kind = TypeKind.FutureType

    def is_subtype_of(self, other: Type) -> bool:
        if isinstance(other, FutureType) and self.element.is_subtype_of(other.element):
            return True
        return Type.is_subtype_of(self, other)


@value_class
class RRefType(_WrapperType):
    """A reference to a value in another process: invariant."""

    kind = TypeKind.RRefType


@value_class
class AwaitType(_WrapperType):
    """The result of a call that runs when it is waited for: covariant."""

    kind = TypeKind.AwaitType

    def is_subtype_of(self, other: Type) -> bool:
        if isinstance(other, AwaitType) and self.element.is_subtype_of(other.element):
            return True
        return Type.is_subtype_of(self, other)

    def __str__(self) -> str:
        return self.schema_text

    __repr__ = __str__


EMPTY_TUPLE: Final = TupleType(())
