"""Parses a text, or a part of it, with a builder; what goes wrong comes out as a CompileError."""

from __future__ import annotations

from typing import Any

from tsc.compiler.frontend import lalr
from tsc.compiler.frontend.lexer import Lexer, TokenStream
from tsc.compiler.source import Source, Stage


def parse(
    builder: object, source: Source, start_rule: str, start: int = 0, end: int | None = None
) -> Any:
    """What the builder makes of the text between two offsets, by a start rule of the grammar."""
    with Stage("parsing", source.filename):
        lexer = Lexer(source, start, end)
        try:
            return lalr.run(builder, _tokens(lexer, start_rule), start_rule)
        except lalr.UnexpectedToken as unexpected:
            from tsc.compiler.frontend.syntax_errors import syntax_error  # most texts need it not

            again = Lexer(source, start, end)
            raise syntax_error(unexpected, again, _tokens(again, start_rule)) from None


def _tokens(lexer: Lexer, start_rule: str) -> TokenStream:
    return lexer.statements() if start_rule == "module" else lexer.expression()
