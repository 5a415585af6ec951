"""A source text and ranges within it: every tree, node and diagnostic points into one of these."""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Iterator
from itertools import takewhile

from tsc.compiler.value_classes import value_class

_LONGEST_HIGHLIGHT = 12  # lines; what lies between the first and the last ones is elided
_LONGEST_LINE = 160  # characters; of a longer one, only what is around the range is shown
_MARKER = " <--- HERE"


class Source:
    """A text with a name. Line ends are normalized to ``\\n`` and a byte order mark is dropped.

    ``first_line`` is the number of the first line, for texts cut out of a larger file. ``origin_at``
    knows, for a text that was printed from a program, what the code at an offset was there. ``place_of``
    knows, for a text that tsc wrote for a program, the part of the program that an error in it is about.
    ``shown_as`` is for the runtime: the file name by which Python's tools find the text.
    """

    __slots__ = (
        "_line_starts",
        "filename",
        "first_line",
        "origin_at",
        "place_of",
        "shown_as",
        "text",
    )

    text: str
    filename: str
    first_line: int

    def __init__(self, text: str, filename: str = "<string>", first_line: int = 1) -> None:
        self.text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
        self.filename = filename
        self.first_line = first_line
        self.origin_at: Callable[[int], SourceRange | None] | None = None
        self.place_of: Callable[[SourceRange], SourceRange] | None = None
        self.shown_as: str | None = None
        self._line_starts: list[int] | None = None

    @property
    def is_printed_code(self) -> bool:
        """Whether the text is the code of an archive."""
        return self.origin_at is not None

    def position(self, offset: int) -> tuple[int, int]:
        """The line (1-based, counted from ``first_line``) and the column (0-based) of an offset."""
        starts = self._starts()
        index = bisect_right(starts, offset) - 1
        return index + self.first_line, offset - starts[index]

    def line_start(self, line: int) -> int:
        """The offset at which a line begins."""
        return self._starts()[line - self.first_line]

    def line_text(self, line: int) -> str:
        """A line without its end; empty if there is no such line."""
        index = line - self.first_line
        starts = self._starts()
        if not 0 <= index < len(starts):
            return ""
        end = starts[index + 1] - 1 if index + 1 < len(starts) else len(self.text)
        return self.text[starts[index] : end]

    def range(self, start: int, end: int) -> SourceRange:
        """The range between two offsets."""
        return SourceRange(self, start, end)

    def __repr__(self) -> str:
        return f"Source({self.filename!r}, {len(self.text)} characters)"

    def _starts(self) -> list[int]:
        if self._line_starts is None:
            starts = [0]
            find = self.text.find
            newline = find("\n")
            while newline >= 0:
                starts.append(newline + 1)
                newline = find("\n", newline + 1)
            self._line_starts = starts
        return self._line_starts


@value_class
class SourceRange:
    """The characters from ``start`` up to ``end`` (exclusive) of a source."""

    source: Source
    start: int
    end: int

    @property
    def filename(self) -> str:
        return self.source.filename

    @property
    def line(self) -> int:
        return self.source.position(self.start)[0]

    @property
    def column(self) -> int:
        return self.source.position(self.start)[1]

    @property
    def text(self) -> str:
        return self.source.text[self.start : self.end]

    @property
    def original(self) -> SourceRange:
        """The range of the program that the text was printed from; this one if none is known."""
        find = self.source.origin_at
        return self if find is None else find(self.start) or self

    @property
    def first_line(self) -> SourceRange:
        """What of the range is in its first line: of a function, its name and parameters."""
        head = self.text.partition("\n")[0]
        return SourceRange(self.source, self.start, self.start + len(head))

    def through(self, other: SourceRange) -> SourceRange:
        """From the start of this range to the end of another one in the same source."""
        return SourceRange(self.source, self.start, other.end)

    def highlight(self, context: int = 0) -> str:
        """The lines of the range with ``~~~~ <--- HERE`` under it.

        Around them are as many lines of context, up to the next blank one.
        """
        return "\n".join(self._highlighted_lines(context))

    def __str__(self) -> str:
        line, column = self.source.position(self.start)
        return f"{self.source.filename}:{line}:{column}"

    def __repr__(self) -> str:
        return f"SourceRange({self}, {self.start}:{self.end})"

    def _highlighted_lines(self, context: int) -> Iterator[str]:
        source = self.source
        first, last = self.line, source.position(self._visible_end())[0]
        yield from self._context(first, -1, context)[::-1]
        for line in _elided(first, last):
            if line is None:
                yield "..."
            else:
                yield from self._underlined(line, is_last=line == last)
        yield from self._context(last, 1, context)

    def _context(self, line: int, step: int, count: int) -> list[str]:
        """The lines next to one, going up or down, as far as the next blank line."""
        texts = (self.source.line_text(line + step * (i + 1)) for i in range(count))
        return list(takewhile(str.strip, texts))

    def _visible_end(self) -> int:
        """The end without trailing blanks, so that a range never marks an empty line."""
        return self.start + max(len(self.text.rstrip()) - 1, 0)

    def _underlined(self, line: int, *, is_last: bool) -> Iterator[str]:
        """A line and the marks under it; of a very long line only what is around the marks."""
        text = self.source.line_text(line)
        offset = self.source.line_start(line)
        start = self.start - offset
        if start < 0:  # the range began on an earlier line
            start = len(text) - len(text.lstrip())
        end = min(self.end - offset, len(text.rstrip()))
        left = max(start - _LONGEST_LINE // 4, 0) if len(text) > _LONGEST_LINE else 0
        right = left + _LONGEST_LINE
        before = ("..." if left else "") + text[left:start]
        yield before + text[start:right] + ("..." if right < len(text) else "")
        marked = text[start : min(end, right)].replace("\t", "~\t")  # as wide as the tab itself
        marks = _repeat("~", marked) or ("~" if is_last else "")
        if marks:
            yield _repeat(" ", before) + marks + (_MARKER if is_last else "")


def _elided(first: int, last: int) -> Iterator[int | None]:
    """The line numbers to show, with ``None`` where a long range is cut."""
    if last - first < _LONGEST_HIGHLIGHT:
        yield from range(first, last + 1)
        return
    half = _LONGEST_HIGHLIGHT // 2
    yield from range(first, first + half)
    yield None
    yield from range(last - half + 1, last + 1)


def _repeat(mark: str, text: str) -> str:
    """Marks as wide as the text, whatever width a terminal gives to a tab."""
    return "".join("\t" if letter == "\t" else mark * _display_width(letter) for letter in text)


def _display_width(letter: str) -> int:
    """The number of terminal cells of a letter: East Asian wide letters take two."""
    if letter.isascii():
        return 1
    if unicodedata.combining(letter):
        return 0
    return 2 if unicodedata.east_asian_width(letter) in "WF" else 1


UNKNOWN_RANGE = SourceRange(Source("", "<unknown>"), 0, 0)
