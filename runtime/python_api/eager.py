"""Calling an operator from Python: the overload is chosen by the arguments' values."""

from __future__ import annotations

import functools
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np

from tsc.compiler.schema import Argument, Operator
from tsc.compiler.types import Device, ListType, OptionalType, Type, TypeKind
from tsc.runtime.arrays.dtypes import DType
from tsc.runtime.arrays.numpy_errors import words
from tsc.runtime.context import trace_state as active
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.operators import load
from tsc.runtime.values.tensor import Tensor, wrap
from tsc.runtime.values.value_types import fits

_NO_MATCH = object()
_OTHER_NAMES = {
    **dict.fromkeys(("input", "x", "a", "x1"), "self"),
    "axis": "dim",
    "keepdims": "keepdim",
    "x2": "other",
}
"""What PyTorch's Python calls arguments beside the names in the schemas, which NumPy has, too."""


@functools.cache
def _table():
    return load()


def has_operator(name: str) -> bool:
    """Whether there is an operator ``aten::<name>``."""
    return f"aten::{name}" in _table()


def call(name: str, *arguments: Any, **keywords: Any) -> Any:
    """Run ``aten::<name>`` on Python values.

    Raises:
        ScriptError: no overload takes the arguments, or the operator fails.
    """
    if active.running and (recorder := active.current()) is not None:
        return recorder.hear_operator(name, arguments, keywords)
    operators = _table().operators_for(f"aten::{name}")
    for operator in operators:
        values = _bound(operator, arguments, keywords)
        if values is not None:
            return run(operator, values)
    schemas = "\n".join(f"  {operator.text}" for operator in operators)
    raise ScriptError("TypeError", f"{name}: no overload takes these arguments:\n{schemas}")


@np.errstate(all="ignore")
def run(operator: Operator, values: Sequence[Any]) -> Any:
    """Run an operator, given all of its arguments. Raises `ScriptError`."""
    kernel = operator.kernel(None) if operator.node_kernel else operator.kernel
    try:
        return kernel(*values)
    except (ValueError, TypeError, ArithmeticError, IndexError, MemoryError) as error:
        message = words(error) or f"{operator.qualified_name}: {error}"
        raise ScriptError("RuntimeError", message) from error


def _bound(
    operator: Operator, arguments: Sequence[Any], keywords: Mapping[str, Any]
) -> list[Any] | None:
    """The value of each argument of the schema, or None if the call does not fit it."""
    schema = operator.schema.arguments
    positional = [argument for argument in schema if not argument.kwarg_only]
    if schema and len(positional) < len(arguments):
        arguments = _gathered(positional, arguments)
    if len(arguments) > len(positional):
        return None
    given = dict(zip((argument.name for argument in positional), arguments))
    names = {argument.name for argument in schema}
    keywords = by_schema_names(keywords, names)
    if not given.keys().isdisjoint(keywords):
        return None
    given.update(keywords)
    if not given.keys() <= names:
        return None
    values = [_value_of(argument, given) for argument in schema]
    return None if any(value is _NO_MATCH for value in values) else values


def by_schema_names(keywords: Mapping[str, Any], names: Collection[str]) -> Mapping[str, Any]:
    """Keywords by the names that a schema has: ``sum(input=x, axis=0)`` as ``sum(self=x, dim=0)``."""
    if all(name in names for name in keywords):
        return keywords
    return {
        _OTHER_NAMES[key] if key not in names and _OTHER_NAMES.get(key) in names else key: value
        for key, value in keywords.items()
    }


def _gathered(positional: Sequence[Argument], arguments: Sequence[Any]) -> Sequence[Any]:
    """``x.view(2, 3)``: the integers at the end of a call are one list."""
    fixed = len(positional) - 1
    is_list = fixed >= 0 and _inner(positional[fixed].type).kind is TypeKind.ListType
    rest = arguments[fixed:]
    if not is_list or not all(type(value) is int for value in rest):
        return arguments
    return [*arguments[:fixed], list(rest)]


def _inner(type: Type) -> Type:
    return type.element if isinstance(type, OptionalType) else type


def _value_of(argument: Argument, given: Mapping[str, Any]) -> Any:
    if argument.name not in given:
        if not argument.has_default:
            return _NO_MATCH
        default = argument.default
        return list(default) if isinstance(default, tuple) else default
    return _converted(given[argument.name], argument)


def _converted(value: Any, argument: Argument) -> Any:
    wanted = argument.type
    inner = _inner(wanted)
    if value is None:
        return None if isinstance(wanted, OptionalType) else _NO_MATCH
    if isinstance(value, DType) and not _takes_dtype(argument):
        return _NO_MATCH
    value = _as_script_value(value)
    if inner.kind is TypeKind.FloatType and type(value) is int:
        return float(value)
    if inner.kind is TypeKind.NumberType and type(value) is bool:
        return value
    if inner.kind is TypeKind.DeviceObjType and type(value) is str:
        return Device.parse(value)
    if isinstance(inner, ListType):
        if type(value) is int or (argument.list_size is not None and type(value) is float):
            value = [value] * (argument.list_size or 1)
        elif isinstance(value, tuple):
            value = list(value)
    return value if fits(value, inner) else _NO_MATCH


def _takes_dtype(argument: Argument) -> bool:
    return _inner(argument.declared_type).kind is TypeKind.ScalarTypeType


def _as_script_value(value: Any) -> Any:
    if isinstance(value, DType):
        return value.code
    if isinstance(value, np.ndarray):
        return Tensor(value)
    if isinstance(value, np.generic):
        return value.item()
    return value


def tensor_or_number(value: Any) -> Any:
    """An operand of a Python operator; NotImplemented for what cannot be one."""
    if isinstance(value, (Tensor, bool, int, float, complex)):
        return value
    if isinstance(value, (np.ndarray, np.generic)):
        return wrap(value) if isinstance(value, np.ndarray) else value.item()
    return NotImplemented
