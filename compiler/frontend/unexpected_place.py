"""Where a text stops to fit the grammar: the token, its line, and what could have stood there."""

from __future__ import annotations

from dataclasses import dataclass

from tsc.compiler.frontend.expected_tokens import (
    expected_kinds,
)
from tsc.compiler.frontend.grammar import END
from tsc.compiler.frontend.lalr import UnexpectedToken
from tsc.compiler.frontend.lexer import Lexer, TokenStream
from tsc.compiler.frontend.tokens import DEDENT, INDENT, NEWLINE, Token
from tsc.compiler.source import Code, CompileError, SourceRange


@dataclass(slots=True)
class Place:
    """The unexpected token, what stands around it, and what could have stood there instead.

    ``line`` ends before the token; ``previous_line`` is the one before it.
    """

    token: Token
    following: Token | None
    line: list[Token]
    previous_line: list[Token]
    brackets: list[Token]
    expected: frozenset[str]

    @property
    def before(self) -> Token | None:
        return self.line[-1] if self.line else None

    @property
    def first(self) -> Token | None:
        return self.line[0] if self.line else None

    @property
    def range(self) -> SourceRange:
        """Where the token stands; for the end of a line, behind its last token."""
        line = self.line or self.previous_line
        is_at_end = self.token.start == len(self.token.source.text)
        if line and (self.token.kind in (NEWLINE, END) or is_at_end):
            return self.token.source.range(line[-1].end, line[-1].end)
        return self.token.range

    def error(self, message: str, hint: str | None = None, *, code: Code) -> CompileError:
        return CompileError(message, self.range, code=code, hint=hint)

    def error_at(
        self, token: Token, message: str, hint: str | None = None, *, code: Code
    ) -> CompileError:
        return CompileError(message, token.range, code=code, hint=hint)


def find_place(unexpected: UnexpectedToken, lexer: Lexer, tokens: TokenStream) -> Place:
    """The place of an error; ``tokens`` are those of the same text once more."""
    token = unexpected.token
    line: list[Token] = []
    previous_line: list[Token] = []
    for again in tokens:
        if again.start == token.start and again.kind == token.kind:
            break
        if again.kind == NEWLINE:
            line, previous_line = [], line
        elif again.kind not in (INDENT, DEDENT):
            line.append(again)
    brackets = list(lexer.brackets)
    if token.text in ("(", "[", "{") and brackets:
        brackets.pop()
    expected = expected_kinds(unexpected)
    return Place(token, _next_token(tokens), line, previous_line, brackets, expected)


def _next_token(tokens: TokenStream) -> Token | None:
    try:
        return next(tokens, None)
    except CompileError:
        return None


# Rules, the most telling one first --------------------------------------------------------------
