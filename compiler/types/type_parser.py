"""Reads the texts of types: those that ``str`` and ``schema_text`` write.

``TypeParser`` keeps two types apart: the one values have, and the one the text declares, which
differs for ``SymInt``, ``ScalarType``, ``Layout`` and ``MemoryFormat`` (all ints).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import ClassVar, Final, NamedTuple

from tsc.compiler.types.base import Type
from tsc.compiler.types.container_types import (
    AwaitType,
    DictType,
    FutureType,
    ListType,
    RRefType,
    TupleType,
)
from tsc.compiler.types.named_types import (
    ClassType,
    EnumType,
    FunctionType,
    InterfaceType,
    MethodSchema,
)
from tsc.compiler.types.scalar_types import SCALAR_TYPE_BY_IR_NAME
from tsc.compiler.types.scanner import ScanError, Scanner
from tsc.compiler.types.simple_types import (
    ANY,
    ANY_CLASS,
    ANY_ENUM,
    ANY_LIST,
    ANY_TUPLE,
    BOOL,
    CAPSULE,
    COMPLEX,
    DEVICE,
    DIMNAME,
    FLOAT,
    GENERATOR,
    INT,
    LAYOUT,
    MEMORY_FORMAT,
    NONE,
    NUMBER,
    PY_OBJECT,
    QSCHEME,
    QUANTIZER,
    SCALAR_TYPE,
    STORAGE,
    STREAM,
    STRING,
    SYM_BOOL,
    SYM_FLOAT,
    SYM_INT,
)
from tsc.compiler.types.tensor_type import TENSOR, TensorType
from tsc.compiler.types.type_variables import VarType
from tsc.compiler.types.unification import optional, union

ClassResolver = Callable[[str], Type | None]


class TypePair(NamedTuple):
    """The type that values have, and the type as declared."""

    type: Type
    declared: Type


_SIMPLE: Final[dict[str, TypePair]] = {
    **{
        str(type): TypePair(type, type)
        for type in (
            TENSOR, INT, FLOAT, COMPLEX, NUMBER, BOOL, STRING, NONE, ANY, ANY_LIST, ANY_TUPLE,
            ANY_ENUM, ANY_CLASS, DEVICE, GENERATOR, STORAGE, STREAM, SYM_FLOAT, SYM_BOOL, QSCHEME,
            QUANTIZER, DIMNAME, CAPSULE, PY_OBJECT,
        )
    },
    **{str(type): TypePair(INT, type) for type in (SYM_INT, SCALAR_TYPE, LAYOUT, MEMORY_FORMAT)},
    "number": TypePair(NUMBER, NUMBER),
    "None": TypePair(NONE, NONE),
    "DeviceIndex": TypePair(INT, INT),
    "ConstQuantizerPtr": TypePair(QUANTIZER, QUANTIZER),
}  # fmt: skip


@cache
def opaque_class(qualified_name: str) -> ClassType:
    """The class of that name, of which nothing else is known."""
    return ClassType(qualified_name)


class _UnknownFunction:
    """The function of a ``Function`` type read from text, which does not say which."""

    qualified_name = ""

    @property
    def schema(self) -> MethodSchema:
        raise AssertionError("the function of a type read from text has no schema")


UNKNOWN_FUNCTION: Final = FunctionType(_UnknownFunction())
_MOST_NESTED = 100


class TypeParser:
    """Reads one type after another from a scanner. ``classes`` resolves qualified names."""

    __slots__ = ("_classes", "_depth", "_scanner")

    reads_tensor_details: ClassVar[bool] = True
    """Whether ``Float(2, 3)`` is a type: in the IR it is, in schemas parentheses are aliases."""

    def __init__(self, scanner: Scanner, classes: ClassResolver | None = None) -> None:
        self._scanner = scanner
        self._classes = classes
        self._depth = 0

    def parse(self) -> TypePair:
        """A type with all its suffixes."""
        outer_depth = self._depth
        self._deepen()
        pair = self._element()
        self.after_element()
        while True:
            if self._scanner.take_if("["):
                self.inside_list()
                self._scanner.expect("]")
                self._deepen()
                pair = list_of(pair)
                self.after_list()
            elif self._scanner.take_if("?"):
                pair = optional_of(pair)
            else:
                self._depth = outer_depth
                return pair

    def after_element(self) -> None:
        """Called after a type without suffixes: schemas have alias annotations here."""

    def inside_list(self) -> None:
        """Called between ``[`` and ``]``: schemas have a size here."""

    def after_list(self) -> None:
        """Called after ``[]``: schemas have alias annotations here."""

    def _deepen(self) -> None:
        self._depth += 1
        if self._depth > _MOST_NESTED:
            raise self._scanner.fail("this type is nested too deeply")

    def _element(self) -> TypePair:
        """A type without ``[]`` and ``?`` behind it."""
        scanner = self._scanner
        if scanner.take_if("("):
            return _pair(self._elements(")"), lambda types: TupleType(tuple(types)))
        start = scanner.position
        name = scanner.expect_dotted_name("a type")
        simple = _SIMPLE.get(name)
        if simple is not None and not (name == "Tensor" and self._details_follow()):
            return simple
        compound = self._compound(name)
        if compound is not None:
            return compound
        named = self._named(name)
        if named is not None:
            return TypePair(named, named)
        raise scanner.fail(f"unknown type '{name}'", start)

    def _elements(self, closing: str) -> list[TypePair]:
        elements: list[TypePair] = []
        if self._scanner.take_if(closing):
            return elements
        self._scanner.take_if(",")  # PyTorch writes Union(, str, Scalar)
        while True:
            elements.append(self.parse())
            if self._scanner.take_if(closing):
                return elements
            self._scanner.expect(",")

    def _compound(self, name: str) -> TypePair | None:
        maker = _COMPOUND.get(name)
        if maker is None:
            return None
        arity, make = maker
        closing = ")" if self._scanner.take_if("(") else "]"
        if closing == "]":
            self._scanner.expect("[")
        start = self._scanner.position
        elements = self._elements(closing)
        if arity is not None and len(elements) != arity:
            raise self._scanner.fail(f"{name} takes {arity} types, not {len(elements)}", start)
        if not elements:
            raise self._scanner.fail(f"{name} needs types", start)
        return _pair(elements, make)

    def _named(self, name: str) -> Type | None:
        scanner = self._scanner
        if name == "Function":
            return UNKNOWN_FUNCTION
        if name == "NamedTuple":
            return self._named_tuple()
        if name in ("Enum", "InterfaceType") and scanner.take_if("<"):
            qualified_name = scanner.expect_dotted_name()
            scanner.expect(">")
            return self._declared_by(name, qualified_name)
        if "." in name:
            resolved = None if self._classes is None else self._classes(name)
            return resolved or opaque_class(name)
        if self.reads_tensor_details and (name == "Tensor" or _tensor_dtype(name) is not None):
            return self._tensor(name)
        return VarType(name) if name[0].islower() else None

    def _details_follow(self) -> bool:
        return self.reads_tensor_details and self._scanner.looking_at("(")

    def _declared_by(self, form: str, qualified_name: str) -> Type:
        resolved = None if self._classes is None else self._classes(qualified_name)
        if resolved is not None:
            return resolved
        if form == "Enum":
            return EnumType(qualified_name, ANY)
        return InterfaceType(qualified_name)

    def _named_tuple(self) -> Type:
        scanner = self._scanner
        names: list[str] = []
        types: list[Type] = []
        defaults: list[object] = []
        scanner.expect("(")
        while not scanner.take_if(")"):
            if names:
                scanner.expect(",")
            names.append(scanner.expect_identifier("a field name"))
            scanner.expect(":")
            types.append(self.parse().type)
            if scanner.take_if("="):
                defaults.append(parse_literal(scanner))
        return TupleType(tuple(types), None, tuple(names), tuple(defaults))

    def _tensor(self, name: str) -> Type:
        scanner = self._scanner
        ranked = not name.endswith("Tensor")
        type = TensorType(dtype=_tensor_dtype(name))
        if not scanner.take_if("("):
            return type
        sizes: list[int | None] = []
        while not scanner.take_if(")"):
            if scanner.take_if("*"):
                sizes.append(None)
            elif (size := scanner.take_integer()) is not None:
                sizes.append(size)
            else:
                type = self._tensor_detail(type)
            if not scanner.looking_at(")"):
                scanner.expect(",")
        if ranked or sizes:
            type = TensorType(
                type.dtype, tuple(sizes), type.strides, type.device, type.requires_grad
            )
        return type

    def _tensor_detail(self, type: TensorType) -> TensorType:
        scanner = self._scanner
        start = scanner.position
        name = scanner.expect_identifier("a size or a detail of a tensor")
        scanner.expect("=")
        if name == "strides":
            strides = tuple(_bracketed_integers(scanner))
            return TensorType(type.dtype, type.sizes, strides, type.device, type.requires_grad)
        if name == "requires_grad":
            flag = bool(scanner.expect_integer())
            return TensorType(type.dtype, type.sizes, type.strides, type.device, flag)
        if name == "device":
            device = scanner.expect_identifier("a device")
            if scanner.take_if(":"):
                device += f":{scanner.expect_integer()}"
            return type.with_device(device)
        raise scanner.fail(f"unknown detail '{name}' of a tensor", start)


def _bracketed_integers(scanner: Scanner) -> list[int]:
    numbers: list[int] = []
    scanner.expect("[")
    while not scanner.take_if("]"):
        if numbers:
            scanner.expect(",")
        numbers.append(scanner.expect_integer())
    return numbers


def _tensor_dtype(name: str) -> str | None:
    plain = name.removesuffix("Tensor")
    return plain if plain in SCALAR_TYPE_BY_IR_NAME else None


def parse_literal(scanner: Scanner) -> object:
    """A number, a string, None, True or False, or a list or tuple of these."""
    for closing, opening in (("]", "["), (")", "(")):
        if scanner.take_if(opening):
            return _literals(scanner, closing)
    for word, value in (("None", None), ("True", True), ("False", False)):
        if scanner.take_if(word):
            return value
    string = scanner.take_string()
    return scanner.expect_number() if string is None else string


def _literals(scanner: Scanner, closing: str) -> object:
    items: list[object] = []
    while not scanner.take_if(closing):
        if items:
            scanner.expect(",")
            if scanner.take_if(closing):
                break
        items.append(parse_literal(scanner))
    return items if closing == "]" else tuple(items)


def list_of(pair: TypePair) -> TypePair:
    return TypePair(ListType(pair.type), ListType(pair.declared))


def optional_of(pair: TypePair) -> TypePair:
    return TypePair(optional(pair.type), optional(pair.declared))


def _pair(elements: list[TypePair], make: Callable[[list[Type]], Type]) -> TypePair:
    return TypePair(
        make([pair.type for pair in elements]), make([pair.declared for pair in elements])
    )


_COMPOUND: Final[dict[str, tuple[int | None, Callable[[list[Type]], Type]]]] = {
    "Future": (1, lambda types: FutureType(types[0])),
    "RRef": (1, lambda types: RRefType(types[0])),
    "Await": (1, lambda types: AwaitType(types[0])),
    "Dict": (2, lambda types: DictType(types[0], types[1])),
    "Union": (None, union),
}


def parse_type(text: str, classes: ClassResolver | None = None) -> Type:
    """The type that ``text`` writes in IR form; a ``ScanError`` with the place if it does not."""
    scanner = Scanner(text, error=ScanError)
    type = TypeParser(scanner, classes).parse().type
    if not scanner.at_end():
        raise scanner.fail(f"expected the end of the type but found {scanner.found()}")
    return type
