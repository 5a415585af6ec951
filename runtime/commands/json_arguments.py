"""Values of JSON as arguments: lists become the tensors and tuples that are declared."""

from __future__ import annotations

from typing import Any

from tsc.compiler.source import UsageError
from tsc.compiler.types import (
    DictType,
    FloatType,
    ListType,
    OptionalType,
    TensorType,
    TupleType,
    Type,
)
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.python_api.tensor_api import tensor


def value_of_json(value: Any, type: Type, place: str) -> Any:
    """`value` as one of `type`, as far as JSON can spell one: nested lists of numbers are a tensor.

    `place` is what messages call it. Raises `UsageError` for lists that are no tensor.
    """
    if isinstance(type, OptionalType):
        return None if value is None else value_of_json(value, type.element, place)
    if isinstance(type, TensorType):
        return _tensor(value, place)
    if isinstance(type, FloatType) and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if isinstance(type, ListType) and isinstance(value, list):
        return [value_of_json(each, type.element, f"{place}[{i}]") for i, each in enumerate(value)]
    if isinstance(type, TupleType) and isinstance(value, list) and len(value) == len(type.elements):
        parts = enumerate(zip(value, type.elements))
        return tuple(value_of_json(each, part, f"{place}[{i}]") for i, (each, part) in parts)
    if isinstance(type, DictType) and isinstance(value, dict):
        return {
            key: value_of_json(each, type.value, f"{place}[{key!r}]") for key, each in value.items()
        }
    return value


def _tensor(value: Any, place: str) -> Any:
    if not isinstance(value, list | int | float):
        return value
    try:
        return tensor(value)
    except ScriptError as error:
        raise UsageError(f"{place}: these lists are no tensor: {error.message}") from None
