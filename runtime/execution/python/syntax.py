"""Nodes of Python's syntax trees, made at a place of the program.

They are made by the dozen for each node of a graph, so their fields are set all at once, which takes a third of
the time that `ast`'s own constructors take.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any, TypeVar

Place = dict[str, int]
"""The fields ``lineno``, ``col_offset``, ``end_lineno`` and ``end_col_offset`` of a node."""

Made = TypeVar("Made", bound=ast.AST)

LOAD, STORE, DELETE = ast.Load(), ast.Store(), ast.Del()
ADD, SUB, MULT = ast.Add(), ast.Sub(), ast.Mult()
NOT, AND, OR = ast.Not(), ast.And(), ast.Or()
LT, LE, GT, GE, EQ, NE, IS, IS_NOT, IN = (
    kind()
    for kind in (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq, ast.Is, ast.IsNot, ast.In)
)


def made(kind: type[Made], place: Place, /, **fields: Any) -> Made:
    """A node of a kind with all of its fields."""
    node = kind.__new__(kind)
    node.__dict__ = {**fields, **place}
    return node


def name(place: Place, identifier: str) -> ast.Name:
    node = ast.Name.__new__(ast.Name)
    node.__dict__ = {"id": identifier, "ctx": LOAD, **place}
    return node


def target(place: Place, identifier: str) -> ast.Name:
    node = ast.Name.__new__(ast.Name)
    node.__dict__ = {"id": identifier, "ctx": STORE, **place}
    return node


def constant(place: Place, value: Any) -> ast.Constant:
    return made(ast.Constant, place, value=value, kind=None)


def call(place: Place, function: ast.expr, arguments: Sequence[ast.expr]) -> ast.Call:
    node = ast.Call.__new__(ast.Call)
    node.__dict__ = {"func": function, "args": list(arguments), "keywords": [], **place}
    return node


def attribute(place: Place, owner: ast.expr, identifier: str) -> ast.Attribute:
    return made(ast.Attribute, place, value=owner, attr=identifier, ctx=LOAD)


def binary(place: Place, operator: ast.operator, left: ast.expr, right: ast.expr) -> ast.BinOp:
    return made(ast.BinOp, place, left=left, op=operator, right=right)


def compare(place: Place, operator: ast.cmpop, left: ast.expr, right: ast.expr) -> ast.Compare:
    return made(ast.Compare, place, left=left, ops=[operator], comparators=[right])


def negation(place: Place, operand: ast.expr) -> ast.expr:
    return made(ast.UnaryOp, place, op=NOT, operand=operand)


def boolean(place: Place, operator: ast.boolop, left: ast.expr, right: ast.expr) -> ast.BoolOp:
    return made(ast.BoolOp, place, op=operator, values=[left, right])


def conditional(place: Place, test: ast.expr, body: ast.expr, orelse: ast.expr) -> ast.IfExp:
    return made(ast.IfExp, place, test=test, body=body, orelse=orelse)


def subscript(place: Place, owner: ast.expr, index: ast.expr) -> ast.Subscript:
    return made(ast.Subscript, place, value=owner, slice=index, ctx=LOAD)


def part(place: Place, owner: ast.expr, start: ast.expr, end: ast.expr) -> ast.Subscript:
    """A slice without a step."""
    bounds = made(ast.Slice, place, lower=start, upper=end, step=None)
    return made(ast.Subscript, place, value=owner, slice=bounds, ctx=LOAD)


def tuple_of(place: Place, elements: Sequence[ast.expr]) -> ast.Tuple:
    return made(ast.Tuple, place, elts=list(elements), ctx=LOAD)


def list_of(place: Place, elements: Sequence[ast.expr]) -> ast.List:
    return made(ast.List, place, elts=list(elements), ctx=LOAD)


# -- Statements --------------------------------------------------------------------------------


def assign(place: Place, to: ast.expr, value: ast.expr) -> ast.Assign:
    node = ast.Assign.__new__(ast.Assign)
    node.__dict__ = {"targets": [to], "value": value, "type_comment": None, **place}
    return node


def assign_all(place: Place, names: Sequence[str], value: ast.expr) -> ast.Assign:
    """To one name, or to several at once."""
    if len(names) == 1:
        return assign(place, target(place, names[0]), value)
    targets = [target(place, each) for each in names]
    return assign(place, made(ast.Tuple, place, elts=targets, ctx=STORE), value)


def store_item(place: Place, owner: ast.expr, index: ast.expr, value: ast.expr) -> ast.Assign:
    return assign(place, made(ast.Subscript, place, value=owner, slice=index, ctx=STORE), value)


def delete(place: Place, names: Sequence[str]) -> ast.Delete:
    deleted = [made(ast.Name, place, id=each, ctx=DELETE) for each in names]
    return made(ast.Delete, place, targets=deleted)


def expression(place: Place, value: ast.expr) -> ast.Expr:
    return made(ast.Expr, place, value=value)


def branch(place: Place, test: ast.expr, body: list[ast.stmt], orelse: list[ast.stmt]) -> ast.If:
    return made(ast.If, place, test=test, body=body or [nothing(place)], orelse=orelse)


def nothing(place: Place) -> ast.Pass:
    return made(ast.Pass, place)


def leave_loop(place: Place) -> ast.Break:
    return made(ast.Break, place)


def for_each(place: Place, variable: str, values: ast.expr, body: list[ast.stmt]) -> ast.For:
    return made(
        ast.For,
        place,
        target=target(place, variable),
        iter=values,
        body=body,
        orelse=[],
        type_comment=None,
    )


def forever(place: Place, body: list[ast.stmt]) -> ast.While:
    return made(ast.While, place, test=constant(place, True), body=body, orelse=[])


def result(place: Place, value: ast.expr) -> ast.Return:
    return made(ast.Return, place, value=value)


def function(
    place: Place, identifier: str, parameters: Sequence[str], body: list[ast.stmt]
) -> ast.FunctionDef:
    """A definition whose parameters are all positional."""
    taken = [made(ast.arg, place, arg=each, annotation=None) for each in parameters]
    arguments = ast.arguments(
        posonlyargs=[],
        args=taken,
        vararg=None,
        kwonlyargs=[],
        kw_defaults=[],
        kwarg=None,
        defaults=[],
    )
    return made(
        ast.FunctionDef,
        place,
        name=identifier,
        args=arguments,
        body=body,
        decorator_list=[],
        returns=None,
        type_comment=None,
        type_params=[],
    )


def place_of(node: ast.expr) -> Place:
    """Where an expression stands."""
    fields = node.__dict__
    return {
        "lineno": fields["lineno"],
        "col_offset": fields["col_offset"],
        "end_lineno": fields["end_lineno"],
        "end_col_offset": fields["end_col_offset"],
    }
