"""What Python sees of a program's classes: a named tuple, or an enum with members to pass."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

from tsc.compiler.ir import Function
from tsc.compiler.types import ClassType, EnumMember, EnumType, InterfaceType, TupleType
from tsc.runtime.python_api.object_face import BoundMethod
from tsc.runtime.python_api.script_function import ScriptFunction
from tsc.runtime.values.objects import ScriptObject, method_of
from tsc.runtime.values.tuple_classes import named_tuple_class


def python_class(type: TupleType | EnumType | ClassType | InterfaceType) -> Any:
    """What makes values of a class in Python; an interface is only a type."""
    match type:
        case TupleType():
            return named_tuple_class(type)
        case EnumType():
            return ScriptEnum(type)
        case ClassType():
            return ScriptClass(type)
        case InterfaceType():
            return type


class ScriptClass:
    """A class of a program: a call makes an object, static methods are attributes."""

    __slots__ = ("script_type",)

    def __init__(self, type: ClassType) -> None:
        self.script_type = type

    def __call__(self, *args: Any, **kwargs: Any) -> ScriptObject:
        made = ScriptObject(self.script_type)
        if "__init__" in self.script_type.methods:
            BoundMethod(made, method_of(made, "__init__"))(*args, **kwargs)
        return made

    def __getattr__(self, name: str) -> Any:
        type = self.script_type
        if name in type.static_methods:
            return ScriptFunction(cast("Function", type.static_methods[name]))
        if name in type.methods:
            return ScriptFunction(cast("Function", type.methods[name]))
        if name in type.constants:
            return type.constants[name]
        raise AttributeError(f"{self!r} has no attribute {name!r}")

    def __repr__(self) -> str:
        return f"<class '{self.script_type.qualified_name}'>"


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
