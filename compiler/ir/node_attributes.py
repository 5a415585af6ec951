"""The attributes of a node: what it knows beside its inputs, by name, each of one of a few kinds.

A kind is called by PyTorch's letter, by which it is read and set: ``node.i("index")``, ``node.i_("index", 3)``. An
``s`` behind it stands for lists. ``is`` is a word of Python, so a list of ints is read by ``getattr(node, "is")``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final, Self, cast

from tsc.compiler.ir.constants import OpaqueConstant, type_name
from tsc.compiler.ir.errors import GraphError
from tsc.compiler.ir.symbols import prim
from tsc.compiler.types import Device, TensorType, Type

NO_ATTRIBUTES: Final[Mapping[str, object]] = MappingProxyType({})

_ANY_VALUE: Final = "ival"
"""The kind of a tuple, a dictionary, an object, and of any container that is a constant."""


def _is_tensor(value: object) -> bool:
    return isinstance(value, OpaqueConstant) and isinstance(value.constant_type(), TensorType)


def _is_graph(value: object) -> bool:
    return hasattr(
        value, "insertion_point"
    )  # graphs are made of nodes: their file is above this one


_IS_OF_KIND: Final[dict[str, Callable[[object], bool]]] = {
    "i": lambda value: isinstance(value, int),
    "f": lambda value: isinstance(value, float),
    "c": lambda value: isinstance(value, complex),
    "s": lambda value: isinstance(value, str | Device),
    "ty": lambda value: isinstance(value, Type),
    "t": _is_tensor,
    "g": _is_graph,
}


def _kind_of_value(value: object) -> str:
    """An empty list is one of ints."""
    if not isinstance(value, list):
        return next((kind for kind, fits in _IS_OF_KIND.items() if fits(value)), _ANY_VALUE)
    members = cast("list[object]", value)
    return next((f"{k}s" for k, fits in _IS_OF_KIND.items() if all(map(fits, members))), _ANY_VALUE)


def _reader(kind: str) -> Callable[[Any, str], Any]:
    def read(self: NodeAttributes, name: str) -> Any:
        value = self.attribute(name)
        if kind not in (_ANY_VALUE, _kind_of_value(value)):
            raise GraphError(
                f"attribute '{name}' of {self.kind} is of kind {self.kind_of(name)}, not {kind}"
            )
        return str(value) if kind == "s" else value

    return read


def _setter(kind: str) -> Callable[[Any, str, Any], Any]:
    def set(self: NodeAttributes, name: str, value: Any) -> Any:
        given = _converted(value, kind)
        if given != [] and kind not in (_ANY_VALUE, _kind_of_value(given)):
            raise GraphError(f"a '{type_name(given)}' is no attribute of kind {kind}")
        return self.set_attribute(name, given)

    return set


def _converted(value: object, kind: str) -> object:
    if isinstance(value, int) and kind == "f":
        return float(value)
    is_tuple = isinstance(value, tuple) and kind != _ANY_VALUE
    return list(cast("tuple[object, ...]", value)) if is_tuple else cast("object", value)


def _short_text(value: object) -> str:
    return (
        repr(value) if isinstance(value, int | float | complex | str) else f"<{type_name(value)}>"
    )


class NodeAttributes:
    """What Node has of them."""

    __slots__ = ("_attributes", "kind")

    kind: str
    _attributes: dict[str, object] | None

    @property
    def attributes(self) -> Mapping[str, object]:
        """Read-only, in the order in which they were first set."""
        return NO_ATTRIBUTES if self._attributes is None else MappingProxyType(self._attributes)

    def attribute_names(self) -> list[str]:
        """Their names, in that order."""
        return list(self.attributes)

    def attributes_text(self) -> str:
        """A short form of them all; the graph printer has PyTorch's."""
        shown = [f"{name}={_short_text(value)}" for name, value in self.attributes.items()]
        return f"[{', '.join(shown)}]" if shown else ""

    def has_attribute(self, name: str) -> bool:
        return self._attributes is not None and name in self._attributes

    def attribute(self, name: str) -> object:
        if self._attributes is None or name not in self._attributes:
            raise GraphError(f"{self.kind} has no attribute '{name}'")
        return self._attributes[name]

    def set_attribute(self, name: str, value: object) -> Self:
        if self._attributes is None:
            self._attributes = {}
        self._attributes[name] = value
        return self

    def remove_attribute(self, name: str) -> Self:
        """Raises GraphError if there is no attribute of that name."""
        self.attribute(name)
        assert self._attributes is not None
        del self._attributes[name]
        return self

    def copy_attributes(self, other: NodeAttributes) -> None:
        self._attributes = dict(other.attributes) if other.attributes else None

    def kind_of(self, name: str) -> str:
        """The kind of an attribute: ``getattr(node, node.kind_of(name))(name)`` is its value."""
        value = self.attribute(name)
        if self.kind == prim.Constant and isinstance(value, list):
            return _ANY_VALUE
        return _kind_of_value(value)

    def string_attribute(self, name: str) -> str:
        value = self.attribute(name)
        if not isinstance(value, str):
            raise GraphError(f"attribute '{name}' of {self.kind} is not a string")
        return value

    def integer_attribute(self, name: str) -> int:
        value = self.attribute(name)
        if not isinstance(value, int):
            raise GraphError(f"attribute '{name}' of {self.kind} is not an int")
        return value

    # -- By kind, as PyTorch has them ------------------------------------------------------------

    i, i_, is_ = _reader("i"), _setter("i"), _setter("is")
    f, f_, fs, fs_ = _reader("f"), _setter("f"), _reader("fs"), _setter("fs")
    c, c_, cs, cs_ = _reader("c"), _setter("c"), _reader("cs"), _setter("cs")
    s, s_, ss, ss_ = _reader("s"), _setter("s"), _reader("ss"), _setter("ss")
    t, t_, ts, ts_ = _reader("t"), _setter("t"), _reader("ts"), _setter("ts")
    g, g_, gs, gs_ = _reader("g"), _setter("g"), _reader("gs"), _setter("gs")
    ty, ty_, tys, tys_ = _reader("ty"), _setter("ty"), _reader("tys"), _setter("tys")
    ival, ival_ = _reader(_ANY_VALUE), _setter(_ANY_VALUE)


setattr(NodeAttributes, "is", _reader("is"))
