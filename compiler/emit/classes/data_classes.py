"""``@dataclass``: the methods that Python would write for the fields of a class.

They are written as source text, with the annotations and defaults as the program has them, and
parsed like everything else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from textwrap import indent
from typing import Final

from tsc.compiler.emit.names.decorators import decorator_path
from tsc.compiler.emit.names.module_names import ModuleNames
from tsc.compiler.frontend.parser import parse_source
from tsc.compiler.frontend.tree_views import (
    Apply,
    Assign,
    ClassDef,
    Def,
    Expr,
    FalseLiteral,
    TrueLiteral,
    Var,
)
from tsc.compiler.source import CompileError, Source, SourceRange, codes

_DECORATORS: Final = ("dataclass", "dataclasses.dataclass")
_FIELD: Final = ("field", "dataclasses.field")
_ORDERINGS: Final = {"__lt__": "<", "__le__": "<", "__gt__": ">", "__ge__": ">"}


@dataclass(frozen=True, slots=True)
class _Field:
    name: str
    annotation: str
    default: str | None
    is_set: bool = True
    is_compared: bool = True

    @property
    def is_optional(self) -> bool:
        return (
            self.annotation.startswith(("Optional", "typing.Optional")) or "None" in self.annotation
        )


def is_data_class(definition: ClassDef, names: ModuleNames) -> bool:
    return _decorator(definition, names) is not None


def generated_methods(definition: ClassDef, names: ModuleNames) -> Iterator[Def]:
    """The methods that the decorator asks for and that the class does not define itself."""
    decorator = _decorator(definition, names)
    assert decorator is not None
    own = {each.name.name for each in definition.body if isinstance(each, Def)}
    fields = list(_fields(definition, names))
    options = _options(decorator)
    texts: dict[str, str] = {}
    if options.get("init", True):
        texts["__init__"] = _initializer(fields, "__post_init__" in own)
    if options.get("eq", True):
        texts["__eq__"] = _equality(definition.name.name, fields)
    if options.get("order", False):
        for name, operator in _ORDERINGS.items():
            texts[name] = _ordering(definition.name.name, name, operator, fields)
    source = definition.range.source
    for name, text in texts.items():
        if name not in own:
            written = Source(text, source.filename, definition.head.line)
            written.place_of = partial(_place_in_class, definition)
            yield from parse_source(written).definitions


def _place_in_class(definition: ClassDef, range: SourceRange) -> SourceRange:
    """The field, or its default, that a part of a generated method is about; or the head of the class."""
    line = range.source.text[: range.end].rpartition("\n")[2]
    last, place = -1, definition.head
    for each in definition.body:
        if not isinstance(each, Assign) or not isinstance(each.lhs, Var):
            continue
        word = rf"\b{each.lhs.name.name}(?:_of_self|_of_other)?\b"
        at = max((found.start() for found in re.finditer(word, line)), default=-1)
        if at > last:
            is_default = each.rhs is not None and each.rhs.range.text == range.text
            last, place = at, each.rhs.range if is_default and each.rhs is not None else each.range
    return place


def _decorator(definition: ClassDef, names: ModuleNames) -> Expr | None:
    for decorator in definition.decorators:
        if decorator_path(decorator, names) in _DECORATORS:
            return decorator
    return None


def _options(decorator: Expr) -> dict[str, bool]:
    """``init``, ``eq`` and ``order``, as far as they are given."""
    if not isinstance(decorator, Apply):
        return {}
    return {
        argument.name.name: isinstance(argument.value, TrueLiteral)
        for argument in decorator.attributes
        if isinstance(argument.value, TrueLiteral | FalseLiteral)
    }


def _fields(definition: ClassDef, names: ModuleNames) -> Iterator[_Field]:
    for statement in definition.body:
        if not isinstance(statement, Assign) or statement.type is None:
            continue
        assert isinstance(statement.lhs, Var)
        name, annotation = statement.lhs.name.name, statement.type.range.text
        default = statement.rhs
        if isinstance(default, Apply) and names.path_of(default.callee) in _FIELD:
            yield _described_field(name, annotation, default)
        else:
            yield _Field(name, annotation, None if default is None else default.range.text)


def _described_field(name: str, annotation: str, call: Apply) -> _Field:
    """``x: int = field(default=1, init=True, compare=False)``."""
    given = {argument.name.name: argument.value for argument in call.attributes}
    if "default_factory" in given:
        raise CompileError(
            "Default factory initializers are not supported: fields of compiled dataclasses have "
            "constant defaults",
            given["default_factory"].range,
            code=codes.INVALID_CLASS,
            hint="give the field no default, and pass its value, or write __init__",
        )
    default = given.get("default")
    return _Field(
        name,
        annotation,
        None if default is None else default.range.text,
        not isinstance(given.get("init"), FalseLiteral),
        not isinstance(given.get("compare"), FalseLiteral),
    )


def _initializer(fields: Sequence[_Field], has_more: bool) -> str:
    parameters = "".join(
        f", {field.name}: {field.annotation}"
        + ("" if field.default is None else f" = {field.default}")
        for field in fields
        if field.is_set
    )
    lines = [
        f"self.{field.name} = {field.name if field.is_set else field.default}"
        for field in fields
        if field.is_set or field.default is not None
    ]
    if has_more:
        lines.append("self.__post_init__()")
    return _method(f"__init__(self{parameters}) -> None", lines or ["pass"])


def _equality(owner: str, fields: Sequence[_Field]) -> str:
    lines: list[str] = []
    for field in fields:
        if field.is_compared:
            differ = "if mine != yours:\n  return False\n"
            lines += _compared(field, differ, "return False")
    return _method(f"__eq__(self, other: {owner}) -> bool", [*lines, "return True"])


def _ordering(owner: str, name: str, operator: str, fields: Sequence[_Field]) -> str:
    """By the first field that differs."""
    lines: list[str] = []
    for field in fields:
        if field.is_compared:
            decide = (
                f"if mine {operator} yours:\n  return True\n"
                f"elif yours {operator} mine:\n  return False\n"
            )
            refuse = f"raise TypeError('Cannot compare {owner} with None')"
            lines += _compared(field, decide, refuse)
    is_equal = name in ("__le__", "__ge__")
    return _method(f"{name}(self, other: {owner}) -> bool", [*lines, f"return {is_equal}"])


def _compared(field: _Field, decide: str, otherwise: str) -> list[str]:
    """The values of a field in both objects, compared; None only equals None."""
    mine, yours = f"{field.name}_of_self", f"{field.name}_of_other"
    decide = decide.replace("mine", mine).replace("yours", yours)
    read = [f"{mine} = self.{field.name}", f"{yours} = other.{field.name}"]
    if not field.is_optional:
        return [*read, decide]
    return [
        *read,
        f"if {mine} is not None and {yours} is not None:\n{indent(decide, '  ')}",
        f"elif ({mine} is None) != ({yours} is None):\n  {otherwise}",
    ]


def _method(head: str, lines: Sequence[str]) -> str:
    return f"def {head}:\n{indent(chr(10).join(lines), '  ')}\n"
