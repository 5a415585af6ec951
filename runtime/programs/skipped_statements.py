"""The module-level statements of a source text that tsc passes over."""

from __future__ import annotations

from tsc.compiler.frontend.parser import parse_source
from tsc.compiler.frontend.tree_views import (
    Assign,
    Def,
    ExprStmt,
    Import,
    ImportFrom,
    StringLiteral,
)
from tsc.compiler.source import Source

_COMPILED = (Assign, Def, Import, ImportFrom)


def skipped_statements(source: Source) -> list[str]:
    """A line for each module-level statement of `source` that is not compiled."""
    lines: list[str] = []
    for statement in parse_source(source).statements:
        docstring = isinstance(statement, ExprStmt) and isinstance(statement.expr, StringLiteral)
        if not isinstance(statement, _COMPILED) and not docstring:
            line = source.line_text(statement.range.line).strip()
            lines.append(f"{statement.range}: skipped: {line}")
    return lines
