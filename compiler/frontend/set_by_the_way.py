"""What statements at module level that tsc does not execute would do to the names of the module."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tsc.compiler.frontend.free_names import bound_names
from tsc.compiler.frontend.tree_views import (
    Apply,
    Assign,
    AugAssign,
    ClassDef,
    Def,
    Delete,
    Expr,
    ExprStmt,
    For,
    If,
    Import,
    ImportFrom,
    Select,
    Stmt,
    Subscript,
    UnsupportedStmt,
    Var,
    While,
    With,
)

_READ = (Def, ClassDef, Import, ImportFrom)
_NEVER_WHEN_IMPORTED = ("__name__", "TYPE_CHECKING")
_CHANGING = frozenset(
    (
        *("append", "extend", "insert", "remove", "pop", "clear", "sort", "reverse"),
        *("update", "setdefault", "popitem", "add", "discard"),
    )
)
"""Methods that change a list, a dict or a set."""


def set_by_the_way(statement: Stmt) -> Iterator[str]:
    """The names that a statement sets when a module is imported, or deletes.

    Not those that definitions, imports and assignments to plain names bind, which are read.
    """
    for each in _executed(statement):
        if isinstance(each, For):
            yield from bound_names([For(each.range, each.targets, each.iters, ())])
        elif isinstance(each, With):
            yield from bound_names([With(each.range, each.targets, ())])
        elif isinstance(each, Delete):
            yield from (target.name.name for target in each.targets if isinstance(target, Var))
        elif _blocks(each) is None:
            yield from bound_names([each])


def changed_by_the_way(statement: Stmt) -> Iterator[str]:
    """The names whose values a statement changes, by their attributes, items or methods."""
    for each in _executed(statement):
        for target in _targets(each):
            if not isinstance(target, Select | Subscript) or not isinstance(target.value, Var):
                continue
            if isinstance(target, Subscript) or not target.selector.name.startswith("__"):
                yield target.value.name.name


def _executed(statement: Stmt) -> Iterator[Stmt]:
    """A statement, as far as it is not read, and all in its blocks that run when a module is imported."""
    if isinstance(statement, _READ):
        return
    if isinstance(statement, Assign):
        targets = [each for each in statement.lhs_list if not isinstance(each, Var)]
        statement = Assign(statement.range, targets, statement.rhs)
    pending = [statement]
    while pending:
        current = pending.pop()
        yield current
        for block in _blocks(current) or ():
            pending += block


def _blocks(statement: Stmt) -> list[Sequence[Stmt]] | None:
    """The blocks of a statement that run when a module is imported; None if it is none with blocks."""
    match statement:
        case If():
            text = statement.cond.range.text
            is_never = any(name in text for name in _NEVER_WHEN_IMPORTED)
            first = () if is_never else statement.true_branch
            return [first, statement.false_branch]
        case For() | While():
            return [statement.body, statement.or_else]
        case With():
            return [statement.body]
        case UnsupportedStmt():
            return [*statement.blocks]
        case _:
            return None


def _targets(statement: Stmt) -> Sequence[Expr]:
    """What a statement without blocks sets or changes: names, attributes, items."""
    match statement:
        case Assign():
            return statement.lhs_list
        case AugAssign():
            return [statement.lhs]
        case Delete():
            return statement.targets
        case ExprStmt(expr=Apply(callee=Select(selector=selector) as callee)):
            return [callee] if selector.name in _CHANGING else []
        case _:
            return []
