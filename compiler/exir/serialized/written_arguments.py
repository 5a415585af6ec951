"""Arguments of nodes as a serialized program has them: each in a union that tells its kind."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Protocol, cast

from tsc.compiler.exir.arguments import Argument, TorchConstant
from tsc.compiler.exir.node import Node
from tsc.compiler.exir.serialized.json_values import SerializedProgramError, finite
from tsc.compiler.exir.serialized.tensor_meta import constant_json, device_json
from tsc.compiler.exir.targets import Target
from tsc.compiler.types import BOOL, FLOAT, INT, STRING, ListType, OptionalType, Type
from tsc.compiler.types.tensor_options import Device


class Scope(Protocol):
    """What the nodes among arguments are."""

    def kind(self, node: Node) -> str:
        """ "as_tensor", "as_sym_int", "as_sym_float", "as_sym_bool", "as_custom_obj", or "as_graph"."""
        ...

    def reference(self, node: Node) -> Any:
        """What names the node in an argument of its kind."""
        ...


class ArgumentWriter:
    """Arguments of one graph."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope

    def argument(self, argument: Argument, wanted: Type | None = None) -> dict[str, Any]:
        """Any argument; `wanted` is the type in the schema, which tells what an empty list is one of.

        Raises `SerializedProgramError` for lists of several kinds of elements, which PyTorch refuses, too.
        """
        if isinstance(argument, list | tuple):
            return self._list(argument, wanted)
        if isinstance(argument, dict):
            return {
                "as_string_to_argument": {
                    key: self.argument(each) for key, each in argument.items()
                }
            }
        kind = self._kind(argument)
        if isinstance(argument, TorchConstant):
            return constant_json(argument)
        return {kind: self._value(kind, argument)}

    def _kind(self, argument: Argument) -> str:
        if isinstance(argument, Node):
            return self._scope.kind(argument)
        return _CONSTANTS.get(type(argument), type(argument).__name__)

    def _value(self, kind: str, argument: Argument) -> Any:
        if isinstance(argument, Node):
            return self._scope.reference(argument)
        if kind not in _VALUES:
            raise SerializedProgramError(f"{argument!r} is no argument")
        return _VALUES[kind](argument)

    def _list(self, arguments: Sequence[Argument], wanted: Type | None) -> dict[str, Any]:
        if not arguments:
            return {_kind_of_empty(wanted): []}
        kinds = {self._kind(each) for each in arguments}
        for list_kind, (element, others) in _LISTS.items():
            if kinds <= {element, *others}:
                return {list_kind: [self._element(element, each) for each in arguments]}
        if kinds <= {"list", "tuple"}:
            return self._nested(cast("Sequence[Sequence[Argument]]", arguments))
        told = ", ".join(sorted(each.removeprefix("as_") for each in kinds))
        raise SerializedProgramError(f"a list of several kinds of elements ({told})")

    def _element(self, element: str, argument: Argument) -> Any:
        """In a list whose kind tells what its elements are."""
        kind = self._kind(argument)
        value = self._value(kind, argument)
        if element not in _UNIONS:
            return value
        return value if kind == element else {kind: value}

    def _nested(self, lists: Sequence[Sequence[Argument]]) -> dict[str, Any]:
        found = [self._list(each, None) for each in lists if each]
        kinds = {next(iter(each)) for each in found} or {"as_tensors"}
        kind = kinds.pop()
        if kinds or kind not in _NESTED:
            raise SerializedProgramError(f"a list of lists of the kind {kind}")
        return {_NESTED[kind]: [self._list(each, None)[kind] if each else [] for each in lists]}


def constant_json_of(value: object) -> dict[str, Any]:
    """A constant in the place of an input or output. Raises `SerializedProgramError` for what is none."""
    kind = _CONSTANTS.get(type(value), "")
    if kind not in _VALUES or kind == "as_operator":
        raise SerializedProgramError(f"{value!r} is no constant")
    return {kind: _VALUES[kind](value)}


def name_of(written: dict[str, Any]) -> str | None:
    """The name of the node that a written argument is; None for a constant."""
    (value,) = written.values()
    if not isinstance(value, dict):
        return None
    found = cast("dict[str, Any]", value)
    return found.get("name", found.get("as_name"))


def _none(_value: Any) -> bool:
    return True


def _complex(value: complex) -> dict[str, Any]:
    return {"real": finite(value.real), "imag": finite(value.imag)}


def _same(value: Any) -> Any:
    return value


_CONSTANTS: Final[Mapping[type, str]] = {
    type(None): "as_none",
    bool: "as_bool",
    int: "as_int",
    float: "as_float",
    str: "as_string",
    complex: "as_complex",
    Device: "as_device",
    Target: "as_operator",
}
_VALUES: Final[Mapping[str, Callable[[Any], Any]]] = {
    "as_none": _none,
    "as_bool": _same,
    "as_int": _same,
    "as_float": finite,
    "as_string": _same,
    "as_complex": _complex,
    "as_device": device_json,
    "as_operator": str,
}
_NODES: Final = ("as_sym_int", "as_sym_float", "as_sym_bool")
_LISTS: Final[Mapping[str, tuple[str, tuple[str, ...]]]] = {
    "as_bools": ("as_bool", ()),
    "as_ints": ("as_int", ()),
    "as_floats": ("as_float", ()),
    "as_strings": ("as_string", ()),
    "as_sym_ints": ("as_sym_int", ("as_int",)),
    "as_sym_floats": ("as_sym_float", ("as_float",)),
    "as_sym_bools": ("as_sym_bool", ("as_bool",)),
    "as_tensors": ("as_tensor", _NODES),
    "as_optional_tensors": ("as_optional_tensor", ("as_tensor", "as_none")),
}
"""Of what kind the elements of a list are, and what else may be among them, the first that fits."""
_UNIONS: Final = ("as_sym_int", "as_sym_float", "as_sym_bool", "as_optional_tensor")
"""Elements that tell their own kind."""
_NESTED: Final = {
    "as_tensors": "as_nested_tensors",
    "as_ints": "as_int_lists",
    "as_floats": "as_float_lists",
}


def _kind_of_empty(wanted: Type | None) -> str:
    """PyTorch takes an empty list of something unknown for one of tensors."""
    inner = wanted.element if isinstance(wanted, OptionalType) else wanted
    element = inner.element if isinstance(inner, ListType) else None
    if isinstance(element, OptionalType):
        element = element.element
    return "as_tensors" if element is None else _EMPTY.get(element, "as_tensors")


_EMPTY: Final[Mapping[Type, str]] = {
    BOOL: "as_bools",
    INT: "as_ints",
    FLOAT: "as_floats",
    STRING: "as_strings",
}
