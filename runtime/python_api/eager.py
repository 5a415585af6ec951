"""Calling an operator from Python: the overload is chosen by the arguments' values."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from tsc.compiler.budget import raise_if_spent
from tsc.compiler.emit.names.absent_names import absent_method
from tsc.compiler.emit.sugared_values.tensor_attributes import attribute_operator
from tsc.compiler.schema import Argument, Operator
from tsc.compiler.source import Error, note_stage
from tsc.compiler.types import TENSOR, Device, ListType, OptionalType, TupleType, Type, TypeKind
from tsc.runtime.arrays.dtypes import DTYPE_OF_CLASS, DTYPE_OF_CODE, DType
from tsc.runtime.arrays.numpy_errors import words
from tsc.runtime.autograd.recording import eager_kernel
from tsc.runtime.context import trace_state
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.context.gradient_state import leaves
from tsc.runtime.operators import load
from tsc.runtime.operators.creation.tensors_of_numbers import tensor_of_number
from tsc.runtime.python_api.bound_values import NO_MATCH, bound_values
from tsc.runtime.values.tensor import Tensor, wrap
from tsc.runtime.values.tuple_classes import tuple_class
from tsc.runtime.values.value_types import fits


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
    if trace_state.running and (recorder := trace_state.current()) is not None:
        return recorder.hear_operator(name, arguments, keywords)
    if arguments and type(arguments[0]) in _NUMBERS and name in _TAKE_NUMBERS_FIRST:
        arguments = (_number_as_tensor(arguments), *arguments[1:])
    operators = _table().operators_for(f"aten::{name}")
    for operator in operators:
        values = _bound(operator, arguments, keywords)
        if values is not None:
            return _as_python(operator, run(operator, values))
    schemas = "\n".join(f"  {operator.text}" for operator in operators)
    raise ScriptError("TypeError", f"{name}: no overload takes these arguments:\n{schemas}")


_NUMBERS = (int, float, bool, complex)
_TAKE_NUMBERS_FIRST = frozenset(
    (
        *("add", "sub", "subtract", "mul", "multiply"),
        *("div", "divide", "true_divide", "floor_divide"),
    )
)
"""Functions of Python that take a number in the place of their first tensor."""


def _number_as_tensor(arguments: Sequence[Any]) -> Tensor:
    """The first argument as a tensor, of the second one's dtype unless that is of a lesser kind."""
    number = tensor_of_number(arguments[0], None, False)
    other = arguments[1] if len(arguments) > 1 else None
    if isinstance(other, Tensor) and other.dtype.category >= number.dtype.category:
        return tensor_of_number(arguments[0], other.dtype.code, False)
    return number


def has_attribute(name: str) -> bool:
    """Whether tensors of programs have an attribute of that name: ``itemsize``."""
    kind = attribute_operator(TENSOR, name)
    return kind is not None and kind in _table()


def attribute(name: str, tensor: Tensor) -> Any:
    """What an attribute of a tensor is in programs."""
    (operator,) = _table().operators_for(attribute_operator(TENSOR, name) or "")
    return _as_python(operator, run(operator, [tensor]))


def _as_python(operator: Operator, result: Any) -> Any:
    """What an operator gives as Python has it: results with names in a named tuple, dtypes for their codes."""
    if type(result) is tuple:
        return _class_of_results(operator)(result)
    if type(result) is int and operator.name in _GIVE_DTYPES:
        return DTYPE_OF_CODE[result]
    return result


_GIVE_DTYPES = frozenset({"aten::promote_types", "aten::result_type"})


@functools.cache
def _class_of_results(operator: Operator) -> Callable[[Iterable[Any]], tuple[Any, ...]]:
    returns = operator.schema.returns
    names = tuple(each.name for each in returns if each.name)
    if len(names) < len(returns):
        return tuple
    return tuple_class(TupleType(tuple(each.type for each in returns), field_names=names))


def no_attribute(name: str) -> str:
    """What to say of an attribute that tensors have not."""
    absence = absent_method(name)
    reason = "" if absence is None else f". {absence}"
    return f"'Tensor' object has no attribute {name!r}{reason}"


@np.errstate(all="ignore")
def run(operator: Operator, values: Sequence[Any]) -> Any:
    """Run an operator, given all of its arguments. Raises `ScriptError`."""
    if leaves:
        kernel = eager_kernel(operator)
    else:
        kernel = operator.kernel
        assert kernel is not None
        if operator.node_kernel:
            kernel = kernel(None)
    try:
        return kernel(*values)
    except Error as error:
        note_stage(error, f"the operator {operator.qualified_name}")
        raise
    except (ValueError, TypeError, ArithmeticError, IndexError, MemoryError) as error:
        raise_if_spent()
        message = words(error) or f"{operator.qualified_name}: {error}"
        raise ScriptError("RuntimeError", message) from error
    except Exception as error:
        note_stage(error, f"the operator {operator.qualified_name}")
        raise


def _bound(
    operator: Operator, arguments: Sequence[Any], keywords: Mapping[str, Any]
) -> list[Any] | None:
    """The value of each argument of the schema, or None if the call does not fit it."""
    schema = operator.schema
    positional = schema.positional
    if len(arguments) > len(positional):
        arguments = _gathered(positional, arguments)
        if len(arguments) > len(positional):
            return None
    return bound_values(schema, arguments, keywords, _converted)


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


def _converted(value: Any, argument: Argument) -> Any:
    wanted = argument.type
    inner = _inner(wanted)
    if value is None:
        return None if isinstance(wanted, OptionalType) else NO_MATCH
    if isinstance(value, DType) and not _takes_dtype(argument):
        return NO_MATCH
    if isinstance(value, type) and value in DTYPE_OF_CLASS and _takes_dtype(argument):
        value = DTYPE_OF_CLASS[value]
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
    return value if fits(value, inner) else NO_MATCH


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
