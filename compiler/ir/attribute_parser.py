"""Reads the attributes of nodes in IR text: plain values, types, and what stands for tensors.

A constant's text does not always tell its type (``value=1`` is a bool, ``value=10000000000`` a
float), but the type of the node's output does: ``as_constant`` makes the one fit the other.
"""

from __future__ import annotations

import re
from typing import Final, cast

from tsc.compiler.ir.constants import ConstantText
from tsc.compiler.types import (
    BOOL,
    COMPLEX,
    DEVICE,
    FLOAT,
    TENSOR,
    ClassResolver,
    Device,
    DictType,
    EnumType,
    ListType,
    OptionalType,
    ScanError,
    Scanner,
    TensorType,
    TupleType,
    Type,
    TypeParser,
)

_STRING: Final = re.compile(r'"((?:[^"\\]|\\.)*)"', re.DOTALL)
_ESCAPE: Final = re.compile(r"\\([.-7][(-7][(-7]|.)|([^\\]+)", re.DOTALL)
_TENSOR_IN_FULL: Final = re.compile(
    r'(?:[^\[\]",={}]|\([\d.,]+\) =)*\[ \w+Type\{[\d,]*\} \]', re.DOTALL
)
_OPAQUE: Final = re.compile(r"<\w+>|object\(\w+\)|\{[^{}\":]+\}|\[<\w+>\]")
_ANNOTATION: Final = re.compile(r"[^,\[\]]+(?:\[.*?\]+)?(?=, ?[\[{])")
_MEMBER: Final = re.compile(r"[A-Za-z_]\w*(?:\.\w+)+")
_ESCAPED_LETTERS: Final = dict(zip("abfnrtv", b"\a\b\f\n\r\t\v"))


class AttributeParser:
    """Reads attribute values from a scanner."""

    __slots__ = ("_classes", "_scanner")

    def __init__(self, scanner: Scanner, classes: ClassResolver | None = None) -> None:
        self._scanner = scanner
        self._classes = classes

    def parse_type(self) -> Type:
        return TypeParser(self._scanner, self._classes).parse().type

    def parse_value(self) -> object:
        """The attribute of a node other than a constant; types are values, too."""
        return self._value(types_allowed=True)

    def parse_constant(self, type: Type) -> object:
        """The value of a constant of ``type``."""
        start = self._scanner.position
        while isinstance(type, OptionalType):
            type = type.element
        text = self._opaque_text(type)
        if text is not None:
            return ConstantText(text, type)
        value = self._value(types_allowed=False)
        try:
            return as_constant(value, type)
        except ValueError as error:
            raise self._scanner.fail(str(error), start) from error

    def _opaque_text(self, type: Type) -> str | None:
        """The text of a value that only its text is known of."""
        if isinstance(type, TensorType):
            return self._match(_OPAQUE) or self._match(_TENSOR_IN_FULL)
        if isinstance(type, EnumType):
            return self._match(_MEMBER)
        if isinstance(type, ListType) and isinstance(type.element, TensorType):
            return self._match(_OPAQUE)
        return None

    def _match(self, pattern: re.Pattern[str]) -> str | None:
        """Unlike the scanner's, keeps leading blanks: they are part of a tensor's text."""
        match = pattern.match(self._scanner.text, self._scanner.position)
        if match is None:
            return None
        self._scanner.position = match.end()
        return match.group()

    def _value(self, types_allowed: bool) -> object:
        scanner = self._scanner
        opaque = self._match(_OPAQUE) or self._match(_TENSOR_IN_FULL)
        if opaque is not None:
            return ConstantText(opaque, TENSOR)
        for read in (self._annotated, self._container, self._string, self._number, self._word):
            value = read(types_allowed)
            if value is not _NO_VALUE:
                return value
        if types_allowed:
            return self.parse_type()
        member = self._match(_MEMBER)
        if member is None:
            raise scanner.fail(f"expected a value but found {scanner.found()}")
        return ConstantText(member)

    def _annotated(self, types_allowed: bool) -> object:
        """``annotate(List[int], [])``: the node's output tells the type of a constant as well."""
        scanner = self._scanner
        if not scanner.take_if("annotate"):
            return _NO_VALUE
        scanner.expect("(")
        annotation = self._skip_annotation()
        scanner.expect(",")
        scanner.skip_blanks()
        value = self._value(types_allowed)
        scanner.expect(")")
        if types_allowed and annotation != "List[int]":
            return ConstantText(f"annotate({annotation}, [])")
        return value

    def _skip_annotation(self) -> str:
        """A type as Python spells it, up to the comma behind it."""
        annotation = self._match(_ANNOTATION)
        if annotation is None:
            raise self._scanner.fail("expected a type and a comma")
        return annotation

    def _container(self, types_allowed: bool) -> object:
        scanner = self._scanner
        if scanner.take_if("["):
            return self._items("]", types_allowed)
        if scanner.take_if("{"):
            return self._dict(types_allowed)
        if not scanner.looking_at("("):
            return _NO_VALUE
        start = scanner.position
        if types_allowed:
            try:
                return self.parse_type()
            except ScanError:
                scanner.position = start
        scanner.expect("(")
        return tuple(self._items(")", types_allowed))

    def _items(self, closing: str, types_allowed: bool) -> list[object]:
        scanner = self._scanner
        items: list[object] = []
        while not scanner.take_if(closing):
            if items:
                scanner.expect(",")
                if scanner.take_if(closing):
                    break
                scanner.skip_blanks()
            items.append(self._value(types_allowed))
        return items

    def _dict(self, types_allowed: bool) -> dict[object, object]:
        scanner = self._scanner
        items: dict[object, object] = {}
        while not scanner.take_if("}"):
            if items:
                scanner.expect(",")
                scanner.skip_blanks()
            key = self._value(types_allowed)
            scanner.expect(":")
            scanner.skip_blanks()
            items[key] = self._value(types_allowed)
        return items

    def _string(self, types_allowed: bool) -> object:
        del types_allowed
        quoted = self._scanner.take_match(_STRING)
        return _NO_VALUE if quoted is None else unescape(quoted[1:-1])

    def _number(self, types_allowed: bool) -> object:
        del types_allowed
        scanner = self._scanner
        real = scanner.take_number()
        if real is None:
            return _NO_VALUE
        if isinstance(real, complex) or not (scanner.looking_at("+") or scanner.looking_at("-")):
            return real
        return complex(real, scanner.expect_number().imag)

    def _word(self, types_allowed: bool) -> object:
        del types_allowed
        scanner = self._scanner
        for word, value in (("None", None), ("True", True), ("False", False)):
            if scanner.take_if(word):
                return value
        if not scanner.take_if("torch.device"):
            return _NO_VALUE
        scanner.expect("(")
        device = Device.parse(scanner.expect_string())
        scanner.expect(")")
        return device


