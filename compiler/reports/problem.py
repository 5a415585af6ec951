"""A problem as reports show it: an error with its place in numbers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tsc.compiler.explanations import name_of
from tsc.compiler.reports.selection import WARNINGS
from tsc.compiler.source import CompileError, Note, Source, SourceRange


@dataclass(frozen=True, slots=True)
class Region:
    """A range in numbers that begin with 1, as editors count; the end is behind the last column."""

    line: int
    column: int
    end_line: int
    end_column: int

    @classmethod
    def of(cls, range: SourceRange) -> Region:
        line, column = range.source.position(range.start)
        end_line, end_column = _end(range.source, range)
        return cls(line, column + 1, end_line, end_column + 1)


def _end(source: Source, range: SourceRange) -> tuple[int, int]:
    """Behind the last character that is no blank: a range never ends in an empty line."""
    return source.position(range.start + len(range.text.rstrip()))


def severity_of(code: str) -> str:
    """``error`` or ``warning``."""
    return "warning" if code.startswith(WARNINGS) else "error"


@dataclass(frozen=True, slots=True)
class Problem:
    """An error or a warning about one file."""

    error: CompileError

    @property
    def code(self) -> str:
        return self.error.code

    @property
    def name(self) -> str:
        return name_of(self.error.code)

    @property
    def severity(self) -> str:
        return severity_of(self.error.code)

    @property
    def file(self) -> str:
        return self.error.range.filename

    @property
    def region(self) -> Region:
        return Region.of(self.error.range)

    @property
    def message(self) -> str:
        """The message with what remarks explain, without source lines."""
        remarks = [note for note in self.error.notes if isinstance(note, str)]
        return "\n".join([self.error.message.rstrip(), *remarks])

    @property
    def related(self) -> Iterator[Note]:
        """Other places that have to do with it."""
        return (note for note in self.error.notes if isinstance(note, Note))
