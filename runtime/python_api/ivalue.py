"""Values of a running program, and how values from Python become such values.

A value is plain Python: int (of 64 bits), float, complex, bool, str, None, list, tuple, dict,
`Tensor`, `Device`, `EnumMember`. dtypes, layouts and memory formats are ints. Lists and dictionaries from outside
are copied, arrays are shared.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from contextlib import suppress
from enum import Enum
from typing import Any

import numpy as np

from tsc.compiler.types import (
    ClassType,
    Device,
    DictType,
    EnumMember,
    EnumType,
    InterfaceType,
    ListType,
    OptionalType,
    TupleType,
    Type,
    TypeKind,
    UnionType,
)
from tsc.runtime.arrays.dtypes import DTYPE_OF_NUMPY, DType, with_known_dtype
from tsc.runtime.arrays.integers import LARGEST, SMALLEST
from tsc.runtime.context.hooks import foreign_tensors
from tsc.runtime.python_api.classes_of_python import script_class_of
from tsc.runtime.python_api.inferred_values import inferred
from tsc.runtime.values.objects import ScriptObject
from tsc.runtime.values.tensor import Tensor, wrap
from tsc.runtime.values.tuple_classes import tuple_class
from tsc.runtime.values.typed_containers import dictionary_class, list_class
from tsc.runtime.values.value_types import Mismatch

__all__ = ["Convert", "Mismatch", "converter", "exact_type", "to_shared_tensor"]

Convert = Callable[[Any], Any]


def mismatch(value: object, wanted: str) -> Mismatch:
    if type(value) is int and wanted in ("int", "float", "complex"):
        return Mismatch(f"{value} does not fit into 64 bits")
    return Mismatch(f"Unable to cast a Python value of type {type(value).__name__} to {wanted}")


# -- Into the program --------------------------------------------------------------------------


def to_tensor(value: Any) -> Tensor:
    if isinstance(value, Tensor):
        return value
    if isinstance(value, np.ndarray):
        return to_shared_tensor(value)
    if type(value).__module__.startswith("torch"):
        foreign = foreign_tensors()
        if foreign.is_torch_tensor(value):
            return foreign.shared_tensor(value)
    raise Mismatch(f"Unable to cast {value!r} to Tensor")


def to_shared_tensor(array: np.ndarray) -> Tensor:
    """A tensor that shares the memory of an array."""
    if array.dtype not in DTYPE_OF_NUMPY:
        raise Mismatch(f"there is no torch dtype for arrays of {array.dtype}")
    return wrap(with_known_dtype(array))


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
        with suppress(ValueError):
            return Device.parse(value)
    raise mismatch(value, "Device")


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
def converter(wanted: Type, *, typed: bool = False) -> Convert:
    """The function that turns a Python value into one of the type `wanted`, or raises `Mismatch`.

    With `typed`, lists and dictionaries know what they hold.
    """
    simple = _SIMPLE.get(wanted.kind)
    if simple is not None:
        return simple
    if isinstance(wanted, OptionalType):
        return _optional_converter(converter(wanted.element, typed=typed))
    if isinstance(wanted, ListType):
        return _list_converter(wanted, typed)
    if isinstance(wanted, DictType):
        return _dictionary_converter(wanted, typed)
    if isinstance(wanted, TupleType):
        return _tuple_converter(wanted, typed)
    if isinstance(wanted, EnumType):
        return _enum_converter(wanted)
    if isinstance(wanted, ClassType | InterfaceType):
        return _object_converter(wanted)
    return _inferred_converter(wanted)


def _optional_converter(convert: Convert) -> Convert:
    return lambda value: None if value is None else convert(value)


def _list_converter(wanted: ListType, typed: bool) -> Convert:
    convert = converter(wanted.element, typed=typed)

    def to_list(value: Any) -> list[Any]:
        if isinstance(value, Tensor | dict | set) or not hasattr(value, "__iter__"):
            raise mismatch(value, wanted.annotation)
        return [convert(item) for item in value]

    if not typed:
        return to_list
    make = list_class(wanted)
    return lambda value: make(to_list(value))


def _dictionary_converter(wanted: DictType, typed: bool) -> Convert:
    to_key, to_value = converter(wanted.key), converter(wanted.value, typed=typed)

    def to_dictionary(value: Any) -> dict[Any, Any]:
        if not isinstance(value, dict):
            raise mismatch(value, wanted.annotation)
        return {to_key(key): to_value(item) for key, item in value.items()}

    if not typed:
        return to_dictionary
    make = dictionary_class(wanted)
    return lambda value: make(to_dictionary(value))


def _tuple_converter(wanted: TupleType, typed: bool) -> Convert:
    converters = [converter(element, typed=typed) for element in wanted.elements]
    make = tuple_class(wanted)

    def to_tuple(value: Any) -> tuple[Any, ...]:
        if not isinstance(value, tuple | list):
            raise mismatch(value, wanted.annotation)
        if len(value) != len(converters):
            found, expected = len(value), len(converters)
            raise Mismatch(f"it has {found} items where {wanted.annotation} has {expected}")
        return make(convert(item) for convert, item in zip(converters, value))

    return to_tuple


def _enum_converter(wanted: EnumType) -> Convert:
    """A member as programs return it, or the member of a Python enum with the same name and value."""
    values = dict(wanted.members)

    def to_member(value: Any) -> EnumMember:
        if isinstance(value, EnumMember):
            if value.script_type == wanted:
                return value
        elif isinstance(value, Enum) and type(value).__name__ == wanted.name:
            member = wanted.member(value.name)
            if member is not None and values[value.name] == value.value:
                return member
        raise mismatch(value, wanted.annotation)

    return to_member


def _object_converter(wanted: ClassType | InterfaceType) -> Convert:
    """An object of the class itself, or of any class that has the methods of the interface."""

    def to_object(value: Any) -> Any:
        type = getattr(value, "script_type", None)
        if isinstance(type, ClassType) and type.is_subtype_of(wanted):
            return value
        own = script_class_of(value)
        if own is not None and own.is_subtype_of(wanted):
            return _copied_object(value, own)
        raise mismatch(value, wanted.annotation)

    return to_object


def _copied_object(value: Any, type: ClassType) -> Any:
    """An object that Python made of a class, as one of the program, with the same attributes."""
    made = ScriptObject(type)
    for name, attribute in type.attributes.items():
        if not hasattr(value, name):
            raise Mismatch(f"the object of '{type.name}' has no attribute '{name}'")
        made.script_attributes[name] = converter(attribute.type)(getattr(value, name))
    return made


def _inferred_converter(wanted: Type) -> Convert:
    """For `Any` and Unions: no conversion, the value must be of one of the types."""

    def convert(value: Any) -> Any:
        result, found = inferred(value)
        if not found.is_subtype_of(wanted):
            expected = (
                f"a member of {wanted.annotation}" if isinstance(wanted, UnionType) else wanted
            )
            raise Mismatch(f"Expected {expected} but instead found type {found.annotation}")
        return result

    return convert
