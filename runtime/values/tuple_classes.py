"""The Python classes of tuples: ``tuple`` itself, and a named tuple for each NamedTuple type."""

from __future__ import annotations

import functools
from collections import namedtuple
from collections.abc import Callable, Iterable
from typing import Any

from tsc.compiler.types import TupleType

_new_class: Callable[..., Any] = namedtuple  # the fields are known when a program is compiled


@functools.cache
def tuple_class(type: TupleType) -> Callable[[Iterable[Any]], tuple[Any, ...]]:
    """What makes a tuple of a type from its values."""
    return tuple if type.field_names is None else named_tuple_class(type)._make


@functools.cache
def named_tuple_class(type: TupleType) -> Any:
    """The class of the tuples of a NamedTuple type, which they tell as ``script_type``."""
    name = (type.name or "NamedTuple").rpartition(".")[2]
    made: Any = _new_class(name, type.field_names or (), defaults=type.defaults)
    made.script_type = type
    return made


def tuple_like(value: tuple[Any, ...], items: Iterable[Any]) -> tuple[Any, ...]:
    """A tuple of the class of `value`, which may be that of a named tuple, with other items."""
    make = getattr(type(value), "_make", tuple)
    return make(items)
