"""What this runtime's operators answer to the samples."""

from __future__ import annotations

from typing import Any

import numpy as np

from tsc.compiler.schema import Operator
from tsc.runtime.arrays.dtypes import DTYPE_OF_NAME
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.operators import load
from tsc.runtime.values.tensor import Tensor

from .tensor_samples import Sample, describe


def answer(sample: Sample) -> Any:
    """The result and the arguments written to, or the error."""
    operator = load().find(sample.name, sample.overload)
    if operator is None:
        return {"missing": True}
    values = bound(operator, *sample.arguments())
    kernel = operator.kernel(None) if operator.node_kernel else operator.kernel
    try:
        with np.errstate(all="ignore"):
            result = kernel(*values)
    except ScriptError as error:
        return {"error": error.message, "kind": error.kind}
    written = [
        value
        for argument, value in zip(operator.schema.arguments, values)
        if argument.is_write and isinstance(value, Tensor)
    ]
    return {"result": describe(arrays(result)), "written": describe(arrays(written))}


def bound(operator: Operator, arguments: list[Any], keywords: dict[str, Any]) -> list[Any]:
    """One value for each argument of the schema."""
    values = []
    for position, argument in enumerate(operator.schema.arguments):
        if position < len(arguments) and not argument.kwarg_only:
            value = arguments[position]
        elif argument.name in keywords:
            value = keywords[argument.name]
        else:
            assert argument.has_default, f"{operator.text}: no value for {argument.name}"
            value = argument.default
            value = list(value) if isinstance(value, tuple) else value
        if argument.list_size is not None and type(value) is int:
            value = [value] * argument.list_size
        values.append(_wrapped(value))
    return values


def _wrapped(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return Tensor(value)
    if isinstance(value, list):
        return [_wrapped(each) for each in value]
    return value


def arrays(value: Any) -> Any:
    if isinstance(value, Tensor):
        return value.array
    if isinstance(value, (list, tuple)):
        return [arrays(each) for each in value]
    return value


def dtype_code(name: str) -> int:
    """The number that stands for a dtype in programs."""
    return DTYPE_OF_NAME[name].code
