"""Calls of operators from Python, bound to a schema, with what Python may call the arguments."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from tsc.compiler.schema import NOT_GIVEN, Argument, Binder, FunctionSchema, default_value

NO_MATCH: Final = object()
_OTHER_NAMES: Final = {
    "self": ("input", "x", "a", "x1"),
    "dim": ("axis",),
    "keepdim": ("keepdims",),
    "other": ("x2",),
}
"""What PyTorch's Python calls arguments beside the names in the schemas, which NumPy has, too."""


def bound_values(
    schema: FunctionSchema,
    arguments: Sequence[Any],
    keywords: Mapping[str, Any],
    convert: Callable[[Any, Argument], Any],
) -> list[Any] | None:
    """The value of each argument of a schema; None if the call does not fit it.

    What is given is converted; where it cannot be, `convert` gives `NO_MATCH`.
    """
    binder = Binder(schema, arguments, keywords, other_names=_OTHER_NAMES)
    values: list[Any] = []
    for argument in schema.arguments:
        value = binder.take(argument)
        if value is not NOT_GIVEN:
            value = convert(value, argument)
            if value is NO_MATCH:
                return None
        elif argument.has_default:
            value = argument.default
            if isinstance(value, tuple):
                value = default_value(value, argument.type)
        else:
            return None
        values.append(value)
    return values if binder.is_used_up else None
