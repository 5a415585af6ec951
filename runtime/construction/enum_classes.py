"""Enums: their members are the compiler's `EnumMember`, so that programs take them as they are."""

from __future__ import annotations

from typing import Any

from tsc.compiler.ir import infer_constant_type
from tsc.compiler.types import ANY, EnumMember, EnumType, Type, unify_all
from tsc.runtime.construction.python_types import FLOAT, INT, OBJECT, STR
from tsc.runtime.construction.values.classes import ClassObject
from tsc.runtime.construction.values.functions import (
    ClassMethod,
    FunctionObject,
    NativeFunction,
    PropertyObject,
    StaticMethod,
)
from tsc.runtime.construction.values.protocol import MISSING, Evaluator


class Automatic:
    """``enum.auto()``"""


def _of_value(_evaluator: Evaluator, cls: ClassObject, value: Any) -> Any:
    """``Color(1)``"""
    for member in cls.attributes.get("__members__", {}).values():
        if member is value or member.value == value:
            return member
    raise ValueError(f"{value!r} is not a valid {cls.name}")


ENUM = ClassObject("Enum", "enum.Enum", (OBJECT,), create=_of_value)
INT_ENUM = ClassObject("IntEnum", "enum.IntEnum", (INT, ENUM), create=_of_value)
STR_ENUM = ClassObject("StrEnum", "enum.StrEnum", (STR, ENUM), create=_of_value)
FLAG = ClassObject("Flag", "enum.Flag", (ENUM,))

_MIXED = (FLAG, INT, STR, FLOAT)

_NO_MEMBERS = (FunctionObject, PropertyObject, StaticMethod, ClassMethod, NativeFunction)


def complete_enum(evaluator: Evaluator, cls: ClassObject) -> None:
    """Make the plain attributes of an enum's body its members."""
    values: dict[str, Any] = {}
    for name, value in cls.attributes.items():
        if not name.startswith("_") and not isinstance(value, _NO_MEMBERS):
            values[name] = _automatic(cls, name, values) if isinstance(value, Automatic) else value
    type = EnumType(cls.qualified_name, _value_type(list(values.values())), tuple(values.items()))
    members: dict[str, EnumMember] = {}
    for name, value in values.items():
        same = next((each for each in members.values() if each.value == value), None)
        members[name] = same or EnumMember(type, name, value)
    cls.attributes.update(members)
    cls.attributes["__members__"] = members
    cls.create = _of_value
    evaluator.enum_classes[cls.qualified_name] = cls


def _automatic(cls: ClassObject, name: str, before: dict[str, Any]) -> Any:
    if STR_ENUM in cls.mro:
        return name.lower()
    if FLAG in cls.mro:
        return 1 << len(before)
    numbers = [each for each in before.values() if isinstance(each, int)]
    return max(numbers) + 1 if numbers else 1


def _value_type(values: list[Any]) -> Type:
    """The type that the values have in common; `ANY` if programs cannot use them."""
    simple = (int, float, str, bool)
    if not values or not all(isinstance(each, simple) for each in values):
        return ANY
    found = unify_all([infer_constant_type(each) for each in values])
    return found if isinstance(found, Type) else ANY


def enum_class(evaluator: Evaluator, member: EnumMember) -> ClassObject:
    """The class of a member."""
    name = member.script_type.qualified_name
    found = evaluator.enum_classes.get(name, MISSING)
    return ENUM if found is MISSING else found


def is_mixed(evaluator: Evaluator, member: EnumMember) -> bool:
    """Whether a member is an int, a float or a str, too: of an ``IntEnum``, or ``(str, Enum)``."""
    return any(each in _MIXED for each in enum_class(evaluator, member).mro)


def is_shown_as_value(cls: ClassObject) -> bool:
    """Whether ``str`` of a member is that of its value."""
    return INT_ENUM in cls.mro or STR_ENUM in cls.mro
