"""``@dataclass``: the methods that Python would write for the fields of a class.

They are written as source text and parsed like everything else. Defaults are then put in as the
trees that the program has.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from textwrap import indent
from typing import Final

from tsc.compiler.emit.names.decorators import decorator_path
from tsc.compiler.emit.names.module_constants import NotConstant
from tsc.compiler.emit.names.module_names import ModuleNames
from tsc.compiler.frontend.parser import parse_source
from tsc.compiler.frontend.tree_views import (
    Apply,
    Assign,
    ClassDef,
    Def,
    Expr,
    FalseLiteral,
    Subscript,
    TrueLiteral,
    Var,
)
from tsc.compiler.source import CompileError, Source, SourceRange, codes, extensions
from tsc.compiler.source.extension_errors import naming
from tsc.compiler.types import EnumMember
from tsc.compiler.value_classes import value_class

_DECORATORS: Final = ("dataclass", "dataclasses.dataclass")
_FIELD: Final = ("field", "dataclasses.field")
_INIT_ONLY: Final = ("InitVar", "dataclasses.InitVar")
_OF_CLASS: Final = ("ClassVar", "typing.ClassVar")
_SCRIPT: Final = ("torch.jit.script", "tsc.script")
_KEYWORDS_FOLLOW: Final = ("KW_ONLY", "dataclasses.KW_ONLY")
_ORDERINGS: Final = {"__lt__": "<", "__le__": "<", "__gt__": ">", "__ge__": ">"}


@value_class
class _Field:
    """``is_init_only`` is a parameter of ``__init__`` that ``__post_init__`` gets, and no attribute."""

    name: str
    annotation: Expr
    default: Expr | None
    is_set: bool = True
    is_compared: bool = True
    is_init_only: bool = False
    is_kw_only: bool = False

    @property
    def is_optional(self) -> bool:
        text = self.annotation.range.text
        return text.startswith(("Optional", "typing.Optional")) or "None" in text


def is_data_class(definition: ClassDef, names: ModuleNames) -> bool:
    return _decorator(definition, names) is not None


def generated_methods(definition: ClassDef, names: ModuleNames) -> Iterator[Def]:
    """The methods that the decorator asks for and that the class does not define itself."""
    decorator = _decorator(definition, names)
    assert decorator is not None
    own = {each.name.name for each in definition.body if isinstance(each, Def)}
    fields = list(_fields(definition, names))
    attributes = [field for field in fields if not field.is_init_only]
    options = _options(decorator)
    texts: dict[str, str] = {}
    if options.get("init", True):
        texts["__init__"] = _initializer(fields, "__post_init__" in own)
    if options.get("eq", True):
        texts["__eq__"] = _equality(definition.name.name, attributes)
    if options.get("order", False):
        for name, operator in _ORDERINGS.items():
            texts[name] = _ordering(definition.name.name, name, operator, attributes)
    source = definition.range.source
    for name, text in texts.items():
        if name not in own:
            written = Source(text, source.filename, definition.head.line)
            written.place_of = partial(_place_in_class, definition)
            (method,) = parse_source(written).definitions
            yield _with_trees(method, fields) if name == "__init__" else method


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


def check_written_by_pytorch(
    definition: ClassDef, names: ModuleNames, evaluate: Callable[[Expr], object]
) -> None:
    """Raise `CompileError` for a data class whose methods PyTorch cannot write. ``evaluate`` gives constants."""
    decorator = _decorator(definition, names)
    assert decorator is not None
    refusal = None
    if not any(decorator_path(each, names) in _SCRIPT for each in definition.decorators):
        refusal = (
            decorator,
            "Can't get source for the methods of a data class without @torch.jit.script",
        )
    if _options(decorator).get("frozen", False):
        refusal = decorator, "PyTorch writes no methods for a data class with frozen=True"
    for field in _fields(definition, names):
        if _is_member(field.default, evaluate):
            refusal = field.annotation, "TorchScript failed to write the default of this field"
        if not field.is_set and field.default is not None:
            refusal = field.default, "PyTorch leaves a field with init=False without its default"
        if field.is_kw_only and field.default is not None:
            refusal = field.default, "keyword-only parameters have no defaults"
    if refusal is not None:
        tree, message = refusal
        error = CompileError(message, tree.range, code=codes.ONLY_IN_TSC)
        raise naming([extensions.DATA_CLASSES], error)


def _is_member(default: Expr | None, evaluate: Callable[[Expr], object]) -> bool:
    """Whether a default is a member of an enum, whose ``repr`` is no expression."""
    if default is None:
        return False
    try:
        return isinstance(evaluate(default), EnumMember)
    except NotConstant:
        return False


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
    decorator = _decorator(definition, names)
    are_kw_only = decorator is not None and _options(decorator).get("kw_only", False)
    for field in _written_fields(definition, names):
        if names.path_of(field.annotation) in _KEYWORDS_FOLLOW:
            are_kw_only = True
        else:
            yield replace(field, is_kw_only=field.is_kw_only or are_kw_only)


def _written_fields(definition: ClassDef, names: ModuleNames) -> Iterator[_Field]:
    for statement in definition.body:
        if not isinstance(statement, Assign) or statement.type is None:
            continue
        assert isinstance(statement.lhs, Var)
        name, annotation, default = statement.lhs.name.name, statement.type, statement.rhs
        constructor = names.path_of(annotation.value) if isinstance(annotation, Subscript) else None
        if constructor in _OF_CLASS:
            continue
        if constructor in _INIT_ONLY:
            assert isinstance(annotation, Subscript)
            inner = annotation.subscript_exprs[0]
            yield _Field(name, inner, default, is_compared=False, is_init_only=True)
        elif isinstance(default, Apply) and names.path_of(default.callee) in _FIELD:
            yield _described_field(name, annotation, default)
        else:
            yield _Field(name, annotation, default)


def _described_field(name: str, annotation: Expr, call: Apply) -> _Field:
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
    return _Field(
        name,
        annotation,
        given.get("default"),
        not isinstance(given.get("init"), FalseLiteral),
        not isinstance(given.get("compare"), FalseLiteral),
        is_kw_only=isinstance(given.get("kw_only"), TrueLiteral),
    )


def _initializer(fields: Sequence[_Field], has_more: bool) -> str:
    """``__init__`` with ``None`` in the place of every default."""
    given = [
        f"{field.name}: {field.annotation.range.text}"
        + ("" if field.default is None else " = None")
        for field in _parameters(fields)
    ]
    keywords = sum(field.is_kw_only for field in _parameters(fields))
    if keywords:
        given.insert(-keywords, "*")
    parameters = "".join(f", {each}" for each in given)
    lines = [
        f"self.{field.name} = {field.name if field.is_set else None}"
        for field in fields
        if not field.is_init_only and (field.is_set or field.default is not None)
    ]
    if has_more:
        passed = ", ".join(field.name for field in fields if field.is_init_only)
        lines.append(f"self.__post_init__({passed})")
    return _method(f"__init__(self{parameters}) -> None", lines or ["pass"])


def _parameters(fields: Sequence[_Field]) -> list[_Field]:
    """The fields that ``__init__`` takes, those that are given by name at the end."""
    return sorted((field for field in fields if field.is_set), key=lambda field: field.is_kw_only)


def _with_trees(initializer: Def, fields: Sequence[_Field]) -> Def:
    """``__init__`` with the defaults of the fields."""
    own, *params = initializer.decl.params
    typed = [
        replace(param, default=field.default)
        for param, field in zip(params, _parameters(fields), strict=True)
    ]
    defaults = {f"self.{field.name}": field.default for field in fields if not field.is_set}
    statements = [
        replace(each, rhs=defaults[each.lhs.range.text])
        if isinstance(each, Assign) and defaults.get(each.lhs.range.text) is not None
        else each
        for each in initializer.statements
    ]
    decl = replace(initializer.decl, params=[own, *typed])
    return replace(initializer, decl=decl, statements=statements)


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
