"""From annotations to types, in every spelling that people use."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import ClassVar, Final

from tsc.compiler.frontend.annotation_hints import (
    CONTAINED_TYPE_EXAMPLES,
    way_out,
    without_contained_type,
)
from tsc.compiler.frontend.parser import parse_expression
from tsc.compiler.frontend.tree_views import (
    BinOp,
    Dots,
    Expr,
    NoneLiteral,
    Select,
    StringLiteral,
    Subscript,
    TupleLiteral,
    Var,
)
from tsc.compiler.source import CompileError, Source, SourceRange, codes, extensions
from tsc.compiler.source.extension_errors import naming
from tsc.compiler.types import (
    ANY,
    ANY_ENUM,
    ANY_LIST,
    ANY_TUPLE,
    BOOL,
    CAPSULE,
    COMPLEX,
    DEVICE,
    FLOAT,
    GENERATOR,
    INT,
    NONE,
    NUMBER,
    STREAM,
    STRING,
    TENSOR,
    AwaitType,
    DictType,
    FutureType,
    ListType,
    RRefType,
    TupleType,
    Type,
    UnionType,
    check_alternatives,
    check_extent,
    optional,
    union,
)

ResolveType = Callable[[str, SourceRange], Type | None]

_DEEPEST_NESTING = 100
_KEY_TYPES: Final = (ANY, INT, BOOL, FLOAT, COMPLEX, STRING, TENSOR, DEVICE)
_TENSORS = ("", "Long", "Float", "Double", "Int", "Short", "Half", "Char", "Byte", "Bool")
_PLAIN: Final = {"int": INT, "float": FLOAT, "bool": BOOL, "complex": COMPLEX, "device": DEVICE}
_TYPES: Final[dict[str, Type]] = {
    "int": INT,
    "float": FLOAT,
    "bool": BOOL,
    "complex": COMPLEX,
    "str": STRING,
    "number": NUMBER,
    "None": NONE,
    "NoneType": NONE,
    "Any": ANY,
    "list": ANY_LIST,
    "tuple": ANY_TUPLE,
    "Tensor": TENSOR,
    "Device": DEVICE,
    "Generator": GENERATOR,
    "Stream": STREAM,
    "Capsule": CAPSULE,
    "AnyEnum": ANY_ENUM,
    **{f"torch.{prefix}Tensor": TENSOR for prefix in _TENSORS},
    **{f"torch.nn.{module}Parameter": TENSOR for module in ("", "parameter.")},
    **{f"torch.{name}": INT for name in ("dtype", "layout", "memory_format", "qscheme")},
    "torch.device": DEVICE,
    "torch.Generator": GENERATOR,
    "torch.Stream": STREAM,
    "torch.Size": ListType(INT),
    "_Await": AwaitType(ANY),
    "Text": STRING,
    "torch.types.Number": union((INT, FLOAT, BOOL)),
    "torch.types.Device": union((DEVICE, STRING, INT, NONE)),
    **{f"torch.types._{name}": type for name, type in _PLAIN.items()},
}
_ONLY_IN_TSC: Final = frozenset(
    ("torch.Size", "torch.layout", "torch.memory_format", "Annotated", "Final")
)
_OTHER_CONSTRUCTORS: Final = {"list": "List", "tuple": "Tuple", "dict": "Dict", "_Await": "Await"}
_CONSTRUCTORS: Final = frozenset(
    ("List", "Tuple", "Dict", "Optional", "Union", "Future", "RRef", "Await", "Final", "Annotated")
)
_TYPING_MODULES: Final = (
    *("typing.", "typing_extensions.", "torch.jit.annotations.", "torch.jit.", "builtins."),
    *("torch.futures.",),
    *("torch.distributed.rpc.", "torch._awaits.", "torch._jit_internal.", "torch.nn.common_types."),
)


def known_type(qualified_name: str) -> Type | None:
    """The type of that full name, ``torch.Tensor``, if it is one that every program has."""
    return _TYPES.get(_without_typing_module(qualified_name))


def list_size(qualified_name: str) -> int | None:
    """The 2 of ``BroadcastingList2`` and ``_size_2_t``: one int stands for two of them."""
    return _broadcasting_size(_without_typing_module(qualified_name))


def _without_typing_module(name: str) -> str:
    for module in _TYPING_MODULES:
        name = name.removeprefix(module)
    return name


@dataclass(slots=True, eq=False, repr=False)
class KnownType(Expr):
    """An annotation that nobody wrote: it stands for a type that is known."""

    KIND: ClassVar[str] = "known type"

    type: Type


class ScriptTypeParser:
    """Reads annotations.

    ``resolve_type`` knows the types that a program defines or imports; ``qualified_name`` says
    where a name comes from ("T.List" is "typing.List" after ``import typing as T``). A ``strict`` parser
    refuses what PyTorch refuses.
    """

    __slots__ = ("_depth", "_is_quoted", "_qualified_name", "_resolve_type", "_strict")

    def __init__(
        self,
        resolve_type: ResolveType,
        qualified_name: Callable[[str], str] = str,
        *,
        strict: bool = False,
    ) -> None:
        self._strict = strict
        self._resolve_type = resolve_type
        self._qualified_name = qualified_name
        self._depth = 0
        self._is_quoted = False

    def parse_type(self, tree: Expr) -> Type:
        """The type that an annotation means."""
        if self._depth == _DEEPEST_NESTING:
            raise CompileError(
                f"a type nested more than {_DEEPEST_NESTING} deep",
                tree.range,
                code=codes.NESTED_TOO_DEEPLY,
            )
        self._depth += 1
        try:
            type = self._parse(tree)
        finally:
            self._depth -= 1
        if self._depth == 0:
            check_extent(type, tree.range)
        return type

    def list_size(self, tree: Expr) -> int | None:
        """The 2 of ``BroadcastingList2[int]``, alone or in an ``Optional``: 1 int stands for 2."""
        if isinstance(tree, Subscript) and dotted_name(tree.value) == "Optional":
            return self.list_size(tree.subscript_exprs[0])
        name = dotted_name(tree.value if isinstance(tree, Subscript) else tree)
        return None if name is None else _broadcasting_size(name)

    def _parse(self, tree: Expr) -> Type:
        if isinstance(tree, KnownType):
            return tree.type
        if isinstance(tree, StringLiteral):
            return self._quoted(tree)
        if isinstance(tree, BinOp) and tree.kind == "|":
            return self._union(tree, alternatives(tree))
        if isinstance(tree, Subscript):
            return self._constructed(tree)
        name = dotted_name(tree)
        if name is None:
            raise _not_a_type(tree)
        return self._named(name, tree.range)

    def _quoted(self, tree: StringLiteral) -> Type:
        found = self._resolve_type(tree.text, tree.range)
        if found is not None:
            return found
        source = tree.range.source
        start = source.text.find(tree.text, tree.range.start, tree.range.end)
        if start < 0:  # it has escapes, or is made of several literals
            source, start = Source(tree.text, source.filename, tree.range.line), 0
        try:
            quoted = parse_expression(source, start, start + len(tree.text))
            if isinstance(quoted, BinOp) or self._is_quoted:
                self._refuse_if_strict(tree.text, tree.range)
            return self._parse_quoted(quoted)
        except CompileError as error:
            if error.range.source is tree.range.source:
                raise
            raise error.at(tree.range) from None

    def _parse_quoted(self, tree: Expr) -> Type:
        around, self._is_quoted = self._is_quoted, True
        try:
            return self.parse_type(tree)
        finally:
            self._is_quoted = around

    def _named(self, name: str, range: SourceRange) -> Type:
        if name in _TYPES and name not in _ONLY_IN_TSC:
            return _TYPES[name]
        found = self._resolve_type(name, range)
        if found is not None:
            return found
        known = self._known_name(name)
        if known in _TYPES:
            if known in _ONLY_IN_TSC:
                self._refuse_if_strict(name, range)
            return _TYPES[known]
        if _broadcasting_size(known) is not None:
            return ListType(INT)
        message, code = f"Unknown type name '{name}'", codes.UNKNOWN_TYPE
        if known in CONTAINED_TYPE_EXAMPLES:
            message, code = without_contained_type(known), codes.MISSING_CONTAINED_TYPE
        hint = way_out(known) or _similar_type(name)
        raise CompileError(message, range, code=code, hint=hint)

    def _refuse_if_strict(self, name: str, range: SourceRange) -> None:
        if self._strict:
            message = f"Unknown type name '{name}'"
            error = CompileError(message, range, code=codes.ONLY_IN_TSC)
            raise naming([extensions.ANNOTATIONS], error)

    def _known_name(self, name: str) -> str:
        """The name by which the tables know it: ``List`` for ``typing.List``."""
        return _without_typing_module(self._qualified_name(name))

    def _constructed(self, tree: Subscript) -> Type:
        written = dotted_name(tree.value)
        if written is None:
            raise CompileError(
                "Subscripted type must be a type identifier",
                tree.value.range,
                code=codes.INVALID_ANNOTATION,
            )
        name = self._known_name(written)
        name = _OTHER_CONSTRUCTORS.get(name, name)
        arguments = tree.subscript_exprs
        if name in _ONLY_IN_TSC or (name == "RRef" and self._is_quoted):
            self._refuse_if_strict(tree.range.text, tree.range)
        if _broadcasting_size(name) is not None:
            return ListType(self._only(tree))
        if name not in _CONSTRUCTORS:
            raise CompileError(
                f"Unknown type constructor {written}",
                tree.range,
                code=codes.UNKNOWN_TYPE,
                hint=way_out(name),
            )
        if name == "Tuple":
            return self._tuple(arguments)
        if name == "Union":
            return self._union(tree, _unpacked(arguments))
        if name == "Dict":
            return self._dict(tree)
        if name == "Annotated":
            return self.parse_type(arguments[0])
        element = self._only(tree)
        if name == "Optional" and element == NONE:
            self._refuse_if_strict(tree.range.text, tree.range)
        return _wrapped(name, element)

    def _union(self, tree: Expr, members: Sequence[Expr]) -> Type:
        check_alternatives(len(members), tree.range)
        type = union([self.parse_type(each) for each in members])
        if type == NONE:
            self._refuse_if_strict(tree.range.text, tree.range)
        return type

    def _only(self, tree: Subscript) -> Type:
        arguments = tree.subscript_exprs
        if len(arguments) != 1:
            message = f"expected exactly one element type but found {len(arguments)}"
            raise CompileError(message, tree.range, code=codes.INVALID_ANNOTATION)
        return self.parse_type(arguments[0])

    def _tuple(self, arguments: Sequence[Expr]) -> Type:
        arguments = _unpacked(arguments)
        if len(arguments) == 2 and isinstance(arguments[1], Dots):
            raise CompileError(
                "Expression of type dots cannot be used in a type expression",
                arguments[1].range,
                code=codes.INVALID_ANNOTATION,
                hint="a tuple has a fixed length; List[...] has any",
            )
        return TupleType(tuple(self.parse_type(argument) for argument in arguments))

    def _dict(self, tree: Subscript) -> Type:
        arguments = _unpacked(tree.subscript_exprs)
        if len(arguments) != 2:
            message = f"expected exactly 2 element types but found {len(arguments)}"
            raise CompileError(message, tree.range, code=codes.INVALID_ANNOTATION)
        key = self.parse_type(arguments[0])
        if key not in _KEY_TYPES:
            raise CompileError(
                f"Cannot create dict for key type '{key}': keys are int, float, complex, str, "
                "Tensor or torch.device",
                arguments[0].range,
                code=codes.INVALID_KEY_TYPE,
            )
        return DictType(key, self.parse_type(arguments[1]))


def _wrapped(name: str, element: Type) -> Type:
    match name:
        case "List":
            return ListType(element)
        case "Optional":
            return union((element, NONE)) if isinstance(element, UnionType) else optional(element)
        case "Future":
            return FutureType(element)
        case "RRef":
            return RRefType(element)
        case "Await":
            return AwaitType(element)
        case _:  # Final
            return element


def alternatives(tree: Expr) -> list[Expr]:
    """The members of ``a | b | c``, from left to right."""
    members: list[Expr] = []
    while isinstance(tree, BinOp) and tree.kind == "|":
        members.append(tree.rhs)
        tree = tree.lhs
    members.append(tree)
    return members[::-1]


def _unpacked(arguments: Sequence[Expr]) -> Sequence[Expr]:
    """``Tuple[()]`` has no arguments, and ``Tuple[(a, b)]`` has two."""
    if len(arguments) == 1 and isinstance(arguments[0], TupleLiteral):
        return arguments[0].inputs
    return arguments


def dotted_name(tree: Expr) -> str | None:
    selectors: list[str] = []
    while isinstance(tree, Select):
        selectors.append(tree.selector.name)
        tree = tree.value
    if isinstance(tree, NoneLiteral) and not selectors:
        return "None"
    return ".".join([tree.name.name, *reversed(selectors)]) if isinstance(tree, Var) else None


def _broadcasting_size(name: str) -> int | None:
    size = name.removeprefix("BroadcastingList")
    if size == name and name.startswith("_size_") and name.endswith("_t"):
        size = name[len("_size_") : -len("_t")]
    return int(size) if size != name and size.isascii() and size.isdigit() else None


def _similar_type(name: str) -> str | None:
    close = get_close_matches(name, [*_TYPES, *_CONSTRUCTORS], 1)
    return f"did you mean '{close[0]}'?" if close else None


def _not_a_type(tree: Expr) -> CompileError:
    message = f"Expression of type {tree.kind} cannot be used in a type expression"
    return CompileError(
        message,
        tree.range,
        code=codes.INVALID_ANNOTATION,
        hint="types are int, Tensor, List[int] and the like",
    )
