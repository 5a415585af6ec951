"""Values of a running program, and how values from Python become such values.

A value is plain Python: int (of 64 bits), float, complex, bool, str, None, list, tuple, dict,
`Tensor`, `Device`, `EnumMember`. dtypes, layouts and memory formats are ints. Lists and dictionaries from outside
are copied, arrays are shared.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable
from enum import Enum
from typing import Any

import numpy as np

from tsc.compiler.budget import charge_step
from tsc.compiler.types import (
    INT,
    STRING,
    ClassType,
    DictType,
    EnumMember,
    EnumType,
    FutureType,
    InterfaceType,
    ListType,
    OptionalType,
    TupleType,
    Type,
    UnionType,
    unify_types,
)
from tsc.runtime.arrays.dtypes import DTYPE_OF_NUMPY, DType
from tsc.runtime.arrays.integers import LARGEST, SMALLEST
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.python_api.classes_of_python import script_class_of
from tsc.runtime.python_api.simple_values import (
    SIMPLE,
    Convert,
    exact_type,
    mismatch,
    own_value,
    to_shared_tensor,
    to_str,
    too_long,
)
from tsc.runtime.python_api.whole_containers import taken_dictionary, taken_list
from tsc.runtime.values.futures import Future
from tsc.runtime.values.objects import ScriptObject
from tsc.runtime.values.tensor import Tensor, wrap
from tsc.runtime.values.tuple_classes import tuple_class
from tsc.runtime.values.typed_containers import dictionary_class, list_class
from tsc.runtime.values.value_types import SIMPLE_TYPES, Mismatch, type_of

__all__ = ["Convert", "Mismatch", "converter", "exact_type", "to_shared_tensor"]


@functools.cache
def converter(wanted: Type, *, typed: bool = False) -> Convert:
    """The function that turns a Python value into one of the type `wanted`, or raises `Mismatch`.

    With `typed`, lists and dictionaries know what they hold.
    """
    simple = SIMPLE.get(wanted.kind)
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
    if isinstance(wanted, FutureType):
        return _future_converter(wanted)
    return _inferred_converter(wanted)


def _optional_converter(convert: Convert) -> Convert:
    return lambda value: None if value is None else convert(value)


def _list_converter(wanted: ListType, typed: bool) -> Convert:
    convert, take = converter(wanted.element, typed=typed), taken_list(wanted)

    def to_list(value: Any) -> list[Any]:
        if type(value) is list and not typed and (whole := take(value)) is not None:
            return whole
        if isinstance(value, Tensor | dict | set) or not hasattr(value, "__iter__"):
            raise mismatch(value, wanted.annotation)
        return [convert(item) for item in value]

    if not typed:
        return to_list
    make = list_class(wanted)
    return lambda value: make(to_list(value))


def _dictionary_converter(wanted: DictType, typed: bool) -> Convert:
    to_key, to_value = converter(wanted.key), converter(wanted.value, typed=typed)
    take = taken_dictionary(wanted)

    def to_dictionary(value: Any) -> dict[Any, Any]:
        if type(value) is dict and not typed and (whole := take(value)) is not None:
            return whole
        if not isinstance(value, dict):
            value = _dictionary_of_pairs(value, wanted)
        return {to_key(key): to_value(item) for key, item in value.items()}

    if not typed:
        return to_dictionary
    make = dictionary_class(wanted)
    return lambda value: make(to_dictionary(value))


def _dictionary_of_pairs(value: Any, wanted: DictType) -> dict[Any, Any]:
    """What `dict` makes of a list of pairs, or of another mapping."""
    try:
        return dict(value)
    except (TypeError, ValueError):
        raise mismatch(value, wanted.annotation) from None


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


def _future_converter(wanted: FutureType) -> Convert:
    """One of the type; what comes of one that Python made is converted when it is there."""
    convert = converter(wanted.element)

    def to_future(value: Any) -> Any:
        if not isinstance(value, Future):
            raise mismatch(value, wanted.annotation)
        if value.is_typed:
            if value.script_type.is_subtype_of(wanted):
                return value
            found = value.script_type.annotation
            raise Mismatch(f"Expected {wanted.annotation} but instead found type {found}")
        return value.then(lambda ended: _result_of(ended, convert), wanted)

    return to_future


def _result_of(ended: Future[Any], convert: Convert) -> Any:
    try:
        return convert(ended.wait())
    except Mismatch as problem:
        raise ScriptError("RuntimeError", f"the result of a Future: {problem}") from None


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


# -- Values of unknown type ----------------------------------------------------------------------


def inferred(value: Any) -> tuple[Any, Type]:
    """The value that a program gets for one from Python, and its type.

    Containers must hold something, of one type. Raises Mismatch.
    """
    if type(value) is int or isinstance(value, np.integer):
        return _fitting(int(value)), INT
    if type(value) is str:
        return to_str(value), STRING
    if type(value) in SIMPLE_TYPES:
        return value, SIMPLE_TYPES[type(value)]
    if isinstance(value, list):
        return _inferred_list(value)
    if isinstance(value, dict):
        return _inferred_dictionary(value)
    if isinstance(value, tuple):
        return _inferred_tuple(value)
    return _inferred_other(value)


def _fitting(value: int) -> int:
    if SMALLEST <= value <= LARGEST:
        return value
    raise too_long(value)


def _inferred_list(values: list[Any]) -> tuple[Any, Type]:
    if not values:
        raise Mismatch("a list must have elements for its type to be known")
    items, element = _inferred_all(values, "Lists must have a consistent element type")
    type_ = ListType(element)
    return list_class(type_)(items), type_


def _inferred_dictionary(values: dict[Any, Any]) -> tuple[Any, Type]:
    if not values:
        raise Mismatch("a dictionary must have entries for its type to be known")
    message = "Dictionaries must have a consistent type"
    keys, key = _inferred_all(values, message)
    items, item = _inferred_all(values.values(), message)
    type_ = DictType(key, item)
    return dictionary_class(type_)(zip(keys, items)), type_


def _inferred_all(values: Iterable[Any], message: str) -> tuple[list[Any], Type]:
    """The members of a container, and the type that holds them all."""
    charge_step()
    pairs = [inferred(value) for value in values]
    common = pairs[0][1]
    for _, type_ in pairs[1:]:
        unified = unify_types(common, type_)
        if unified is None:
            raise Mismatch(f"{message}. Found {common.annotation} and {type_.annotation}")
        common = unified
    return [value for value, _ in pairs], common


def _inferred_tuple(values: tuple[Any, ...]) -> tuple[Any, Type]:
    charge_step()
    pairs = [inferred(value) for value in values]
    declared = getattr(values, "script_type", None)
    if declared is not None:
        return type(values)(*(value for value, _ in pairs)), declared
    return tuple(value for value, _ in pairs), TupleType(tuple(type_ for _, type_ in pairs))


def _inferred_other(value: Any) -> tuple[Any, Type]:
    if isinstance(value, DType):
        return value.code, INT
    if isinstance(value, np.ndarray) and value.dtype in DTYPE_OF_NUMPY:
        return inferred(wrap(value))
    if isinstance(value, np.generic):
        return inferred(value.item())
    if isinstance(value, Tensor | EnumMember | bool | int | float | complex | str):
        return value, type_of(value)
    declared = getattr(value, "script_type", None)
    if declared is not None:
        return value, declared
    own = script_class_of(value)
    if own is not None:
        return converter(own)(value), own
    known = own_value(value)
    if known is not value:
        return inferred(known)
    raise Mismatch(
        "only tensors, numbers, strings, None, and tuples, lists and dictionaries of them can be "
        f"passed, not a {type(value).__name__}"
    )
