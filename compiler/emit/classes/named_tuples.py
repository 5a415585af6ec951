"""``class Point(NamedTuple)`` and its like: tuples whose elements have names."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from keyword import iskeyword
from typing import cast

from tsc.compiler.emit.names.module_constants import NotConstant
from tsc.compiler.emit.names.module_names import ModuleNames
from tsc.compiler.frontend.annotations import ScriptTypeParser
from tsc.compiler.frontend.tree_views import (
    Apply,
    Assign,
    ClassDef,
    Def,
    Expr,
    ExprStmt,
    ListLiteral,
    Pass,
    Stmt,
    StringLiteral,
    TupleLiteral,
    Var,
)
from tsc.compiler.source import CompileError, SourceRange, codes
from tsc.compiler.types import FLOAT, TENSOR, ListType, OptionalType, TupleType, Type

_BASES = ("NamedTuple", "typing.NamedTuple")
_UNTYPED = ("namedtuple", "collections.namedtuple")


def is_named_tuple(definition: ClassDef, names: ModuleNames) -> bool:
    return len(definition.bases) == 1 and names.path_of(definition.bases[0]) in _BASES


def named_tuple_type(
    definition: ClassDef,
    qualified_name: str,
    types: ScriptTypeParser,
    default_of: Callable[[Expr], object],
) -> TupleType:
    """The tuple type with the annotated fields of a class. Methods are left to Python."""
    fields: dict[str, Type] = {}
    defaults: list[object] = []
    for statement in definition.body:
        field = _field(statement)
        if field is None:
            continue
        name, annotation, default = field
        _check_name(name, fields, statement.range)
        fields[name] = types.parse_type(annotation)
        if default is not None:
            constant = _constant_default(name, default, default_of)
            defaults.append(_as_field(constant, fields[name]))
        elif defaults:
            raise CompileError(
                f"the field '{name}' has no default, but one before it has",
                statement.range,
                code=codes.INVALID_NAMED_TUPLE,
                hint="put the fields without a default first",
            )
    return TupleType(tuple(fields.values()), qualified_name, tuple(fields), tuple(defaults))


def named_tuple_of_call(
    tree: Expr,
    prefix: str,
    names: ModuleNames,
    types: ScriptTypeParser,
    default_of: Callable[[Expr], object],
) -> TupleType | None:
    """The type made by ``NamedTuple("Point", [("x", int)])`` or ``namedtuple("Point", ["x"])``.

    Fields without a type are tensors; `namedtuple` takes ``defaults=`` for the last of them.
    None if the expression is no such call.
    """
    path = names.path_of(tree.callee) if isinstance(tree, Apply) else None
    if not isinstance(tree, Apply) or path not in (*_BASES, *_UNTYPED):
        return None
    keywords = {attribute.name.name: attribute.value for attribute in tree.attributes}
    given_defaults = keywords.pop("defaults", None) if path in _UNTYPED else None
    if len(tree.inputs) != 2 or keywords:
        raise CompileError(
            "a NamedTuple is made of a name and a list of fields",
            tree.range,
            code=codes.INVALID_NAMED_TUPLE,
            hint="fields with defaults can be written as a class: `class Point(NamedTuple):`",
        )
    if path in _UNTYPED:
        pairs = [(field, TENSOR) for field in _field_names(tree.inputs[1])]
    else:
        pairs = [_typed_field(each, types) for each in _items(tree.inputs[1])]
    fields: dict[str, Type] = {}
    for name, type in pairs:
        _check_name(name, fields, tree.range)
        fields[name] = type
    defaults: tuple[object, ...] = ()
    if given_defaults is not None:
        values = _items(given_defaults)[-len(fields) :]
        defaults = tuple(
            [
                _constant_default(name, value, default_of)
                for name, value in zip(tuple(fields)[len(fields) - len(values) :], values)
            ]
        )
    name = _text(tree.inputs[0])
    _check_name(name, {}, tree.inputs[0].range, "a type")
    return TupleType(tuple(fields.values()), prefix + name, tuple(fields), defaults)


def _check_name(
    name: str, fields: Mapping[str, Type], range: SourceRange, what: str = "a field"
) -> None:
    reason = None
    if name in fields:
        reason = f"the field '{name}' is there twice"
    elif (name.startswith("_") and what == "a field") or not name.isidentifier() or iskeyword(name):
        reason = f"'{name}' cannot be the name of {what}"
    if reason is not None:
        raise CompileError(reason, range, code=codes.INVALID_NAMED_TUPLE)


def _items(tree: Expr) -> Sequence[Expr]:
    if isinstance(tree, ListLiteral | TupleLiteral):
        return tree.inputs
    raise CompileError(
        "the fields of a NamedTuple must be written as a list",
        tree.range,
        code=codes.INVALID_NAMED_TUPLE,
    )


def _field_names(tree: Expr) -> list[str]:
    if isinstance(tree, StringLiteral):
        return tree.text.replace(",", " ").split()
    return [_text(each) for each in _items(tree)]


def _typed_field(tree: Expr, types: ScriptTypeParser) -> tuple[str, Type]:
    items = _items(tree)
    if len(items) != 2:
        raise CompileError(
            "a field of a NamedTuple is a name and a type",
            tree.range,
            code=codes.INVALID_NAMED_TUPLE,
        )
    return _text(items[0]), types.parse_type(items[1])


def _text(tree: Expr) -> str:
    if isinstance(tree, StringLiteral):
        return tree.text
    raise CompileError(
        "the name of a field must be a string literal", tree.range, code=codes.INVALID_NAMED_TUPLE
    )


def _field(statement: Stmt) -> tuple[str, Expr, Expr | None] | None:
    """Name, annotation and default of the field that a statement declares, if it does."""
    if isinstance(statement, Pass | Def):
        return None
    if isinstance(statement, ExprStmt) and isinstance(statement.expr, StringLiteral):
        return None
    if isinstance(statement, Assign):
        if statement.type is None:
            return None
        if isinstance(statement.lhs, Var):
            return statement.lhs.name.name, statement.type, statement.rhs
    raise CompileError(
        "a NamedTuple can only have annotated fields",
        statement.range,
        code=codes.INVALID_NAMED_TUPLE,
        hint="write 'name: type'",
    )


def _as_field(constant: object, type: Type) -> object:
    """The constant with its ints as floats where the field has floats."""
    if isinstance(type, OptionalType):
        type = type.element
    if isinstance(constant, int) and not isinstance(constant, bool) and type == FLOAT:
        return float(constant)
    if isinstance(constant, list) and isinstance(type, ListType):
        return [_as_field(item, type.element) for item in cast("list[object]", constant)]
    if isinstance(constant, tuple) and isinstance(type, TupleType):
        items = cast("tuple[object, ...]", constant)
        return tuple([_as_field(*pair) for pair in zip(items, type.elements)])
    return cast("object", constant)


def _constant_default(name: str, tree: Expr, default_of: Callable[[Expr], object]) -> object:
    try:
        return default_of(tree)
    except NotConstant as reason:
        raise CompileError(
            f"the default of field '{name}' is not a constant",
            reason.range,
            code=codes.INVALID_NAMED_TUPLE,
        ) from None
