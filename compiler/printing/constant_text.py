"""Attributes and constants as PyTorch's IR text writes them.

Lists of unions or optionals, and empty lists and dicts, do not tell their type by themselves: they
are wrapped in ``annotate(List[int], [])``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, cast

from tsc.compiler.ir import Graph, OpaqueConstant
from tsc.compiler.ir.constants import type_name
from tsc.compiler.types import (
    INT,
    Device,
    DictType,
    ListType,
    OptionalType,
    TensorType,
    TupleType,
    Type,
    TypeKind,
    complex_text,
    float_text,
)

_ESCAPES: Final = {
    ord(letter): escape
    for letter, escape in (
        ("\\", r"\\"),
        ("'", r"\'"),
        ('"', r"\""),
        ("\a", r"\a"),
        ("\b", r"\b"),
        ("\f", r"\f"),
        ("\n", r"\n"),
        ("\r", r"\r"),
        ("\t", r"\t"),
        ("\v", r"\v"),
    )
}

_UNTOLD_BY_MEMBERS: Final = (
    TypeKind.UnionType,
    TypeKind.OptionalType,
    TypeKind.NumberType,
    TypeKind.InterfaceType,
    TypeKind.AnyType,
)


def quoted(text: str) -> str:
    """``text`` in double quotes; bytes that are not printable ASCII as three characters."""
    if text.isascii() and text.isprintable() and not _needs_escape(text):
        return f'"{text}"'
    encoded = text.encode("utf-8", "surrogatepass")
    return f'"{"".join(map(_escaped_byte, encoded))}"'


def _needs_escape(text: str) -> bool:
    return '"' in text or "'" in text or "\\" in text


def _escaped_byte(byte: int) -> str:
    escape = _ESCAPES.get(byte)
    if escape is not None:
        return escape
    return chr(byte) if 0x20 <= byte < 0x7F else octal_escape(byte)


def octal_escape(byte: int) -> str:
    """Three octal digits; PyTorch takes bytes from 128 up for negative, so theirs lie below "0"."""
    negative = byte >= 0x80
    magnitude = 0x100 - byte if negative else byte
    digits = (magnitude >> 6 & 7, magnitude >> 3 & 7, magnitude & 7)
    return "\\" + "".join(chr(ord("0") + (-digit if negative else digit)) for digit in digits)


def attribute_text(value: object) -> str:
    """An attribute of any node but a constant: bools are ints, tuples are lists."""
    if isinstance(value, list | tuple):
        return _attribute_list(cast("Sequence[object]", value))
    if isinstance(value, bool):
        return str(int(value))
    return constant_text(value, None)


def _attribute_list(values: Sequence[object]) -> str:
    if not values:
        return f"annotate({ListType(INT).annotation}, [])"
    if isinstance(values[0], Graph):
        return "[<Graphs>]"
    if isinstance(values[0], OpaqueConstant):
        return "[<Tensors>]"
    return f"[{', '.join(map(attribute_text, values))}]"


def constant_value_text(value: object, type: Type) -> str:
    """The value of a prim::Constant with an output of ``type``."""
    if isinstance(value, bool):
        return str(int(value))
    if isinstance(value, Device):
        return quoted(str(value))
    return constant_text(value, type)


def constant_text(value: object, type: Type | None) -> str:
    """A value as it stands inside of a constant; ``type`` decides on annotations."""
    if isinstance(type, OptionalType):
        type = type.element
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, float):
        return float_text(value)
    if isinstance(value, complex):
        return complex_text(value)
    if value is None or isinstance(value, int):
        return str(value)
    if isinstance(value, list):
        return _list_text(cast("list[object]", value), type)
    if isinstance(value, tuple):
        return _tuple_text(cast("tuple[object, ...]", value), type)
    if isinstance(value, dict):
        return _dict_text(cast("dict[object, object]", value), type)
    return _other_text(value)


def _other_text(value: object) -> str:
    if isinstance(value, Type):
        return str(value)
    if isinstance(value, Device):
        return f"torch.device({quoted(str(value))})"
    if isinstance(value, Graph):
        return "<Graph>"
    if isinstance(value, OpaqueConstant):
        return value.constant_text()
    return f"<{type_name(value)}>"


def _list_text(values: list[object], type: Type | None) -> str:
    element = type.element if isinstance(type, ListType) else None
    if values and isinstance(element, TensorType):
        return "[<Tensors>]"
    text = f"[{_joined(values, element)}]"
    if values and _told_by_members(element):
        return text
    annotation = ListType(INT) if element is None else ListType(element)
    return f"annotate({annotation.annotation}, {text})"


def _tuple_text(values: tuple[object, ...], type: Type | None) -> str:
    elements: Iterable[Type | None] = type.elements if isinstance(type, TupleType) else ()
    texts = [constant_text(value, element) for value, element in _pairs(values, elements)]
    return f"({', '.join(texts)}{',' if len(texts) == 1 else ''})"


def _dict_text(values: Mapping[object, object], type: Type | None) -> str:
    key, value = (type.key, type.value) if isinstance(type, DictType) else (None, None)
    items = [f"{constant_text(k, key)}: {constant_text(v, value)}" for k, v in values.items()]
    text = f"{{{', '.join(items)}}}"
    if type is None or (values and _told_by_members(value)):
        return text
    return f"annotate({type.annotation},{text})"


def _joined(values: Sequence[object], element: Type | None) -> str:
    return ", ".join(constant_text(value, element) for value in values)


def _pairs(
    values: Sequence[object], types: Iterable[Type | None]
) -> Iterable[tuple[object, Type | None]]:
    known = list(types)
    return zip(values, known if len(known) == len(values) else [None] * len(values))


def _told_by_members(element: Type | None) -> bool:
    return element is None or element.kind not in _UNTOLD_BY_MEMBERS
