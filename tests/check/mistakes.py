"""Mistakes that are put into programs that compile: each is one problem, at a line that is known."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

WRONG = (
    "undefined_{0}",
    '"text".no_method_{0}()',
    "torch.no_operator_{0}(3)",
    '(1 + "text_{0}")',
    "[1, {0}][None]",
)
"""Expressions that do not compile, wherever they stand; a number tells them apart."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a mistake can be put: a statement before a line, or an expression in it.

    Columns count characters. A condition is kept beside the mistake, for what it tells of types.
    """

    line: int
    start: int
    end: int | None = None
    is_condition: bool = False

    def spoil(self, line: str, wrong: str, number: int) -> list[str]:
        """The line with the mistake in it or before it."""
        if self.end is None:
            return [f"{' ' * self.start}new_{number} = {wrong}", line]
        kept = f" and ({line[self.start : self.end]})" if self.is_condition else ""
        return [line[: self.start] + wrong + kept + line[self.end :]]


def places(source: str) -> Iterator[Place]:
    """All places in the functions of a text; in some of them nothing is compiled.

    A mistake in a decorator is left out: it also makes it one that does something to what it decorates.
    """
    lines = source.split("\n")
    definitions = [each for each in ast.parse(source).body if isinstance(each, ast.FunctionDef)]
    decorators = {ast.unparse(each) for tree in definitions for each in tree.decorator_list}
    for definition in definitions:
        if definition.name not in decorators:
            for statement in _statements_below(definition):
                yield from _places_of(statement, lines)


def _statements_below(tree: ast.stmt) -> Iterator[ast.stmt]:
    """Those of nested functions are left out: they are compiled where the function is called."""
    for child in ast.iter_child_nodes(tree):
        if isinstance(child, ast.stmt):
            yield child
            if not isinstance(child, ast.FunctionDef):
                yield from _statements_below(child)


def _places_of(statement: ast.stmt, lines: Sequence[str]) -> Iterator[Place]:
    line = lines[statement.lineno - 1]
    if not line.isascii():
        return
    if not line[: statement.col_offset].strip() and not _is_docstring(statement):
        yield Place(statement.lineno, statement.col_offset)
    match statement:
        case ast.If(test=head) | ast.While(test=head):
            is_condition = True
        case ast.For(iter=head) | ast.Assign(value=head) | ast.Expr(value=head):
            is_condition = False
        case ast.Return(value=ast.expr() as head) | ast.AnnAssign(value=ast.expr() as head):
            is_condition = False
        case _:
            return
    if head.lineno == head.end_lineno == statement.lineno and head.end_col_offset is not None:
        yield Place(head.lineno, head.col_offset, head.end_col_offset, is_condition)


def _is_docstring(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def spoiled(source: str, mistakes: Sequence[tuple[Place, str]]) -> tuple[str, list[int]]:
    """A text with some mistakes, one a line, and the lines where they stand then."""
    lines = source.split("\n")
    wrong_lines: list[int] = []
    added = 0
    for number, (place, wrong) in enumerate(sorted(mistakes, key=lambda each: each[0].line)):
        index = place.line - 1 + added
        replacement = place.spoil(lines[index], wrong.format(number), number)
        lines[index : index + 1] = replacement
        wrong_lines.append(index + 1)
        added += len(replacement) - 1
    return "\n".join(lines), wrong_lines
