"""Members of enums: their names and values. They are compared with the numbers and strings."""

from __future__ import annotations

from tsc.compiler.types import EnumMember
from tsc.runtime.operators.registration import operator


@operator("prim::EnumName(AnyEnumType enum) -> str")
def enum_name(enum: EnumMember) -> str:
    return enum.name


@operator(
    "prim::EnumValue.int(AnyEnumType enum) -> int",
    "prim::EnumValue.float(AnyEnumType enum) -> float",
    "prim::EnumValue.str(AnyEnumType enum) -> str",
)
def enum_value(enum: EnumMember) -> object:
    return enum.value
