"""Lists and dictionaries that know the types of what they hold.

PyTorch's containers always do. Here a program that asks for it (``isinstance(x, List[int])`` of
an ``Any``) runs with such containers, so that an empty list is told from another; all other
programs run with Python's own. Both are lists and dictionaries to all kernels.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, ClassVar

from tsc.compiler.types import DictType, ListType, OptionalType, TupleType, Type
from tsc.runtime.values.ivalue import IValue
from tsc.runtime.values.tuple_classes import tuple_class, tuple_like

Retype = Callable[[Any], Any]

KEEP_TYPE = "prim::KeepType"
"""The kind of the nodes that give lists and dictionaries their types."""


class TypedList(list[Any]):
    """A list of one type: the base of a class for each such type."""

    __slots__ = ()

    script_type: ClassVar[ListType]


class TypedDictionary(dict[Any, Any]):
    """A dictionary of one type: the base of a class for each such type."""

    __slots__ = ()

    script_type: ClassVar[DictType]


@functools.cache
def list_class(type_: ListType) -> type[TypedList]:
    """The class of the lists of that type."""
    return type("list", (TypedList,), {"__slots__": (), "script_type": type_})


@functools.cache
def dictionary_class(type_: DictType) -> type[TypedDictionary]:
    """The class of the dictionaries of that type."""
    return type("dict", (TypedDictionary,), {"__slots__": (), "script_type": type_})


# -- Giving types ------------------------------------------------------------------------------


@functools.cache
def with_types(type_: Type) -> Retype | None:
    """What makes the plain containers in a value of this type typed; those that are stay what they
    are. None where there are none.
    """
    if isinstance(type_, ListType):
        return _typed_list(type_)
    if isinstance(type_, DictType):
        return _typed_dictionary(type_)
    if isinstance(type_, TupleType):
        return _typed_tuple(type_)
    if isinstance(type_, OptionalType):
        retype = with_types(type_.element)
        return retype and (lambda value: None if value is None else retype(value))
    return None


def _typed_list(type_: ListType) -> Retype:
    make, element = list_class(type_), with_types(type_.element)

    def retype(values: list[Any]) -> TypedList:
        if isinstance(values, TypedList):
            return values
        return make(values if element is None else map(element, values))

    return retype


def _typed_dictionary(type_: DictType) -> Retype:
    make, item = dictionary_class(type_), with_types(type_.value)

    def retype(values: dict[Any, Any]) -> TypedDictionary:
        if isinstance(values, TypedDictionary):
            return values
        return make(values if item is None else {k: item(v) for k, v in values.items()})

    return retype


def _typed_tuple(type_: TupleType) -> Retype | None:
    retypes = [with_types(element) for element in type_.elements]
    if not any(retypes):
        return None
    make = tuple_class(type_)

    def retype(values: tuple[Any, ...]) -> tuple[Any, ...]:
        return make(each if f is None else f(each) for f, each in zip(retypes, values))

    return retype


# -- Taking them away --------------------------------------------------------------------------


def without_types(value: Any) -> Any:
    """The value as Python gets it: with lists and dictionaries of its own.

    Containers without types are left as they are, and so is what two places share.
    """
    return _without_types(value, {})


def _without_types(value: IValue, done: dict[int, Any]) -> Any:
    if isinstance(value, tuple):
        items = [_without_types(item, done) for item in value]
        if all(item is old for item, old in zip(items, value)):
            return value
        return tuple_like(value, items)
    if not isinstance(value, list | dict):
        return value
    if id(value) not in done:
        is_typed = isinstance(value, TypedList | TypedDictionary)
        if isinstance(value, dict):
            _fill_dictionary(value, {} if is_typed else value, done)
        else:
            _fill_list(value, [] if is_typed else value, done)
    return done[id(value)]


def _fill_list(values: list[Any], plain: list[Any], done: dict[int, Any]) -> None:
    done[id(values)] = plain
    plain[:] = [_without_types(item, done) for item in values]


def _fill_dictionary(values: dict[Any, Any], plain: dict[Any, Any], done: dict[int, Any]) -> None:
    done[id(values)] = plain
    plain.update({key: _without_types(item, done) for key, item in values.items()})
