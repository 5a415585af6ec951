"""Turns the white space in front of lines into INDENT and DEDENT tokens, as Python does."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tsc.compiler.frontend.tokens import DEDENT, INDENT, Token
from tsc.compiler.source import CompileError, Note, Source, codes
from tsc.compiler.value_classes import value_class

_TAB_WIDTH = 8
_MOST_LEVELS = 400  # Python itself reads a hundred
_BLANK_LINES = re.compile(r"(?:[ \t\f]*+(?:\\\n[ \t\f]*+)*+(?:#[^\n]*+)?+\n)*+")
_MARGIN = re.compile(r"[ \t\f]*")


@value_class
class Level:
    """How deep a block is, with tabs as wide as eight columns and with tabs as wide as one.

    The two must agree on which of two lines is deeper, or else the order depends on the reader.
    """

    columns: int
    characters: int
    start: int
    end: int


class Indenter:
    """Compares the margin of each line with those of the blocks around it.

    The first line sets the margin of the whole text, which may be cut out of an indented one.
    ``levels`` are the blocks that are open already.
    """

    __slots__ = ("_levels", "_source", "_text")

    def __init__(self, source: Source, levels: Sequence[Level] = ()) -> None:
        self._source = source
        self._text = source.text
        self._levels = list(levels)

    @property
    def levels(self) -> tuple[Level, ...]:
        """The margins of the blocks that are open, the outermost first."""
        return tuple(self._levels)

    def next_line(self, position: int, end: int) -> tuple[int, Iterator[Token]]:
        """Skips blank lines. The end of the next line's margin, and the tokens it stands for."""
        start, margin_end = self.margin_after(position, end)
        if margin_end == end or self._text[margin_end] == "#":
            return margin_end, iter(())
        if not self._levels:
            self._levels.append(self.level(start, margin_end))
            return margin_end, iter(())
        top = self._levels[-1]
        margin = self._text[top.start : top.end]
        if len(margin) == margin_end - start and self._text.startswith(margin, start):
            return margin_end, iter(())
        return margin_end, self._changed(self.level(start, margin_end))

    def margin_after(self, position: int, end: int) -> tuple[int, int]:
        """Skips blank lines. Where the next line's margin begins and ends."""
        start = _end(_BLANK_LINES.match(self._text, position, end))
        return start, _end(_MARGIN.match(self._text, start, end))

    def at_end(self, end: int) -> Iterator[Token]:
        """Closes all blocks that are still open."""
        while len(self._levels) > 1:
            self._levels.pop()
            yield Token(DEDENT, "", self._source, end, end)

    def _changed(self, level: Level) -> Iterator[Token]:
        self._check_tabs(level, self._levels[-1])
        if level.columns > self._levels[-1].columns:
            if len(self._levels) > _MOST_LEVELS:
                raise self._too_deep(level)
            self._levels.append(level)
            text = self._text[level.start : level.end]
            yield Token(INDENT, text, self._source, level.start, level.end)
            return
        while level.columns < self._levels[-1].columns:
            left = self._levels.pop()
            if not self._levels or level.columns > self._levels[-1].columns:
                raise self._unmatched(level, left)
            yield Token(DEDENT, "", self._source, level.end, level.end)
        self._check_tabs(level, self._levels[-1])

    def level(self, start: int, end: int) -> Level:
        """How deep a margin is."""
        columns = characters = 0
        for letter in self._text[start:end]:
            if letter == "\f":
                columns = characters = 0
            elif letter == "\t":
                columns += _TAB_WIDTH - columns % _TAB_WIDTH
                characters += 1
            else:
                columns += 1
                characters += 1
        return Level(columns, characters, start, end)

    def _check_tabs(self, level: Level, other: Level) -> None:
        by_columns = (level.columns > other.columns) - (level.columns < other.columns)
        by_characters = (level.characters > other.characters) - (
            level.characters < other.characters
        )
        if by_columns != by_characters:
            raise CompileError(
                "inconsistent use of tabs and spaces in indentation",
                self._source.range(level.start, level.end),
                code=codes.MIXED_TABS,
                notes=[Note("compare this line:", self._source.range(other.start, other.end))],
                hint="indent with spaces only",
            )

    def _too_deep(self, level: Level) -> CompileError:
        return CompileError(
            f"too many levels of indentation: blocks are nested more than {_MOST_LEVELS} deep",
            self._source.range(level.start, level.end),
            code=codes.NESTED_TOO_DEEPLY,
            hint="split the innermost blocks off into functions of their own",
        )

    def _unmatched(self, level: Level, left: Level) -> CompileError:
        widths = [outer.columns for outer in self._levels]
        known = " or ".join(map(str, widths or [left.columns]))
        return CompileError(
            "unindent does not match any outer indentation level",
            self._source.range(level.start, max(level.end, level.start + 1)),
            code=codes.UNMATCHED_UNINDENT,
            hint=f"this line is indented by {level.columns}, the blocks around it by {known}",
        )


def _end(found: re.Match[str] | None) -> int:
    assert found is not None  # patterns that fit the empty text always match
    return found.end()
