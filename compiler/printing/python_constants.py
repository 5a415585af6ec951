"""Constants in printed Python, and the table of those that have no text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, cast

from tsc.compiler.ir import ConstantText, Function, GraphError, OpaqueConstant
from tsc.compiler.printing.constant_text import quoted
from tsc.compiler.types import (
    Device,
    DictType,
    EnumType,
    ListType,
    OptionalType,
    TupleType,
    Type,
    TypeKind,
    complex_text,
    float_text,
)

_UNTOLD_BY_MEMBERS: Final = frozenset(
    (
        TypeKind.UnionType,
        TypeKind.OptionalType,
        TypeKind.NumberType,
        TypeKind.InterfaceType,
        TypeKind.AnyType,
    )
)


def told_by_members(element: Type) -> bool:
    """Whether a list of such elements shows its type; otherwise it is annotated."""
    return element.kind not in _UNTOLD_BY_MEMBERS


class ConstantsTable:
    """Tensors and other objects, written as ``CONSTANTS.c0``, ``CONSTANTS.c1`` and so on."""

    __slots__ = ("_numbers", "values")

    def __init__(self) -> None:
        self.values: list[object] = []
        self._numbers: dict[int, int] = {}

    def text(self, value: object, type: Type | None) -> str:
        """The Python expression for ``value``."""
        if isinstance(type, OptionalType):
            type = type.element
        if isinstance(value, str):
            return quoted(value) if value.isascii() else _quoted_unicode(value)
        if isinstance(value, float):
            return _float(value)
        if isinstance(value, complex):
            return complex_text(value)
        if value is None or isinstance(value, int):
            return str(value)
        if isinstance(value, Device):
            return f"torch.device({quoted(str(value))})"
        if isinstance(value, list):
            return self._list(cast("list[object]", value), type)
        if isinstance(value, tuple) and isinstance(type, ListType):  # a default
            return self._list(list(cast("tuple[object, ...]", value)), type)
        if isinstance(value, tuple):
            return self._tuple(cast("tuple[object, ...]", value), type)
        if isinstance(value, dict):
            return self._dict(cast("dict[object, object]", value), type)
        return self._object(value)

    def _object(self, value: object) -> str:
        if isinstance(value, Function):
            return value.qualified_name
        if not isinstance(value, OpaqueConstant):
            raise GraphError(f"a constant of Python type {type(value).__name__} has no text")
        if isinstance(value.constant_type(), EnumType):
            return value.constant_text()
        return f"CONSTANTS.c{self._number(value)}"

    def _number(self, value: OpaqueConstant) -> int:
        key = id(value)
        if isinstance(value, ConstantText) or key not in self._numbers:
            self._numbers[key] = len(self.values)
            self.values.append(value)
        return self._numbers[key]

    def _list(self, values: list[object], type: Type | None) -> str:
        element = type.element if isinstance(type, ListType) else None
        text = f"[{', '.join(self.text(value, element) for value in values)}]"
        if element is None or (values and told_by_members(element)):
            return text
        return f"annotate({ListType(element).annotation}, {text})"

    def _tuple(self, values: tuple[object, ...], type: Type | None) -> str:
        elements: Sequence[Type | None] = [None] * len(values)
        if isinstance(type, TupleType) and len(type.elements) == len(values):
            elements = type.elements
        text = parenthesized(map(self.text, values, elements))
        if isinstance(type, TupleType) and type.name is not None:
            return f"{type.annotation}{text}"
        return text

    def _dict(self, values: Mapping[object, object], type: Type | None) -> str:
        key, value = (type.key, type.value) if isinstance(type, DictType) else (None, None)
        items = [f"{self.text(k, key)}: {self.text(v, value)}" for k, v in values.items()]
        text = f"{{{', '.join(items)}}}"
        if type is None or value is None or (values and told_by_members(value)):
            return text
        return f"annotate({type.annotation}, {text})"


def parenthesized(items: Iterable[str]) -> str:
    """A tuple's text: ``()``, ``(a,)``, ``(a, b)``."""
    texts = list(items)
    return f"({texts[0]},)" if len(texts) == 1 else f"({', '.join(texts)})"


def _float(value: float) -> str:
    """PyTorch writes 1e10 as ``10000000000``, and reads that as an int: the point is ours."""
    text = float_text(value)
    return f"{text}." if text.lstrip("-").isdigit() else text


def _quoted_unicode(text: str) -> str:
    """Quoted, but with the characters beyond ASCII as they are."""
    return '"' + "".join(c if not c.isascii() else quoted(c)[1:-1] for c in text) + '"'
