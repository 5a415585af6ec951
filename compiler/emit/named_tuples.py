"""``class Point(NamedTuple)`` and its like: the one kind of class that is just a type."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from compiler.emit.module_constants import NotConstant
from compiler.frontend.tree_views import (
    Apply,
    Assign,
    ClassDef,
    Expr,
    ExprStmt,
    ListLiteral,
    Pass,
    Stmt,
    StringLiteral,
    TupleLiteral,
    Var,
)
from compiler.source import CompileError, codes
from compiler.types import TENSOR, TupleType, Type

if TYPE_CHECKING:
    from compiler.emit.module_names import ModuleNames
    from compiler.frontend.annotations import ScriptTypeParser

_BASES = ("NamedTuple", "typing.NamedTuple")
_UNTYPED = ("namedtuple", "collections.namedtuple")


def is_named_tuple(definition: ClassDef, names: ModuleNames) -> bool:
    return len(definition.bases) == 1 and names.path_of(definition.bases[0]) in _BASES


def named_tuple_type(
    definition: ClassDef, types: ScriptTypeParser, default_of: Callable[[Expr], object]
) -> TupleType:
    """The tuple type with the fields of a class; only annotated fields may stand in it."""
    fields: list[str] = []
    elements: list[Type] = []
    defaults: list[object] = []
    for statement in definition.body:
        if _is_filler(statement):
            continue
        name, field = _field(statement)
        assert field.type is not None
        fields.append(name)
        elements.append(types.parse_type(field.type))
        if field.rhs is not None:
            defaults.append(_constant_default(name, field.rhs, default_of))
    return TupleType(
        tuple(elements),
        f"__torch__.{definition.name.name}",
        tuple(fields),
        tuple(defaults),
    )


def named_tuple_of_call(
    name: str, tree: Expr, names: ModuleNames, types: ScriptTypeParser
) -> TupleType | None:
    """The type made by ``NamedTuple("Point", [("x", int)])`` or ``namedtuple("Point", ["x"])``.

    Fields without a type are tensors. None if the expression is no such call.
    """
    if not isinstance(tree, Apply) or len(tree.inputs) != 2:
        return None
    path = names.path_of(tree.callee)
    if path in _UNTYPED:
        fields = [(field, TENSOR) for field in _field_names(tree.inputs[1])]
    elif path in _BASES:
        fields = [_typed_field(each, types) for each in _items(tree.inputs[1])]
    else:
        return None
    elements = tuple(type for _, type in fields)
    return TupleType(elements, f"__torch__.{name}", tuple(field for field, _ in fields))


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


def _is_filler(statement: Stmt) -> bool:
    if isinstance(statement, ExprStmt):
        return isinstance(statement.expr, StringLiteral)
    return isinstance(statement, Pass)


def _field(statement: Stmt) -> tuple[str, Assign]:
    if isinstance(statement, Assign) and statement.type is not None:
        target = statement.lhs
        if isinstance(target, Var):
            return target.name.name, statement
    raise CompileError(
        "a NamedTuple can only have annotated fields",
        statement.range,
        code=codes.INVALID_NAMED_TUPLE,
        hint="write 'name: type', and make methods functions",
    )


def _constant_default(name: str, tree: Expr, default_of: Callable[[Expr], object]) -> object:
    try:
        return default_of(tree)
    except NotConstant as reason:
        raise CompileError(
            f"the default of field '{name}' is not a constant",
            reason.range,
            code=codes.INVALID_NAMED_TUPLE,
        ) from None
