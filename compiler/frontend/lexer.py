"""Cuts a source text into tokens, by the terminals that the grammar declares."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Generator, Iterator, Sequence
from functools import cache

from tsc.compiler.frontend import lexical_errors
from tsc.compiler.frontend.grammar import END, load_tables
from tsc.compiler.frontend.indenter import Indenter, Level
from tsc.compiler.frontend.tokens import NAME, NEWLINE, NUMBER, STRING, Token
from tsc.compiler.source import Source, Stage
from tsc.compiler.value_classes import value_class

_FORMAT_STRING = "FORMAT_STRING"
TokenStream = Iterator[Token]
_MATCH = re.compile(r"match\b[^\n]*:[ \t]*(?:#[^\n]*)?\n(?:[ \t]*(?:#[^\n]*)?\n)*+[ \t]+case\b")
_CASE = re.compile(r"case\b[ \t]*[^\s:=.,]")
_CLOSING = {")": "(", "]": "[", "}": "{"}


def tokens(source: Source) -> Iterator[Token]:
    """The tokens of a whole text, with NEWLINE, INDENT and DEDENT."""
    return Lexer(source).statements()


class Lexer:
    """Walks over a text, or a part of it. ``brackets`` are those that are open at the moment.

    ``levels`` are the blocks that are open where it starts.
    """

    __slots__ = ("_end", "_has_match", "_indenter", "_source", "_start", "brackets")

    def __init__(
        self,
        source: Source,
        start: int = 0,
        end: int | None = None,
        levels: Sequence[Level] = (),
    ) -> None:
        self._source = source
        self._indenter = Indenter(source, levels)
        self._start = start
        self._end = len(source.text) if end is None else end
        self._has_match = False
        self.brackets: list[Token] = []

    def statements(self) -> Iterator[Token]:
        """The tokens of statements, whose blocks are told by their indentation."""
        indenter = self._indenter
        with Stage("lexing", self._source.filename):
            last = yield from self._words(indenter)
            if last not in (NEWLINE, None):
                yield Token(NEWLINE, "", self._source, self._end, self._end)
            yield from indenter.at_end(self._end)
            yield Token(END, "", self._source, self._end, self._end)

    @property
    def levels(self) -> tuple[Level, ...]:
        """The blocks that are open at the moment, in a text of statements."""
        return self._indenter.levels

    def expression(self) -> Iterator[Token]:
        """The tokens of an expression, in which line ends mean nothing."""
        with Stage("lexing", self._source.filename):
            yield from self._words(None)
            yield Token(END, "", self._source, self._end, self._end)

    def _words(self, indenter: Indenter | None) -> Generator[Token, None, str | None]:
        """All tokens up to the end, and the kind of the last one.

        Without an indenter, everything is taken as in brackets.
        """
        source, text, end, brackets = self._source, self._source.text, self._end, self.brackets
        literals, enclosed = _terminals().literals, _terminals().enclosed
        outermost = enclosed if indenter is None else _terminals().free
        position, line_start, kind = self._start, -1, None
        if indenter is not None:
            position, margin = indenter.next_line(position, end)
            line_start = position
            yield from margin
        while found := (enclosed if brackets else outermost).match(text, position, end):
            kind = found.lastgroup or ""
            word = found[kind]
            start, position = found.span(kind)
            if kind == NAME:
                kind = literals.get(word) or NAME
                if start == line_start and kind == NAME:
                    kind = self._first_name(word, start)
                if not word.isascii():
                    word = self._normalized(word, start)
            elif kind == "OPERATOR":
                kind = literals[word]
                if word in "([{":
                    brackets.append(Token(kind, word, source, start, position))
                elif word in ")]}":
                    self._close(word, start)
            elif kind == NUMBER:
                self._check_number(word, start)
            elif kind == _FORMAT_STRING:
                position = _end_of_format_string(source, start, end)
                kind, word = STRING, text[start:position]
            yield Token(kind, word, source, start, position)
            if kind == NEWLINE and indenter is not None:
                position, margin = indenter.next_line(position, end)
                line_start = position
                yield from margin
        self._check_end(position, enclosed if brackets else outermost)
        return kind

    def _first_name(self, word: str, start: int) -> str:
        """Tells ``match`` and ``case`` that begin a block from variables of that name."""
        if word == "match" and _MATCH.match(self._source.text, start, self._end):
            self._has_match = True
            return "MATCH"
        if word == "case" and self._has_match and _CASE.match(self._source.text, start, self._end):
            return "CASE"
        return NAME

    def _normalized(self, word: str, start: int) -> str:
        """Python holds names to be the same that look the same (NFKC)."""
        name = unicodedata.normalize("NFKC", word)
        if not name.isidentifier():
            raise lexical_errors.invalid_name(self._source, start, word)
        return name

    def _close(self, word: str, start: int) -> None:
        if not self.brackets:
            raise lexical_errors.unmatched_bracket(self._source.range(start, start + 1))
        opening = self.brackets.pop()
        if opening.text != _CLOSING[word]:
            raise lexical_errors.wrong_bracket(self._source.range(start, start + 1), opening)

    def _check_number(self, word: str, start: int) -> None:
        following = self._source.text[start + len(word) : start + len(word) + 1]
        if following.isalnum() or following == "_" or word[0] == "0":
            lexical_errors.check_number(self._source, start, start + len(word), self._end)

    def _check_end(self, position: int, pattern: re.Pattern[str]) -> None:
        """Where no terminal fits there must be nothing left, and no bracket open."""
        is_enclosed = pattern is _terminals().enclosed
        blank = _terminals().blank_enclosed if is_enclosed else _terminals().blank
        found = blank.match(self._source.text, position, self._end)
        position = position if found is None else found.end()
        if position < self._end:
            raise lexical_errors.no_token(self._source, position, self._end)
        if self.brackets:
            raise lexical_errors.unclosed_bracket(self.brackets[-1])


def _end_of_format_string(source: Source, start: int, end: int) -> int:
    from tsc.compiler.frontend.format_strings import scan_format_string  # most texts have none

    return scan_format_string(source, start, end).end


@value_class
class _Terminals:
    """What the grammar says of tokens, as regular expressions, each with the blank before it."""

    literals: dict[str, str]
    free: re.Pattern[str]
    enclosed: re.Pattern[str]
    blank: re.Pattern[str]
    blank_enclosed: re.Pattern[str]


@cache
def _terminals() -> _Terminals:
    tables = load_tables()
    operators = sorted((text for text in tables.literals if not text.isalpha()), key=len)
    groups = {
        _FORMAT_STRING: r"""(?:[fF][rR]?|[rR][fF])(?=['"])""",
        STRING: tables.patterns[STRING],
        NAME: tables.patterns[NAME],
        NUMBER: tables.patterns[NUMBER],
        "OPERATOR": "|".join(re.escape(text) for text in reversed(operators)),
    }
    words = "|".join(f"(?P<{kind}>{pattern})" for kind, pattern in groups.items())
    blank = r"[ \t\f]*+(?:\\\n[ \t\f]*+)*+(?:#[^\n]*+)?+"
    blank_enclosed = r"(?:[ \t\f\n]++|\\\n|#[^\n]*+)*+"
    return _Terminals(
        literals=dict(tables.literals),
        free=re.compile(f"{blank}(?:{words}|(?P<{NEWLINE}>\n))", re.DOTALL),
        enclosed=re.compile(f"{blank_enclosed}(?:{words})", re.DOTALL),
        blank=re.compile(blank),
        blank_enclosed=re.compile(blank_enclosed),
    )
