"""What Python sees of objects of script classes: their methods, and attributes that are checked."""

from __future__ import annotations

from typing import Any

from tsc.compiler.ir import Function
from tsc.compiler.types import Type
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.python_api.ivalue import Mismatch, converter
from tsc.runtime.python_api.script_function import ScriptFunction
from tsc.runtime.values.objects import ScriptObject


class BoundMethod:
    """A method of an object, to be called from Python."""

    __slots__ = ("_function", "_owner")

    def __init__(self, owner: ScriptObject, function: Function) -> None:
        self._owner = owner
        self._function = ScriptFunction(function)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._function(self._owner, *args, **kwargs)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._function, name)

    def __repr__(self) -> str:
        return f"<method {self._function.schema}>"


bound_method = BoundMethod


def converted_attribute(name: str, type: Type, value: Any) -> Any:
    """The value that an attribute of that type is set to. Raises `ScriptError` for one of another type."""
    try:
        return converter(type)(value)
    except (Mismatch, RecursionError) as reason:
        details = reason if isinstance(reason, Mismatch) else "it is nested too deeply"
        message = f"Could not cast attribute '{name}' to type {type.annotation}: {details}"
        raise ScriptError("RuntimeError", message) from None
