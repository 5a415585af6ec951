"""Reads schema texts in every form that PyTorch's own schemas have.

    aten::add.out(Tensor self, Tensor other, *, Scalar alpha=1, Tensor(a!) out) -> Tensor(a!)

Arguments repeat from schema to schema, so that one already read is found again by its text.
"""

from __future__ import annotations

import re
from typing import Final

from tsc.compiler.schema.alias_info import WILDCARD, AliasInfo
from tsc.compiler.schema.argument import NO_DEFAULT, Argument
from tsc.compiler.schema.function_schema import FunctionSchema
from tsc.compiler.types import (
    LAYOUTS,
    MEMORY_FORMATS,
    SCALAR_TYPE_BY_NAME,
    ListType,
    OptionalType,
    ScanError,
    Scanner,
    TupleType,
    Type,
    TypeKind,
    TypePair,
    TypeParser,
)


class SchemaError(ScanError):
    """A text that is not a schema."""


_NAME = re.compile(r"[A-Za-z_][\w.]*(?:::[A-Za-z_][\w]*)*(?:\.[A-Za-z_][\w]*)?|")
_SIMPLE_ARGUMENT = re.compile(r'[^,()"]+(?:\([a-z]!?\)[^,()"]*)?(?=[,)])')

_CODES: Final = {
    "Mean": 1,
    "Sum": 2,
    **{name: info.code for name, info in SCALAR_TYPE_BY_NAME.items()},
    **LAYOUTS,
    **MEMORY_FORMATS,
}
"""The names that stand for ints in defaults."""


def parse_schema(text: str) -> FunctionSchema:
    """The schema that ``text`` is, or a SchemaError that says where it is not one."""
    return _SchemaParser(text).parse()


class _SchemaTypeParser(TypeParser):
    """Types with the alias annotations and the sizes that arguments have."""

    __slots__ = ("alias_info", "list_size")

    reads_tensor_details = False

    def start(self) -> None:
        self.alias_info: AliasInfo | None = None
        self.list_size: int | None = None

    def after_element(self) -> None:
        self.alias_info = self._take_alias_info()

    def after_list(self) -> None:
        inner, outer = self.alias_info, self._take_alias_info()
        if inner is not None:
            outer = (outer or AliasInfo(is_write=inner.is_write)).around(inner)
        self.alias_info = outer

    def inside_list(self) -> None:
        if self.list_size is not None:
            raise self._scanner.fail("only the outermost list may have a size")
        self.list_size = self._scanner.take_integer()

    def _take_alias_info(self) -> AliasInfo | None:
        scanner = self._scanner
        if not scanner.take_if("("):
            return None
        before = self._alias_sets()
        is_write = scanner.take_if("!")
        after = self._alias_sets() if scanner.take_if("->") else before
        scanner.expect(")")
        return AliasInfo(before, after, is_write)

    def _alias_sets(self) -> tuple[str, ...]:
        scanner = self._scanner
        if scanner.take_if(WILDCARD):
            return (WILDCARD,)
        sets = [scanner.expect_identifier("an alias set")]
        while scanner.take_if("|"):
            sets.append(scanner.expect_identifier("an alias set"))
        return tuple(sets)


_arguments_by_text: Final[dict[tuple[str, bool], Argument]] = {}


