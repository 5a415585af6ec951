"""The implicit conversions of an argument to the type a schema wants.

They are few: tuples become lists or tuples of other element types, ``[]`` becomes a list of any
type, and, where conversions are allowed, tensors and bools become numbers, numbers of unknown kind
become ``int``, ``float`` or ``complex``, and strings become devices.
"""

from __future__ import annotations

from tsc.compiler.emit.construction import insert_list, insert_operator, insert_tuple, unpack_tuple
from tsc.compiler.emit.inserter import Inserter
from tsc.compiler.ir import Value, prim
from tsc.compiler.source import SourceRange
from tsc.compiler.types import (
    BOOL,
    COMPLEX,
    DEVICE,
    FLOAT,
    INT,
    NONE,
    NUMBER,
    STRING,
    TENSOR,
    ListType,
    OptionalType,
    TupleType,
    Type,
)

_FROM_TENSOR: dict[Type, str] = {
    FLOAT: "aten::FloatImplicit",
    COMPLEX: "aten::ComplexImplicit",
    INT: "aten::IntImplicit",
    NUMBER: "aten::ScalarImplicit",
}
_FROM_NUMBER: dict[Type, str] = {FLOAT: "aten::Float", COMPLEX: "aten::Complex", INT: "aten::Int"}
_FROM_BOOL: dict[Type, str] = {FLOAT: "aten::Float", INT: "aten::Int", NUMBER: "aten::Int"}


def unwrap_optional(type: Type) -> Type:
    """``T`` for ``Optional[T]``, any other type as it is."""
    return type.element if isinstance(type, OptionalType) else type


def convertible_to_list(type: Type, list_type: Type) -> bool:
    """Whether ``type`` is that list or a tuple of elements that fit into it."""
    if not isinstance(list_type, ListType):
        return False
    if type.is_subtype_of(list_type):
        return True
    if not isinstance(type, TupleType):
        return False
    return all(element.is_subtype_of(list_type.element) for element in type.elements)


def try_convert_to_type(
    range: SourceRange, emitter: Inserter, type: Type, value: Value, *, allow_conversions: bool
) -> Value:
    """``value``, converted towards ``type`` where possible; the caller checks the result."""
    while isinstance(type, OptionalType) and not _may_be_none(value.type):
        type = type.element
    if isinstance(type, ListType) and value.node.kind == prim.EmptyListLiteral:
        value = insert_list(emitter.graph, type.element, [])
    if isinstance(value.type, TupleType):
        value = _convert_tuple(range, emitter, type, value, value.type, allow_conversions)
    return _convert_implicitly(range, emitter, type, value) if allow_conversions else value


def _may_be_none(type: Type) -> bool:
    return isinstance(type, OptionalType) or type.is_subtype_of(NONE)


def _convert_tuple(
    range: SourceRange,
    emitter: Inserter,
    type: Type,
    value: Value,
    actual: TupleType,
    allow_conversions: bool,
) -> Value:
    wanted = unwrap_optional(type)
    if isinstance(wanted, ListType) and convertible_to_list(actual, wanted):
        return insert_list(emitter.graph, wanted.element, unpack_tuple(emitter.graph, value))
    if not isinstance(type, TupleType) or actual.is_subtype_of(type):
        return value
    if len(type.elements) != len(actual.elements):
        return value
    elements = zip(type.elements, unpack_tuple(emitter.graph, value), strict=True)
    converted = [
        try_convert_to_type(range, emitter, to, element, allow_conversions=allow_conversions)
        for to, element in elements
    ]
    return insert_tuple(emitter.graph, converted)


def _convert_implicitly(range: SourceRange, emitter: Inserter, type: Type, value: Value) -> Value:
    actual = value.type
    if type in _FROM_TENSOR and actual.is_subtype_of(TENSOR):
        return insert_operator(emitter, range, _FROM_TENSOR[type], "", [value])
    if actual == NUMBER and type in _FROM_NUMBER:
        return insert_operator(emitter, range, _FROM_NUMBER[type], "Scalar", [value])
    if actual == BOOL and type in _FROM_BOOL:
        return insert_operator(emitter, range, _FROM_BOOL[type], "bool", [value])
    if type == DEVICE and actual.is_subtype_of(STRING):
        return insert_operator(emitter, range, "aten::device", "", [value])
    return value
