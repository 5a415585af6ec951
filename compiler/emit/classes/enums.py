"""``class Color(Enum)``: read as a type with members, whose values are constants of one type."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from tsc.compiler.emit.names.module_constants import NotConstant
from tsc.compiler.frontend.tree_views import (
    Apply,
    Assign,
    ClassDef,
    Def,
    Expr,
    ExprStmt,
    Pass,
    Stmt,
    StringLiteral,
    TupleLiteral,
    Var,
)
from tsc.compiler.ir import GraphError, infer_constant_type
from tsc.compiler.ir.constants import type_name
from tsc.compiler.source import CompileError, SourceRange, codes
from tsc.compiler.types import EnumType, Type, unify_all

Evaluate = Callable[[Expr, Mapping[str, object]], object]
"""The value of a constant expression that may use the names of a class body; else NotConstant."""

_FLAGS: Final = ("enum.Flag", "enum.IntFlag")
ENUM_BASES: Final = ("enum.Enum", "enum.IntEnum", "enum.StrEnum", *_FLAGS)
"""The enums of Python, by their full names."""

_SMALLEST_INT: Final = -(2**63)
_LARGEST_INT: Final = 2**63 - 1
_AUTO: Final = ("auto", "enum.auto")
_MIXED_IN: Final[dict[str, Callable[..., object]]] = {
    "int": int,
    "float": float,
    "str": str,
    "enum.IntEnum": int,
    "enum.StrEnum": str,
    "enum.IntFlag": int,
}


def as_enum_base(path: str | None) -> str | None:
    """The full name of an enum of Python; a text without imports may use the bare name."""
    qualified = f"enum.{path}" if path and "." not in path else path
    return qualified if qualified in ENUM_BASES else None


@dataclass(slots=True)
class _Members:
    """The members found so far, and what the class does to their values."""

    bases: tuple[str, ...]
    path_of: Callable[[Expr], str | None]
    evaluate: Evaluate
    values: dict[str, object] = field(default_factory=dict[str, object])

    def add(self, name: str, tree: Expr) -> None:
        self.values[name] = self._converted(self._value(name, tree), tree.range)

    def _value(self, name: str, tree: Expr) -> object:
        if isinstance(tree, Apply) and self.path_of(tree.callee) in _AUTO:
            return self._automatic(name)
        try:
            return self.evaluate(tree, self.values)
        except NotConstant as reason:
            raise CompileError(
                f"the value of '{name}' is not a constant",
                reason.range,
                code=codes.INVALID_ENUM,
                hint="write an int, a float or a string",
            ) from None

    def _automatic(self, name: str) -> object:
        """What ``auto()`` stands for: the next number, bit or name."""
        if "enum.StrEnum" in self.bases:
            return name.lower()
        numbers = [value for value in self.values.values() if isinstance(value, int)]
        if any(base in _FLAGS for base in self.bases):
            return 1 << max(numbers, default=0).bit_length()
        return numbers[-1] + 1 if numbers else 1

    def _converted(self, value: object, range: SourceRange) -> object:
        """The value as a class with a second base, such as ``class Mode(str, Enum)``, makes it."""
        for base in self.bases:
            convert = _MIXED_IN.get(base)
            if convert is None or not isinstance(value, (int, float, str)):
                continue
            try:
                return convert(value)
            except ValueError as reason:
                raise CompileError(str(reason), range, code=codes.INVALID_ENUM) from None
        return value


def enum_type(
    definition: ClassDef,
    qualified_name: str,
    bases: tuple[str, ...],
    path_of: Callable[[Expr], str | None],
    evaluate: Evaluate,
) -> EnumType:
    """The type that a class statement defines; ``bases`` are the full names of its base classes."""
    members = _Members(bases, path_of, evaluate)
    for statement in definition.body:
        for name, tree in _assignments(statement):
            if _is_member_name(name):
                members.add(name, tree)
    is_flag = any(base in _FLAGS for base in bases)
    return made_enum(qualified_name, members.values, definition.name.range, is_flag=is_flag)


def made_enum(
    qualified_name: str, values: Mapping[str, object], range: SourceRange, *, is_flag: bool = False
) -> EnumType:
    """The enum with these values. A second name for a value is no member, nor are several flags."""
    if not values:
        name = qualified_name.rpartition(".")[2]
        raise CompileError(
            f"No enum values defined for: '{name}'",
            range,
            code=codes.INVALID_ENUM,
            hint="write its members below it, such as `RED = 1`",
        )
    value_type = _value_type(list(values.values()), range)
    first = {value: name for name, value in reversed(list(values.items()))}
    members = tuple((name, value) for name, value in values.items() if first[value] == name)
    if is_flag:
        members = tuple(each for each in members if _is_single_flag(each[1]))
    return EnumType(qualified_name, value_type, members)


def _is_single_flag(value: object) -> bool:
    return isinstance(value, int) and value.bit_count() == 1


def _value_type(values: list[object], range: SourceRange) -> Type:
    for value in values:
        if isinstance(value, int) and not _SMALLEST_INT <= value <= _LARGEST_INT:
            raise CompileError(
                f"the value {value} does not fit into 64 bits", range, code=codes.INVALID_ENUM
            )
        if not isinstance(value, (int, float, str)) or isinstance(value, bool):
            raise CompileError(
                f"Cannot create Enum with value type '{_type_text(value)}', only int, float and "
                "string are supported",
                range,
                code=codes.INVALID_ENUM,
            )
    found = unify_all([infer_constant_type(value) for value in values])
    if isinstance(found, Type):
        return found
    raise CompileError(
        found,
        range,
        code=codes.INVALID_ENUM,
        hint="give all members values of one type: int, float or str",
    )


def _type_text(value: object) -> str:
    try:
        return infer_constant_type(value).message_text
    except GraphError:
        return type_name(value)


def _is_member_name(name: str) -> bool:
    """Not ``_ignore_``, ``__doc__`` or ``__private``."""
    is_sunder = name.startswith("_") and name.endswith("_")
    return not is_sunder and not name.startswith("__")


def _assignments(statement: Stmt) -> Iterator[tuple[str, Expr]]:
    """The names that a statement of the body gives values to."""
    if isinstance(statement, (Pass, Def, ClassDef)) or _is_docstring(statement):
        return
    if not isinstance(statement, Assign):
        raise CompileError(
            "the body of an enum may only have members and methods",
            statement.range,
            code=codes.INVALID_ENUM,
        )
    if statement.rhs is None:
        return
    for target in statement.lhs_list:
        yield from _bound(target, statement.rhs)


def _is_docstring(statement: Stmt) -> bool:
    return isinstance(statement, ExprStmt) and isinstance(statement.expr, StringLiteral)


def _bound(target: Expr, value: Expr) -> Iterator[tuple[str, Expr]]:
    if isinstance(target, Var):
        yield target.name.name, value
        return
    if isinstance(target, TupleLiteral) and isinstance(value, TupleLiteral):
        for each, part in zip(target.inputs, value.inputs):
            yield from _bound(each, part)
        return
    raise CompileError(
        "a member of an enum is a name with a value", target.range, code=codes.INVALID_ENUM
    )
