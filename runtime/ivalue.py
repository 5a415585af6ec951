"""Values of a running program, and how values from Python become such values.

A value is plain Python: int (of 64 bits), float, complex, bool, str, None, list, tuple, dict,
`Tensor`, `Device`. dtypes, layouts and memory formats are ints. Lists and dictionaries from outside
are copied, arrays are shared.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from compiler.types import (
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
from runtime.dtypes import DTYPE_OF_NUMPY, DType
from runtime.integers import LARGEST, SMALLEST
from runtime.tensor import Tensor, wrap
from runtime.tuple_classes import tuple_class

Convert = Callable[[Any], Any]


class Mismatch(Exception):
    """A value has not the type that was asked for; the text says why."""


def mismatch(value: object, wanted: str) -> Mismatch:
    if type(value) is int and wanted in ("int", "float", "complex"):
        return Mismatch(f"{value} does not fit into 64 bits")
    return Mismatch(f"Unable to cast a Python value of type {type(value).__name__} to {wanted}")


# -- Into the program --------------------------------------------------------------------------


def to_tensor(value: Any) -> Tensor:
    if type(value) is Tensor:
        return value
    if isinstance(value, np.ndarray):
        return to_shared_tensor(value)
    raise Mismatch(f"Unable to cast {value!r} to Tensor")


def to_shared_tensor(array: np.ndarray) -> Tensor:
    """A tensor that shares the memory of an array."""
    if array.dtype not in DTYPE_OF_NUMPY:
        raise Mismatch(f"there is no torch dtype for arrays of {array.dtype}")
    return wrap(array)


def to_int(value: Any) -> int:
    if type(value) is int and SMALLEST <= value <= LARGEST:
        return value
    if isinstance(value, bool | np.bool_):
        return int(value)
    if isinstance(value, DType):
        return value.code
    if isinstance(value, Tensor) and value.array.size == 1:
        return int(value.item().real)
    if isinstance(value, np.integer) and SMALLEST <= int(value) <= LARGEST:
        return int(value)
    raise mismatch(value, "int")


def to_float(value: Any) -> float:
    if type(value) is float:
        return value
    if isinstance(value, int | float | np.bool_ | np.integer | np.floating):
        return _within_range(float, value)
    if isinstance(value, Tensor) and value.array.size == 1:
        return float(value.item().real)
    raise mismatch(value, "float")


def to_complex(value: Any) -> complex:
    if isinstance(value, int | float | complex | np.number):
        return _within_range(complex, value)
    if isinstance(value, Tensor) and value.array.size == 1:
        return complex(value.item())
    raise mismatch(value, "complex")


def _within_range(convert: Callable[[Any], Any], value: Any) -> Any:
    try:
        return convert(value)
    except OverflowError:
        raise mismatch(value, convert.__name__) from None


def to_bool(value: Any) -> bool:
    if isinstance(value, bool | int | float | np.bool_ | np.number):
        return bool(value)
    if isinstance(value, Tensor) and value.array.size == 1:
        return bool(value.item())
    raise mismatch(value, "bool")


def to_number(value: Any) -> int | float | complex:
    if isinstance(value, bool | np.bool_):
        return bool(value)
    if isinstance(value, int | np.integer):
        return to_int(value)
    if isinstance(value, float | np.floating):
        return float(value)
    return to_complex(value)


def to_str(value: Any) -> str:
    if isinstance(value, str):
        return value
    raise mismatch(value, "str")


def to_none(value: Any) -> None:
    if value is not None:
        raise mismatch(value, "None")


def to_device(value: Any) -> Device:
    if isinstance(value, Device):
        return value
    if isinstance(value, str):
        kind, colon, index = value.partition(":")
        if not colon:
            return Device(kind, None)
        if index.isdecimal():
            return Device(kind, int(index))
    raise mismatch(value, "Device")


def to_any(value: Any) -> Any:
    """A value of whatever type: containers are checked for what they hold."""
    if value is None or isinstance(value, bool | float | complex | str | Tensor | Device):
        return value
    if isinstance(value, int):
        return to_int(value)
    if isinstance(value, list):
        return [to_any(item) for item in value]
    if isinstance(value, tuple):
        return tuple(map(to_any, value))
    if isinstance(value, dict):
        return {to_any(key): to_any(item) for key, item in value.items()}
    if isinstance(value, np.ndarray):
        return to_shared_tensor(value)
    if isinstance(value, np.generic):
        return to_any(value.item())
    raise mismatch(value, "a TorchScript value")


_SIMPLE: dict[TypeKind, Convert] = {
    TypeKind.TensorType: to_tensor,
    TypeKind.IntType: to_int,
    TypeKind.FloatType: to_float,
    TypeKind.ComplexType: to_complex,
    TypeKind.BoolType: to_bool,
    TypeKind.NumberType: to_number,
    TypeKind.StringType: to_str,
    TypeKind.NoneType: to_none,
    TypeKind.DeviceObjType: to_device,
}


_EXACT: dict[TypeKind, type] = {
    TypeKind.TensorType: Tensor,
    TypeKind.FloatType: float,
    TypeKind.BoolType: bool,
    TypeKind.StringType: str,
}


def exact_type(wanted: Type) -> type | None:
    """The Python type whose values are all of the type `wanted`, and need no conversion."""
    return _EXACT.get(wanted.kind)


@functools.cache
def converter(wanted: Type) -> Convert:
    """The function that turns a Python value into one of the type `wanted`, or raises `Mismatch`."""
    simple = _SIMPLE.get(wanted.kind)
    if simple is not None:
        return simple
    if isinstance(wanted, OptionalType):
        return _optional_converter(converter(wanted.element))
    if isinstance(wanted, ListType):
        return _list_converter(wanted)
    if isinstance(wanted, DictType):
        return _dictionary_converter(wanted)
    if isinstance(wanted, TupleType):
        return _tuple_converter(wanted)
    if isinstance(wanted, UnionType):
        return _union_converter(wanted)
    return to_any


def _optional_converter(convert: Convert) -> Convert:
    return lambda value: None if value is None else convert(value)


def _list_converter(wanted: ListType) -> Convert:
    convert = converter(wanted.element)

    def to_list(value: Any) -> list[Any]:
        if isinstance(value, Tensor | dict | set) or not hasattr(value, "__iter__"):
            raise mismatch(value, wanted.annotation)
        return [convert(item) for item in value]

    return to_list


def _dictionary_converter(wanted: DictType) -> Convert:
    to_key, to_value = converter(wanted.key), converter(wanted.value)

    def to_dictionary(value: Any) -> dict[Any, Any]:
        if not isinstance(value, dict):
            raise mismatch(value, wanted.annotation)
        return {to_key(key): to_value(item) for key, item in value.items()}

    return to_dictionary


def _tuple_converter(wanted: TupleType) -> Convert:
    converters = [converter(element) for element in wanted.elements]
    make = tuple_class(wanted)

    def to_tuple(value: Any) -> tuple[Any, ...]:
        if not isinstance(value, tuple | list):
            raise mismatch(value, wanted.annotation)
        if len(value) != len(converters):
            found, expected = len(value), len(converters)
            raise Mismatch(f"it has {found} items where {wanted.annotation} has {expected}")
        return make(convert(item) for convert, item in zip(converters, value))

    return to_tuple


def _union_converter(wanted: UnionType) -> Convert:
    """The member that the value already has; else the first one it converts to."""
    members = [(member, converter(member)) for member in wanted.contained]

    def to_member(value: Any) -> Any:
        for member, convert in members:
            if has_type(value, member):
                return convert(value)
        for _, convert in members:
            try:
                return convert(value)
            except Mismatch:
                continue
        found = type_of(to_any(value)).annotation
        raise Mismatch(f"Expected a member of {wanted.annotation} but instead found type {found}")

    return to_member


# -- Types of values ---------------------------------------------------------------------------

_TYPES_OF_CLASSES: dict[type, Type] = {
    type(None): NONE,
    bool: BOOL,
    int: INT,
    float: FLOAT,
    complex: COMPLEX,
    str: STRING,
    Tensor: TENSOR,
    Device: DEVICE,
}


def type_of(value: Any) -> Type:
    """The type of a value by itself; that of a container is told by its first element."""
    if isinstance(value, list):
        return ListType(type_of(value[0]) if value else TENSOR)
    if isinstance(value, dict):
        key, item = next(iter(value.items()), ("", None))
        return DictType(type_of(key), type_of(item) if value else TENSOR)
    if isinstance(value, tuple):
        return TupleType(tuple(map(type_of, value)))
    return _TYPES_OF_CLASSES.get(type(value), ANY)


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
    """Whether a value is of a type, as ``isinstance`` in a program asks. An empty container is of
    any element type.
    """
    known = _CLASSES.get(wanted.kind)
    if known is not None:
        return isinstance(value, known)
    if wanted.kind is TypeKind.IntType:
        return isinstance(value, int) and not isinstance(value, bool)
    if wanted.kind is TypeKind.NumberType:
        return isinstance(value, int | float | complex) and not isinstance(value, bool)
    if isinstance(wanted, ListType):
        return isinstance(value, list) and all(has_type(item, wanted.element) for item in value)
    if isinstance(wanted, TupleType):
        return _is_tuple_of(value, wanted)
    if isinstance(wanted, DictType):
        return isinstance(value, dict) and all(
            has_type(key, wanted.key) and has_type(item, wanted.value)
            for key, item in value.items()
        )
    if isinstance(wanted, OptionalType):
        return value is None or has_type(value, wanted.element)
    if isinstance(wanted, UnionType):
        return any(has_type(value, member) for member in wanted.contained)
    return True


def _is_tuple_of(value: Any, wanted: TupleType) -> bool:
    if not isinstance(value, tuple) or len(value) != len(wanted.elements):
        return False
    if wanted.field_names is not None and getattr(value, "_fields", None) != wanted.field_names:
        return False
    return all(has_type(item, element) for item, element in zip(value, wanted.elements))
