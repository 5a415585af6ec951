"""Which lists of any values can be sorted, and what their elements compare by."""

from __future__ import annotations

from typing import Any

from tsc.compiler.types import (
    BOOL,
    FLOAT,
    INT,
    STRING,
    TENSOR,
    ClassType,
    DictType,
    ListType,
    TupleType,
    Type,
)
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.values.ivalue import IValue
from tsc.runtime.values.tensor import Tensor
from tsc.runtime.values.value_types import type_of

_ORDERED = (INT, BOOL, FLOAT, STRING, TENSOR)
_PLAIN = frozenset((int, float, bool, str))
_TUPLES = "a User Defined Class with __lt__ method defined or Tuples of aforementioned types"


def check_sortable(values: list[Any]) -> None:
    """Values of one type, which are tuples of what has an order."""
    if not values:
        return
    first = type_of(values[0])
    for type in map(type_of, values):
        if not _are_same(first, type):
            raise ScriptError(
                "RuntimeError",
                "Only values of same type can be compared. Found "
                f"{first.annotation} and {type.annotation}",
            )
    if _is_ordered_class(first):
        return
    if not isinstance(first, TupleType):
        raise ScriptError(
            "RuntimeError",
            "Only list of Tensors, ints, floats, bools, strs, a User Defined Class that defines "
            "the __lt__ compare method or Tuples of aforementioned types can be sorted, got list "
            f"of {first.annotation}",
        )
    _check_tuple(first)


def _are_same(a: Type, b: Type) -> bool:
    """An empty container does not know its type."""
    return a == b or (a.kind is b.kind and isinstance(a, ListType | DictType))


def _is_ordered_class(type: Type) -> bool:
    return isinstance(type, ClassType) and "__lt__" in type.methods


def _check_tuple(type: TupleType) -> None:
    for element in type.elements:
        if isinstance(element, TupleType):
            _check_tuple(element)
        elif element not in _ORDERED and not _is_ordered_class(element):
            raise ScriptError(
                "RuntimeError",
                f"Contained elements in {type} are not sortable: only Int, Bool, Float, "
                f"String, Tensor, {_TUPLES} are.",
            )


def are_plain_tuples(values: list[Any]) -> bool:
    """Whether all are tuples of numbers and strings of the same classes, which Python compares as TorchScript does."""
    if any(type(each) is not tuple for each in values):
        return False
    kinds = {tuple(map(type, each)) for each in values}
    return len(kinds) == 1 and _PLAIN.issuperset(*kinds)


def sort_key(value: IValue) -> Any:
    """What a value compares by: a tensor by its only element, a tuple by its elements."""
    if isinstance(value, tuple):
        return tuple(map(sort_key, value))
    return value.item() if isinstance(value, Tensor) else value
