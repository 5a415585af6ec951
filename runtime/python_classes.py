"""What Python sees of a program's classes: a named tuple, or an enum with members to pass."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from compiler.types import EnumMember, EnumType, TupleType
from runtime.tuple_classes import named_tuple_class


def python_class(type: TupleType | EnumType) -> Any:
    """What makes values of a class in Python."""
    return ScriptEnum(type) if isinstance(type, EnumType) else named_tuple_class(type)


class ScriptEnum:
    """An enum of a program: ``Color.RED``, ``Color["RED"]``, ``Color(1)``, ``list(Color)``."""

    __slots__ = ("_type",)

    def __init__(self, type: EnumType) -> None:
        self._type = type

    def __getattr__(self, name: str) -> EnumMember:
        member = self._type.member(name)
        if member is None:
            raise AttributeError(f"{self!r} has no member {name!r}")
        return member

    def __getitem__(self, name: str) -> EnumMember:
        member = self._type.member(name)
        if member is None:
            raise KeyError(name)
        return member

    def __call__(self, value: object) -> EnumMember:
        for member in self:
            if member.value == value:
                return member
        raise ValueError(f"{value!r} is not a valid {self._type.name}")

    def __iter__(self) -> Iterator[EnumMember]:
        return (self[name] for name, _ in self._type.members)

    def __len__(self) -> int:
        return len(self._type.members)

    def __repr__(self) -> str:
        return f"<enum '{self._type.name}'>"
