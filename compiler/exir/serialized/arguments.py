"""Arguments of nodes in a serialized program."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, Protocol

from tsc.compiler.exir.arguments import Argument
from tsc.compiler.exir.node import Node
from tsc.compiler.exir.serialized.json_values import (
    JsonObject,
    SerializedProgramError,
    array,
    checked,
    floating,
    integer,
)
from tsc.compiler.exir.serialized.tensor_meta import (
    device_of,
    dtype_of,
    layout_of,
    memory_format_of,
)
from tsc.compiler.exir.targets import Target

_MOST_NESTED: Final = 50


class Scope(Protocol):
    """What arguments refer to."""

    def node(self, name: str, place: str) -> Node:
        """The node of that name, which comes before."""
        ...

    def graph(self, value: JsonObject) -> Node:
        """The node that reads a graph of the module."""
        ...


class ArgumentReader:
    """Arguments of one graph."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope
        self._depth = 0

    def argument(self, value: JsonObject) -> Argument:
        """Any argument. Raises `SerializedProgramError` for kinds that are not known."""
        kind, found = value.choice()
        place = f"{value.place}.{kind}"
        if kind in _CONSTANTS:
            return _CONSTANTS[kind](found, place)
        if kind == "as_graph":
            return self._scope.graph(JsonObject.of(found, place))
        if kind == "as_operator":
            return Target(checked(found, str, place))
        if kind == "as_string_to_argument":
            return self._named(JsonObject.of(found, place))
        if kind in _NAMED:
            return self._named_node(found, place)
        if kind in _LISTS:
            read = self._element(_LISTS[kind])
            return [read(each, place) for each in array(found, place)]
        raise SerializedProgramError(f"{place}: arguments of this kind are not read")

    def _named(self, value: JsonObject) -> Argument:
        self._depth += 1
        if self._depth > _MOST_NESTED:
            raise SerializedProgramError(f"{value.place} is nested too deep")
        found = {
            key: self.argument(JsonObject.of(each, f"{value.place}.{key}"))
            for key, each in value.fields.items()
        }
        self._depth -= 1
        return found

    def _named_node(self, value: Any, place: str) -> Argument:
        """A tensor, or a number that is a node, or a number in the place of one."""
        found = JsonObject.of(value, place)
        if "name" in found.fields:
            return self._scope.node(found.text("name"), place)
        kind, inner = found.choice()
        if kind == "as_name":
            return self._scope.node(found.text(kind), place)
        if kind == "as_tensor":
            return self._named_node(inner, place)
        if kind in _CONSTANTS:
            return _CONSTANTS[kind](inner, place)
        raise SerializedProgramError(f"{place}: there is no {kind} in such an argument")

    def _element(self, kind: str) -> Callable[[Any, str], Argument]:
        if kind in _CONSTANTS:
            return _CONSTANTS[kind]
        if kind in _LISTS:
            inner = self._element(_LISTS[kind])
            return lambda found, place: [inner(each, place) for each in array(found, place)]
        return self._named_node


def _none(_value: Any, _place: str) -> Argument:
    return None


def _complex(value: Any, place: str) -> Argument:
    found = JsonObject.of(value, place)
    parts = [floating(found.fields.get(each), f"{place}.{each}") for each in ("real", "imag")]
    return complex(*parts)


_CONSTANTS: Final[dict[str, Callable[[Any, str], Argument]]] = {
    "as_none": _none,
    "as_int": integer,
    "as_float": floating,
    "as_bool": lambda value, place: checked(value, bool, place),
    "as_string": lambda value, place: checked(value, str, place),
    "as_complex": _complex,
    "as_scalar_type": dtype_of,
    "as_layout": layout_of,
    "as_memory_format": memory_format_of,
    "as_device": lambda value, place: device_of(JsonObject.of(value, place)),
}
_NAMED: Final = ("as_tensor", "as_sym_int", "as_sym_float", "as_sym_bool", "as_optional_tensor")
_LISTS: Final = {
    "as_ints": "as_int",
    "as_floats": "as_float",
    "as_bools": "as_bool",
    "as_strings": "as_string",
    "as_tensors": "as_tensor",
    "as_optional_tensors": "as_tensor",
    "as_sym_ints": "as_sym_int",
    "as_sym_floats": "as_sym_float",
    "as_sym_bools": "as_sym_bool",
    "as_nested_tensors": "as_tensors",
    "as_int_lists": "as_ints",
    "as_float_lists": "as_floats",
}
"""What the elements of a list are."""


def constant_of(value: JsonObject) -> Any:
    """A constant in the place of an input or output."""
    kind, found = value.choice()
    if kind not in _CONSTANTS:
        raise SerializedProgramError(f"{value.place}: {kind} is no constant")
    return _CONSTANTS[kind](found, f"{value.place}.{kind}")


def name_in(value: JsonObject) -> str | None:
    """The name of the node that an input or output is; None for a constant."""
    kind, found = value.choice()
    if kind not in _NAMED:
        return None
    inner = JsonObject.of(found, f"{value.place}.{kind}")
    for name in ("name", "as_name"):
        if name in inner.fields:
            return inner.text(name)
    return None
