"""Statements of CPython's ``ast`` written as our s-expressions."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from .python_trees import BINARY, convert, listed, option, sequence

UNSUPPORTED = (
    *(ast.Try, ast.TryStar, ast.Global, ast.Nonlocal),
    *(ast.AsyncFor, ast.AsyncWith, ast.AsyncFunctionDef),
)


def python_statements(text: str) -> str:
    return "(" + " ".join(["module", *map(statement, ast.parse(text).body)]) + ")"


def block(nodes: Sequence[ast.stmt]) -> str:
    return listed([statement(node) for node in nodes])


def statement(node: ast.stmt) -> str:
    match node:
        case ast.Expr(value):
            return f"(expression statement {convert(value)})"
        case ast.Assign(targets, value):
            return f"(assign {sequence(targets)} {option(value)} (option))"
        case ast.AnnAssign(target, annotation, value):
            return f"(assign {sequence([target])} {option(value)} {option(annotation)})"
        case ast.AugAssign(target, operator, value):
            return f"(aug_assign {convert(target)} ({BINARY[type(operator)]}) {convert(value)})"
        case ast.Return(value):
            return f"(return {'(None)' if value is None else convert(value)})"
        case ast.Raise(None):
            return "(unsupported)"
        case ast.Raise(exception, cause):
            parts = [convert(part) for part in (exception, cause) if part is not None]
            return f"(raise {' '.join(parts)})"
        case ast.Assert(test, message):
            return f"(assert {convert(test)} {option(message)})"
        case ast.Delete(targets):
            return f"(del {sequence(deleted(targets))})"
        case ast.Pass() | ast.Break() | ast.Continue():
            return f"({type(node).__name__.lower()})"
        case ast.Import(names):
            return f"(import {aliases(names)})"
        case ast.ImportFrom(module, names, level):
            return f"(from (ident {'.' * level}{module or ''}) {aliases(names)})"
        case _ if isinstance(node, UNSUPPORTED):
            return "(unsupported)"
        case _:
            return compound(node)


def compound(node: ast.stmt) -> str:
    match node:
        case ast.If(test, body, orelse):
            return f"(if {convert(test)} {block(body)} {block(orelse)})"
        case ast.While(test, body, orelse):
            return f"(while {convert(test)} {block(body)}{loop_else(orelse)})"
        case ast.For(target, iter, body, orelse):
            heads = f"{sequence([target])} {sequence([iter])}"
            return f"(for {heads} {block(body)}{loop_else(orelse)})"
        case ast.With(items, body):
            return f"(with {listed([with_item(item) for item in items])} {block(body)})"
        case ast.FunctionDef(name, arguments, body, _, returns):
            head = f"(decl {parameters(arguments)} {option(returns)})"
            return f"(def (ident {name}) {head} {block(body)})"
        case ast.ClassDef(name, bases, _, body):
            base = option(bases[0] if bases else None)
            return f"(class (ident {name}) {base} {block(body)} (option) (option))"
        case _:
            raise NotImplementedError(ast.dump(node))


def deleted(targets: list[ast.expr]) -> list[ast.expr]:
    """Our parser makes no difference between ``del a, b`` and ``del (a, b)``."""
    if len(targets) == 1 and isinstance(targets[0], ast.Tuple):
        return targets[0].elts
    return targets


def loop_else(nodes: list[ast.stmt]) -> str:
    return f" {block(nodes)}" if nodes else ""


def with_item(item: ast.withitem) -> str:
    return f"(withitem {convert(item.context_expr)} {option(item.optional_vars)})"


def aliases(names: list[ast.alias]) -> str:
    return listed([f"(alias (ident {alias.name}) {asname(alias)})" for alias in names])


def asname(alias: ast.alias) -> str:
    return "(option)" if alias.asname is None else f"(option (ident {alias.asname}))"


def parameters(arguments: ast.arguments) -> str:
    positional = [*arguments.posonlyargs, *arguments.args]
    missing = [None] * (len(positional) - len(arguments.defaults))
    parts = [
        parameter(argument, default)
        for argument, default in zip(positional, [*missing, *arguments.defaults])
    ]
    if arguments.vararg is not None:
        parts.append(parameter(arguments.vararg, None))
    for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults):
        parts.append(parameter(argument, default, kwarg_only=True))
    if arguments.kwarg is not None:
        parts.append(parameter(arguments.kwarg, None))
    return listed(parts)


def parameter(argument: ast.arg, default: ast.expr | None, kwarg_only: bool = False) -> str:
    annotation = option(argument.annotation)
    return f"(param (ident {argument.arg}) {annotation} {option(default)} ({kwarg_only}))"
