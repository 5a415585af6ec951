"""The trees of live functions and classes, from the text that `inspect` finds for them.

Texts keep their indentation, so that lines and columns are those of the user's file.
"""

from __future__ import annotations

import ast
import inspect
import linecache
from collections.abc import Sequence
from types import FunctionType
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

from tsc.compiler.frontend.parser import parse_expression, parse_source
from tsc.compiler.frontend.tree_views import (
    ClassDef,
    Decl,
    Def,
    Ident,
    If,
    Lambda,
    Module,
    Return,
    Stmt,
    UnsupportedStmt,
)
from tsc.compiler.source import Error, Source

_LAMBDA = "<lambda>"
_INDENTED = "if True:\n"  # gives an indented text a place to stand
_Tree = TypeVar("_Tree", Def, ClassDef)


class NoSource(Error):
    """The source text of a live object cannot be found."""


_FUNCTIONS: WeakKeyDictionary[FunctionType, Def] = WeakKeyDictionary()
_CLASSES: WeakKeyDictionary[type, ClassDef] = WeakKeyDictionary()


def function_tree(function: FunctionType) -> Def:
    """The definition of a function, a lambda's with its expression as the result.

    Decorators are left out: what is there is what they made. Raises `NoSource` and `CompileError`.
    """
    known = _FUNCTIONS.get(function)
    if known is None:
        is_lambda = function.__name__ == _LAMBDA
        known = _lambda_tree(function) if is_lambda else _definition(function, Def)
        known.decorators = ()
        _FUNCTIONS[function] = known
    return known


def class_tree(cls: type) -> ClassDef:
    """The class statement of a live class. Raises `NoSource` and `CompileError`."""
    known = _CLASSES.get(cls)
    if known is None:
        known = _CLASSES[cls] = _definition(cls, ClassDef)
    return known


def _definition(value: Any, wanted: type[_Tree]) -> _Tree:
    lines, first_line, filename = _found_text(value)
    statements: Sequence[Stmt] = _parsed(lines, first_line, filename).statements
    while statements and isinstance(statements[0], If):
        statements = statements[0].true_branch
    for statement in statements:
        if isinstance(statement, wanted) and statement.name.name == value.__name__:
            return statement
    for statement in statements:
        if isinstance(statement, wanted):
            return statement
    for statement in statements:
        if isinstance(statement, UnsupportedStmt):
            raise statement.error
    raise _no_source(value, "what is found there is something else")


def _found_text(value: Any) -> tuple[list[str], int, str]:
    """The lines of a definition, the number of the first one, and the file."""
    if isinstance(value, type):
        found = _class_text(value)
        if found is not None:
            return found
    return *_lines_of(value, inspect.getsourcelines), _filename(value)


def _class_text(cls: type) -> tuple[list[str], int, str] | None:
    """The text of a class around its first method, whose file is known even in a notebook."""
    methods = [each for each in vars(cls).values() if isinstance(each, FunctionType)]
    own = [each for each in methods if each.__qualname__ == f"{cls.__qualname__}.{each.__name__}"]
    if not own:
        return None
    code = own[0].__code__
    lines = linecache.getlines(code.co_filename)
    try:
        nodes = [each for each in ast.walk(ast.parse("".join(lines))) if _may_be(each, cls)]
    except SyntaxError:
        return None
    for node in nodes:
        assert isinstance(node, ast.ClassDef)
        last = node.end_lineno or node.lineno
        if node.lineno < code.co_firstlineno <= last:
            first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
            return lines[first - 1 : last], first, code.co_filename
    return None


def _may_be(node: ast.AST, cls: type) -> bool:
    return isinstance(node, ast.ClassDef) and node.name == cls.__name__


def _parsed(lines: Sequence[str], first_line: int, filename: str) -> Module:
    text = "".join(lines)
    if lines[0][:1].isspace():
        return parse_source(Source(_INDENTED + text, filename, first_line - 1))
    return parse_source(Source(text, filename, first_line))


def _lines_of(value: Any, find: Any) -> tuple[list[str], int]:
    try:
        lines, first_line = find(value)
    except (OSError, TypeError, IndexError, SyntaxError) as error:
        raise _no_source(value, str(error)) from None
    return lines, max(first_line, 1)


def _filename(value: Any) -> str:
    try:
        return inspect.getsourcefile(value) or "<unknown>"
    except TypeError:
        return "<unknown>"


def _no_source(value: Any, reason: str) -> NoSource:
    name = getattr(value, "__qualname__", value)
    return NoSource(
        f"the source text of '{name}' cannot be found ({reason})\n"
        "hint: define it in a file; or compile its text, with tsc.CompilationUnit(source)"
    )


# -- Lambdas -------------------------------------------------------------------------------------


def _lambda_tree(function: FunctionType) -> Def:
    lines, _ = _lines_of(function, inspect.findsource)
    source = Source("".join(lines), _filename(function))
    node = _lambda_node(function, source.text)
    start = _offset(source, node.lineno, node.col_offset)
    end = _offset(source, node.end_lineno or node.lineno, node.end_col_offset or 0)
    tree = parse_expression(source, start, end)
    assert isinstance(tree, Lambda)
    return Def(
        tree.range,
        Ident(tree.range, "_lambda"),
        Decl(tree.decl.range, tree.decl.params),
        [Return(tree.body.range, tree.body)],
        head=tree.range,
    )


def _lambda_node(function: FunctionType, text: str) -> ast.Lambda:
    """The only lambda of the file whose body is where the function's instructions come from."""
    code = function.__code__
    places = {place[:1] + place[2:3] for place in code.co_positions() if None not in place}
    try:
        nodes = [each for each in ast.walk(ast.parse(text)) if isinstance(each, ast.Lambda)]
    except SyntaxError as error:
        raise _no_source(function, str(error)) from None
    near = [each for each in nodes if each.lineno == code.co_firstlineno]
    within = [each for each in near if _holds(each.body, places)]
    found = within or near
    if len(found) != 1:
        raise _no_source(function, "its line has not precisely one lambda that it may be")
    return found[0]


def _holds(body: ast.expr, places: set[Any]) -> bool:
    """Whether all instructions that say where they come from come from an expression."""
    first = (body.lineno, body.col_offset)
    last = (body.end_lineno or body.lineno, body.end_col_offset or 0)
    inside = [each for each in places if first <= each <= last]
    return bool(inside) and first in places and len(inside) >= len(places) - 1


def _offset(source: Source, line: int, column: int) -> int:
    """The offset of a place that CPython gives, whose columns count bytes."""
    text = source.line_text(line)
    return source.line_start(line) + len(text.encode()[:column].decode())