_NO_VALUE: Final = object()


def unescape(text: str) -> str:
    """Undoes ``quoted``: escapes stand for bytes, which together are UTF-8."""
    if "\\" not in text:
        return text
    encoded = b"".join(map(_unescaped, _ESCAPE.finditer(text)))
    return encoded.decode("utf-8", "surrogatepass")


def _unescaped(match: re.Match[str]) -> bytes:
    escape, plain = match.groups()
    if plain is not None:
        return plain.encode("utf-8", "surrogatepass")
    if len(escape) == 1:
        return bytes([_ESCAPED_LETTERS.get(escape, ord(escape))])
    first, second, third = (ord(digit) - ord("0") for digit in escape)
    return bytes([(first * 64 + second * 8 + third) % 256])


def as_constant(value: object, type: Type) -> object:
    """``value``, read without knowing its type, as a constant of ``type``, or a ValueError."""
    if isinstance(type, OptionalType):
        return None if value is None else as_constant(value, type.element)
    if isinstance(type, ListType) and isinstance(value, list):
        return [as_constant(member, type.element) for member in cast("list[object]", value)]
    if isinstance(type, TupleType) and isinstance(value, tuple):
        members = cast("tuple[object, ...]", value)
        if len(members) != len(type.elements):
            raise ValueError(f"a {type} has {len(type.elements)} elements, not {len(members)}")
        return tuple(map(as_constant, members, type.elements))
    if isinstance(type, DictType) and isinstance(value, dict):
        items = cast("dict[object, object]", value)
        return {as_constant(k, type.key): as_constant(v, type.value) for k, v in items.items()}
    return _as_scalar(value, type)


def _as_scalar(value: object, type: Type) -> object:
    if type == BOOL and isinstance(value, int):
        return bool(value)
    if type == FLOAT and isinstance(value, int):
        return float(value)
    if type == COMPLEX and isinstance(value, int | float):
        return complex(value)
    if type == DEVICE and isinstance(value, str):
        return Device.parse(value)
    return value
