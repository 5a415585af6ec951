"""Objects of script classes, as programs hold them and as Python sees them."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any, cast

from tsc.compiler.ir import Function
from tsc.compiler.types import ClassType
from tsc.runtime.context import hooks
from tsc.runtime.context.errors import ScriptError

if TYPE_CHECKING:
    from collections.abc import Iterable


class Attributes(dict[str, Any]):
    """The attributes of one object; reading one that was never set is an error of the program."""

    __slots__ = ()

    def __missing__(self, name: str) -> Any:
        raise ScriptError("RuntimeError", f"attribute '{name}' is read before it is set")


class ScriptObject:
    """An object of a script class. Two are equal only if they are the same one.

    From Python, its attributes and methods are attributes, and are checked as the program's are.
    """

    __slots__ = ("__weakref__", "script_attributes", "script_type")

    script_attributes: Attributes
    script_type: ClassType

    def __init__(self, type: ClassType) -> None:
        object.__setattr__(self, "script_type", type)
        object.__setattr__(self, "script_attributes", Attributes())

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        type = self.script_type
        if name in type.attributes:
            return self.script_attributes[name]
        if name in type.constants:
            return type.constants[name]
        if name in type.properties:
            return call_method(self, cast("Function", type.properties[name].getter).name)
        if name in type.methods:
            return hooks.object_face().bound_method(self, type.methods[name])
        raise AttributeError(f"{type.qualified_name} has no attribute {name!r}")

    def __setattr__(self, name: str, value: Any) -> None:
        type = self.script_type
        if name in type.attributes:
            wanted = type.attributes[name].type
            converted = hooks.object_face().converted_attribute(name, wanted, value)
            self.script_attributes[name] = converted
            return
        known = type.properties.get(name)
        if known is None or known.setter is None:
            raise AttributeError(f"{type.qualified_name} has no attribute {name!r} that can be set")
        call_method(self, cast("Function", known.setter).name, value)

    def __dir__(self) -> Iterable[str]:
        type = self.script_type
        return [*type.attributes, *type.constants, *type.properties, *type.methods]

    def __copy__(self) -> ScriptObject:
        made = ScriptObject(self.script_type)
        made.script_attributes.update(self.script_attributes)
        return made

    def __deepcopy__(self, memo: dict[int, Any]) -> ScriptObject:
        """A copy of the same class; what it holds several times is copied once."""
        made = memo[id(self)] = ScriptObject(self.script_type)
        for name, value in self.script_attributes.items():
            made.script_attributes[name] = copy.deepcopy(value, memo)
        return made

    def __enter__(self) -> Any:
        return call_method(self, "__enter__")

    def __exit__(self, *error: object) -> None:
        call_method(self, "__exit__", *error)

    def __lt__(self, other: Any) -> Any:
        return call_method(self, "__lt__", other)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return hooks.object_face().bound_method(self, method_of(self, "__call__"))(*args, **kwargs)

    def __repr__(self) -> str:
        return f"<{self.script_type.qualified_name} object at {id(self):#x}>"


def method_of(value: ScriptObject, name: str) -> Function:
    """A method by its name, looked up when the program runs."""
    found = value.script_type.methods.get(name)
    if found is None:
        type = value.script_type.qualified_name
        raise ScriptError("RuntimeError", f"'{type}' object has no method '{name}'")
    return cast("Function", found)


def call_method(value: ScriptObject, name: str, *args: Any) -> Any:
    """Run a method on values of the program."""
    return method_of(value, name).run((value, *args))
