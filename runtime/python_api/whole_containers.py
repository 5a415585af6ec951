"""Lists and dictionaries from Python that need no conversion of what is in them, which is looked at all at once.

They are copied first: nobody else can change what has been looked at.
"""

from __future__ import annotations

import functools
from array import array
from collections.abc import Callable
from itertools import chain
from time import perf_counter_ns
from typing import Any

from tsc.compiler.types import DictType, ListType, OptionalType, TupleType, Type, TypeKind
from tsc.runtime.context import native_hooks
from tsc.runtime.context.native_availability import is_available
from tsc.runtime.values.tensor import Tensor

Fit = Callable[[list[Any]], bool]
"""Whether all values of a list are of a type already."""


class _WholeList:
    """Copies lists whose elements need no conversion: by native code, once that is there."""

    __slots__ = ("_check", "_copy", "_element", "_fit")

    def __init__(self, element: Type, fit: Fit) -> None:
        self._element, self._fit, self._copy = element, fit, _copier(element)
        self._check: Fit | None = None

    def take(self, values: list[Any]) -> list[Any] | None:
        """None for a list with elements that do need it, and for what is in it and is no list."""
        if self._check is not None:
            made = values.copy()
            return made if self._check(made) else None
        started = perf_counter_ns()
        try:
            made = self._copy(values)
        except TypeError:  # what is no list has no copy
            return None
        does_fit = self._fit(made)
        if is_available():
            spent = perf_counter_ns() - started
            self._check = native_hooks.native_borders().content_check(self._element, spent)
        return made if does_fit else None


def taken_list(wanted: ListType) -> Callable[[list[Any]], list[Any] | None]:
    """What copies a list whose elements need no conversion, and gives None for others."""
    fit = _fit(wanted.element)
    return _nothing if fit is None else _WholeList(wanted.element, fit).take


def taken_dictionary(wanted: DictType) -> Callable[[dict[Any, Any]], dict[Any, Any] | None]:
    """The same for a dictionary, whose values are no lists."""
    fit_key = _fit(wanted.key)
    fit_value = None if isinstance(wanted.value, ListType) else _fit(wanted.value)
    if fit_key is None or fit_value is None:
        return _nothing
    keys, content = _WholeList(wanted.key, fit_key), _WholeList(wanted.value, fit_value)

    def take(values: dict[Any, Any]) -> dict[Any, Any] | None:
        made = values.copy()
        do_fit = keys.take([*made]) is not None and content.take([*made.values()]) is not None
        return made if do_fit else None

    return take


def _nothing(_values: Any) -> None:
    return None


def _copier(element: Type) -> Callable[[list[Any]], list[Any]]:
    if not isinstance(element, ListType):
        return list.copy
    inner = _copier(element.element)
    return lambda values: [*map(inner, values)]


@functools.cache
def _fit(type: Type) -> Fit | None:
    """None for types whose values may need conversion, or a copy of their own."""
    if isinstance(type, ListType):
        inner = _fit(type.element)
        return inner and (lambda values: inner([*chain.from_iterable(values)]))
    if isinstance(type, OptionalType):
        present = None if isinstance(type.element, ListType) else _fit(type.element)
        return present and (lambda values: present([x for x in values if x is not None]))
    if isinstance(type, TupleType):
        return _tuples_fit(type)
    return _SIMPLE.get(type.kind)


def _tuples_fit(type: TupleType) -> Fit | None:
    fits = [None if isinstance(each, ListType) else _fit(each) for each in type.elements]
    if type.field_names is not None or None in fits:
        return None
    lengths = {len(fits)}

    def fit(values: list[Any]) -> bool:
        if not _are(tuple, values) or not lengths.issuperset(map(len, values)):
            return False
        return all(each([*column]) for each, column in zip(fits, zip(*values)) if each)

    return fit


def _are(kind: type, values: list[Any]) -> bool:
    return [*map(type, values)].count(kind) == len(values)


def _ints_fit(values: list[Any]) -> bool:
    try:
        return _are(int, values) and bool(array("q", values) or True)
    except OverflowError:
        return False


def _texts_fit(values: list[Any]) -> bool:
    return _are(str, values) and "".join(values).isascii()


_SIMPLE: dict[TypeKind, Fit] = {
    TypeKind.IntType: _ints_fit,
    TypeKind.FloatType: lambda values: _are(float, values),
    TypeKind.BoolType: lambda values: _are(bool, values),
    TypeKind.StringType: _texts_fit,
    TypeKind.TensorType: lambda values: _are(Tensor, values),
}
