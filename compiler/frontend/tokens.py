"""Tokens: what the lexer cuts a source text into and the parser puts together."""

from __future__ import annotations

from dataclasses import dataclass

from tsc.compiler.source import Source, SourceRange

NEWLINE = "NEWLINE"
INDENT = "INDENT"
DEDENT = "DEDENT"
NAME = "NAME"
NUMBER = "NUMBER"
STRING = "STRING"


@dataclass(slots=True, eq=False)
class Token:
    """A piece of the text; ``kind`` is the name of its terminal in the grammar.

    A NEWLINE that ends the text, an INDENT and a DEDENT may be empty.
    """

    kind: str
    text: str
    source: Source
    start: int
    end: int

    @property
    def range(self) -> SourceRange:
        return SourceRange(self.source, self.start, self.end)

    def __str__(self) -> str:
        return f"{self.range} {self.kind} {self.text!r}"
