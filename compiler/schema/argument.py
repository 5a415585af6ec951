"""One argument, or one return value, of a schema."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, cast

from tsc.compiler.schema.alias_info import AliasInfo
from tsc.compiler.types import (
    ListType,
    OptionalType,
    TupleType,
    Type,
    TypeKind,
    UnionType,
    literal_text,
)
from tsc.compiler.value_classes import value_class


class NoDefault:
    """The class of ``NO_DEFAULT``: None is a default of its own."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "NO_DEFAULT"


NO_DEFAULT: Final = NoDefault()

_ESCAPES: Final = {
    **{ord(quoted): f"\\{quoted}" for quoted in "\\'\""},
    **{ord(raw): f"\\{letter}" for raw, letter in zip("\a\b\f\n\r\t\v", "abfnrtv")},
    **{code: f"\\{code:03o}" for code in (*range(7), *range(14, 32), 127)},
}


@value_class
class Argument:
    """An argument of a schema.

    ``type`` is the type that values have and that matching uses; ``declared_type`` the one the text
    shows, where ``SymInt``, ``ScalarType``, ``Layout`` and ``MemoryFormat`` are still apart.
    ``list_size`` is the 2 of ``int[2]``: one int may stand for two. A default that is a list is a
    tuple here.
    """

    name: str
    type: Type
    declared_type: Type
    list_size: int | None = None
    default: object = NO_DEFAULT
    kwarg_only: bool = False
    alias_info: AliasInfo | None = None

    @staticmethod
    def of(name: str, type: Type, default: object = NO_DEFAULT) -> Argument:
        """A plain argument, as functions have them."""
        return Argument(name, type, type, default=default)

    @property
    def has_default(self) -> bool:
        return self.default is not NO_DEFAULT

    @property
    def is_write(self) -> bool:
        return self.alias_info is not None and self.alias_info.is_write

    def __str__(self) -> str:
        name = f" {self.name}" if self.name else ""
        return f"{self._type_text()}{name}{self._default_text()}"

    def _type_text(self) -> str:
        type, suffix = self.declared_type, ""
        if isinstance(type, OptionalType):
            type, suffix = type.element, "?"
        alias = self.alias_info
        outer = str(alias) if alias is not None and alias.before else ""
        if not isinstance(type, ListType):
            return f"{type.schema_text}{outer}{suffix}"
        inner = str(alias.contained[0]) if alias is not None and alias.contained else ""
        size = "" if self.list_size is None else str(self.list_size)
        return f"{type.element.schema_text}{inner}[{size}]{outer}{suffix}"

    def _default_text(self) -> str:
        if isinstance(self.default, NoDefault):
            return ""
        type = self.declared_type
        inner = type.element if isinstance(type, OptionalType) else type
        if isinstance(self.default, str) and inner.kind is TypeKind.StringType:
            return f"={quoted(self.default)}"
        if isinstance(type, ListType) and isinstance(self.default, tuple):
            return f"={_list_text(type, cast(Sequence[object], self.default))}"
        if isinstance(inner, ListType) and isinstance(self.default, tuple):
            return f"={literal_text(list(cast(Sequence[object], self.default)))}"
        return f"={literal_text(self.default)}"


def default_value(default: object, type: Type) -> object:
    """A default as a value of `type`: lists, which schemas keep as tuples, are made anew."""
    if not isinstance(default, tuple):
        return default
    items = cast(Sequence[object], default)
    type = _type_of_sequence(type)
    if isinstance(type, TupleType):
        return tuple(default_value(item, each) for item, each in zip(items, type.elements))
    element = type.element if isinstance(type, ListType) else type
    return [default_value(item, element) for item in items]


def _type_of_sequence(type: Type) -> Type:
    """The list or tuple that an `Optional` or a `Union` can be; the type itself if it is neither."""
    if not isinstance(type, OptionalType | UnionType):
        return type
    return next((each for each in type.contained if isinstance(each, ListType | TupleType)), type)


def quoted(text: str) -> str:
    """A string in double quotes, escaped as PyTorch does."""
    return f'"{text.translate(_ESCAPES)}"'


def _list_text(type: ListType, default: Sequence[object]) -> str:
    items = list(default)
    if type.element.kind is TypeKind.IntType and len(items) > 1 and len(set(items)) == 1:
        return literal_text(items[0])
    return literal_text(items)
