"""The Python classes of tuples: ``tuple`` itself, and a named tuple for each NamedTuple type."""

from __future__ import annotations

import functools
from collections import namedtuple
from collections.abc import Callable, Iterable
from typing import Any

from compiler.types import TupleType


@functools.cache
def tuple_class(type: TupleType) -> Callable[[Iterable[Any]], tuple[Any, ...]]:
    """What makes a tuple of a type from its values."""
    if type.field_names is None:
        return tuple
    name = (type.name or "NamedTuple").rpartition(".")[2]
    return namedtuple(name, type.field_names)._make