class _SchemaParser:
    __slots__ = ("_scanner", "_types")

    def __init__(self, text: str) -> None:
        self._scanner = Scanner(text, error=SchemaError)
        self._types = _SchemaTypeParser(self._scanner)

    def parse(self) -> FunctionSchema:
        name, overload_name = self._name()
        self._scanner.expect("(")
        arguments, is_vararg = self._arguments()
        self._scanner.expect("->")
        returns, is_varret = self._returns()
        if not self._scanner.at_end():
            raise self._scanner.fail(
                f"expected the end of the schema but found {self._scanner.found()}"
            )
        return FunctionSchema(name, overload_name, arguments, returns, is_vararg, is_varret)

    def _name(self) -> tuple[str, str]:
        text = self._scanner.take_match(_NAME)
        if not text:
            raise self._scanner.fail(f"expected a name but found {self._scanner.found()}")
        namespace, colons, rest = text.rpartition("::")
        if not colons:
            return text, ""
        name, _, overload_name = rest.partition(".")
        return f"{namespace}::{name}", overload_name

    def _arguments(self) -> tuple[tuple[Argument, ...], bool]:
        scanner = self._scanner
        arguments: list[Argument] = []
        kwarg_only = is_vararg = False
        if scanner.take_if(")"):
            return (), False
        while True:
            start = scanner.position
            if is_vararg:
                raise scanner.fail("'...' must be the last argument")
            if scanner.take_if("..."):
                is_vararg = True
            elif scanner.take_if("*"):
                kwarg_only = True
            else:
                argument = self._argument(kwarg_only)
                self._check_order(arguments, argument, start)
                arguments.append(argument)
            if scanner.take_if(")"):
                return tuple(arguments), is_vararg
            scanner.expect(",")

    def _check_order(self, before: list[Argument], argument: Argument, position: int) -> None:
        if argument.kwarg_only or argument.has_default or not before:
            return
        if before[-1].has_default:
            raise self._scanner.fail(
                f"argument '{argument.name}' without default follows one with a default", position
            )

    def _argument(self, kwarg_only: bool) -> Argument:
        scanner = self._scanner
        scanner.skip_blanks()
        start = scanner.position
        match = _SIMPLE_ARGUMENT.match(scanner.text, start)
        if match is not None:
            known = _arguments_by_text.get((match.group(), kwarg_only))
            if known is not None:
                scanner.position = match.end()
                return known
        argument = self._new_argument(kwarg_only)
        _arguments_by_text[scanner.text[start : scanner.position], kwarg_only] = argument
        return argument

    def _new_argument(self, kwarg_only: bool) -> Argument:
        pair = self._type()
        name = self._scanner.expect_identifier("the name of the argument")
        size, alias_info = self._types.list_size, self._types.alias_info
        default: object = NO_DEFAULT
        if self._scanner.take_if("="):
            default = self._default(pair.type, size)
        return Argument(name, pair.type, pair.declared, size, default, kwarg_only, alias_info)

    def _type(self) -> TypePair:
        self._types.start()
        return self._types.parse()

    def _returns(self) -> tuple[tuple[Argument, ...], bool]:
        scanner = self._scanner
        if scanner.take_if("..."):
            return (), True
        if not scanner.take_if("("):
            return (self._return(),), False
        returns: list[Argument] = []
        if scanner.take_if(")"):
            return (), False
        while True:
            if scanner.take_if("..."):
                scanner.expect(")")
                return tuple(returns), True
            returns.append(self._return())
            if scanner.take_if(")"):
                return tuple(returns), False
            scanner.expect(",")

    def _return(self) -> Argument:
        pair = self._type()
        name = self._scanner.take_identifier() or ""
        return Argument(
            name,
            pair.type,
            pair.declared,
            list_size=self._types.list_size,
            alias_info=self._types.alias_info,
        )

    def _default(self, type: Type, size: int | None) -> object:
        if isinstance(type, OptionalType):
            if self._scanner.take_if("None"):
                return None
            if isinstance(type.element, ListType):
                return self._list_default(type.element.element, size)
            return self._plain_default(type)
        if isinstance(type, ListType):
            return self._list_default(type.element, size)
        if isinstance(type, TupleType):
            return self._tuple_default(type)
        return self._plain_default(type)

    def _tuple_default(self, type: TupleType) -> tuple[object, ...]:
        scanner = self._scanner
        items: list[object] = []
        scanner.expect("(")
        for element in type.elements:
            if items:
                scanner.expect(",")
            items.append(self._plain_default(element))
        scanner.expect(")")
        return tuple(items)

    def _list_default(self, element: Type, size: int | None) -> tuple[object, ...]:
        scanner = self._scanner
        if not scanner.take_if("["):
            if size is None:
                raise scanner.fail(f"expected a list but found {scanner.found()}")
            return (self._plain_default(element),) * size
        items: list[object] = []
        while not scanner.take_if("]"):
            if items:
                scanner.expect(",")
            items.append(self._plain_default(element))
        return tuple(items)

    def _plain_default(self, type: Type) -> object:
        scanner = self._scanner
        for word, value in (("None", None), ("True", True), ("False", False)):
            if scanner.take_if(word):
                return value
        string = scanner.take_string()
        if string is not None:
            return string
        number = scanner.take_number()
        if number is None:
            return self._named_default(type)
        if type.kind is TypeKind.ComplexType and (imaginary := scanner.take_number()) is not None:
            number += imaginary
        return _converted(number, type)

    def _named_default(self, type: Type) -> object:
        scanner = self._scanner
        start = scanner.position
        name = scanner.expect_identifier("a default value")
        if name in _CODES:
            return _CODES[name]
        if type.kind is TypeKind.DeviceObjType:
            return name
        raise scanner.fail(f"'{name}' is not a default value", start)


def _converted(number: complex, type: Type) -> int | float | complex:
    """Makes an int a float or a complex where one is declared (PyTorch: not behind an Optional)."""
    if type.kind is TypeKind.FloatType and isinstance(number, int):
        return float(number)
    if type.kind is TypeKind.ComplexType:
        return complex(number)
    return number
