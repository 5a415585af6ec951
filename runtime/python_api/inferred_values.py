"""Values from Python for arguments of type ``Any`` or ``Union``, whose own type is found out."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from tsc.compiler.types import INT, DictType, EnumMember, ListType, TupleType, Type, unify_types
from tsc.runtime.arrays.dtypes import DTYPE_OF_NUMPY, DType
from tsc.runtime.arrays.integers import LARGEST, SMALLEST
from tsc.runtime.python_api.classes_of_python import script_class_of
from tsc.runtime.values.tensor import Tensor, wrap
from tsc.runtime.values.typed_containers import dictionary_class, list_class
from tsc.runtime.values.value_types import SIMPLE_TYPES, Mismatch, type_of


def inferred(value: Any) -> tuple[Any, Type]:
    """The value that a program gets for one from Python, and its type.

    Containers must hold something, of one type. Raises Mismatch.
    """
    if type(value) is int or isinstance(value, np.integer):
        return _fitting(int(value)), INT
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
    raise Mismatch(f"{value} does not fit into 64 bits")


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
    pairs = [inferred(value) for value in values]
    common = pairs[0][1]
    for _, type_ in pairs[1:]:
        unified = unify_types(common, type_)
        if unified is None:
            raise Mismatch(f"{message}. Found {common.annotation} and {type_.annotation}")
        common = unified
    return [value for value, _ in pairs], common


def _inferred_tuple(values: tuple[Any, ...]) -> tuple[Any, Type]:
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
        from tsc.runtime.python_api.ivalue import converter

        return converter(own)(value), own
    raise Mismatch(
        "only tensors, numbers, strings, None, and tuples, lists and dictionaries of them can be "
        f"passed, not a {type(value).__name__}"
    )
