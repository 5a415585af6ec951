"""The types of values: what ``isinstance`` in a program asks for, and what messages name."""

from __future__ import annotations

from typing import Any

from tsc.compiler.types import (
    ANY,
    BOOL,
    COMPLEX,
    DEVICE,
    FLOAT,
    INT,
    NONE,
    STRING,
    TENSOR,
    Device,
    DictType,
    ListType,
    OptionalType,
    TupleType,
    Type,
    TypeKind,
    UnionType,
)
from tsc.runtime.values.ivalue import IValue
from tsc.runtime.values.tensor import Tensor


class Mismatch(Exception):
    """A value has not the type that was asked for; the text says why."""


SIMPLE_TYPES: dict[type[Any], Type] = {
    type(None): NONE,
    bool: BOOL,
    int: INT,
    float: FLOAT,
    complex: COMPLEX,
    str: STRING,
    Tensor: TENSOR,
    Device: DEVICE,
}
"""The types of values that are made of nothing else, by their classes."""


def type_of(value: IValue) -> Type:
    """The type of a value. That of a plain container is told by its first element."""
    known = SIMPLE_TYPES.get(type(value))
    if known is not None:
        return known
    declared = getattr(value, "script_type", None)
    if declared is not None:
        return declared
    if isinstance(value, list):
        return ListType(type_of(value[0]) if value else TENSOR)
    if isinstance(value, dict):
        key, item = next(iter(value.items()), ("", None))
        return DictType(type_of(key), type_of(item) if value else TENSOR)
    if isinstance(value, tuple):
        return TupleType(tuple(map(type_of, value)))
    return next((t for cls, t in SIMPLE_TYPES.items() if isinstance(value, cls)), ANY)


_CLASSES: dict[TypeKind, type] = {
    TypeKind.TensorType: Tensor,
    TypeKind.FloatType: float,
    TypeKind.ComplexType: complex,
    TypeKind.BoolType: bool,
    TypeKind.StringType: str,
    TypeKind.NoneType: type(None),
    TypeKind.DeviceObjType: Device,
    TypeKind.AnyListType: list,
    TypeKind.AnyTupleType: tuple,
}


def has_type(value: Any, wanted: Type) -> bool:
    """Whether a value is of a type, as ``isinstance`` in a program asks.

    Lists and dictionaries answer with the type they were made with: an empty ``List[int]`` is no
    ``List[str]``, and a list of ints is no ``List[Any]`` if it was not made as one.
    """
    known = _CLASSES.get(wanted.kind)
    if known is not None:
        return isinstance(value, known)
    if wanted.kind is TypeKind.IntType:
        return isinstance(value, int) and not isinstance(value, bool)
    return type_of(value).is_subtype_of(wanted)


def fits(value: IValue, wanted: Type) -> bool:
    """Whether a value could be of a type, from what it holds alone: an empty container is of any
    element type.
    """
    if isinstance(wanted, ListType):
        return isinstance(value, list) and all(fits(item, wanted.element) for item in value)
    if isinstance(wanted, TupleType):
        return _fits_tuple(value, wanted)
    if isinstance(wanted, DictType):
        return isinstance(value, dict) and all(
            fits(key, wanted.key) and fits(item, wanted.value) for key, item in value.items()
        )
    if isinstance(wanted, OptionalType):
        return value is None or fits(value, wanted.element)
    if isinstance(wanted, UnionType):
        return any(fits(value, member) for member in wanted.contained)
    known = type_of(value)
    return known == ANY or known.is_subtype_of(wanted)


def _fits_tuple(value: IValue, wanted: TupleType) -> bool:
    if not isinstance(value, tuple) or len(value) != len(wanted.elements):
        return False
    return all(fits(item, element) for item, element in zip(value, wanted.elements))
