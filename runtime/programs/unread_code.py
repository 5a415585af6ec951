"""The code in a source text that nobody compiles: what a command that looks at all of a file did not look at."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from tsc.compiler.emit.classes.interfaces import INTERFACES
from tsc.compiler.emit.names.decorators import decorator_path
from tsc.compiler.emit.names.module_names import ModuleNames
from tsc.compiler.emit.resolvers.source_resolver import SourceResolver
from tsc.compiler.frontend.tree import Group, Tree
from tsc.compiler.frontend.tree_views import (
    Apply,
    Assign,
    ClassDef,
    Def,
    Expr,
    ExprStmt,
    Lambda,
    Stmt,
    UnsupportedStmt,
    Var,
)
from tsc.compiler.source import SourceRange

_ASYNCHRONOUS = re.compile(r"async\s+def\s+(\w+)")
_EXECUTING = ("exec", "eval")


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A part of a text that was not compiled, and the reason."""

    range: SourceRange
    reason: str

    @property
    def place(self) -> str:
        return f"{self.range.filename}:{self.range.line}"

    def __str__(self) -> str:
        return f"{self.place}: {self.reason}"


def unread_code(text: SourceResolver) -> Iterator[LeftOut]:
    """What the definitions of a text, and the classes that they use, do not lead to."""
    statements = text.names.module.statements
    used = _names_in(each for each in statements if isinstance(each, Def | ClassDef))
    known = {type.name for type in text.script_classes}
    for statement in statements:
        reason = None
        match statement:
            case Def():
                continue
            case ClassDef():
                if not text.is_module(statement.name.name):
                    reason = _of_class(statement, text.names, known)
            case Assign(rhs=Lambda()):
                reason = _of_lambda(statement, used)
            case _:
                reason = _of_statement(statement)
        if reason is not None:
            yield LeftOut(statement.range, reason)


def _of_class(definition: ClassDef, names: ModuleNames, known: set[str]) -> str | None:
    name = definition.name.name
    paths = [*map(names.path_of, definition.bases)]
    paths += [decorator_path(each, names) for each in definition.decorators]
    has_methods = any(isinstance(each, Def) for each in definition.body)
    if name in known or not has_methods or any(path in INTERFACES for path in paths):
        return None
    return f"the methods of class '{name}', which nothing that is compiled uses"


def _of_lambda(assign: Assign, used: set[str]) -> str | None:
    names = [each.name.name for each in assign.lhs_list if isinstance(each, Var)]
    if any(name in used for name in names):
        return None
    return f"the lambda {_quoted(names)}, which nothing that is compiled calls"


def _of_statement(statement: Stmt) -> str | None:
    """A statement that is not executed, if there is code in it that could have been compiled."""
    value = statement.expr if isinstance(statement, ExprStmt) else None
    value = statement.rhs if isinstance(statement, Assign) else value
    if isinstance(value, Apply):
        callee = value.callee
        is_code = isinstance(callee, Var) and callee.name.name in _EXECUTING
        return "the code that this statement makes of a text" if is_code else None
    asynchronous = _ASYNCHRONOUS.match(statement.range.text)
    if asynchronous is not None:
        return f"the async function '{asynchronous[1]}', which TorchScript has not"
    names = [*dict.fromkeys(_defined_in(statement))]
    if not names:
        return None
    line = statement.range.text.partition("\n")[0].strip()
    return f"the definitions of {_quoted(names)}: '{line}' is not executed"


def _defined_in(statement: Stmt) -> Iterator[str]:
    """The functions, classes and lambdas in the blocks of a statement, but for those in these."""
    pending: list[Tree | Group | str] = [*_parts(statement)]
    while pending:
        tree = pending.pop()
        if isinstance(tree, str | Expr):
            continue
        if isinstance(tree, Def | ClassDef):
            yield tree.name.name
            continue
        if isinstance(tree, Assign) and isinstance(tree.rhs, Lambda):
            yield from (each.name.name for each in tree.lhs_list if isinstance(each, Var))
        asynchronous = _ASYNCHRONOUS.match(tree.range.text) if isinstance(tree, Stmt) else None
        if asynchronous is not None:
            yield asynchronous[1]
        pending += [*_parts(tree)]


def _parts(tree: Tree | Group) -> list[Tree | Group | str]:
    """What is in a tree, the last part first."""
    parts: list[Tree | Group | str] = []
    if isinstance(tree, UnsupportedStmt):
        for block in tree.blocks:
            parts += block
    else:
        parts += tree.children
    return parts[::-1]


def _names_in(trees: Iterable[Tree]) -> set[str]:
    pending: list[Tree | Group | str] = [*trees]
    found: set[str] = set()
    while pending:
        tree = pending.pop()
        if isinstance(tree, Var):
            found.add(tree.name.name)
        elif isinstance(tree, ClassDef):
            pending += tree.body
        elif not isinstance(tree, str):
            pending += tree.children
    return found


def _quoted(names: Iterable[str]) -> str:
    return ", ".join(f"'{name}'" for name in names)
