"""Errors that point into a source text."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import Literal, NamedTuple

from tsc.compiler.source.codes import Code
from tsc.compiler.source.source import UNKNOWN_RANGE, SourceRange
from tsc.compiler.value_classes import value_class


class Error(Exception):
    """The root of every error that a user may see."""

    __module__ = "tsc"


class UsageError(Error):
    """A command, or what it was given, names something that is not there or cannot be read."""

    is_usage = True


@value_class
class Note:
    """A remark that has a place of its own, such as "the bracket was opened here"."""

    message: str
    range: SourceRange


PartKind = Literal["message", "remark", "place", "source", "hint"]


class Part(NamedTuple):
    """One or more lines of an error, and what they are."""

    kind: PartKind
    text: str


class CompileError(Error, RuntimeError):
    """A program that does not compile: what is wrong, where, and what would help.

    Plain notes follow the message; a ``Note`` shows its own place after that of the error. ``code``
    tells the kind of problem, which `tsc check --explain` explains. ``subject``, where there is one, is
    the variable or module that the error is about: one report of it is enough. Like PyTorch's, it is
    a RuntimeError.
    """

    __module__ = "tsc"

    message: str
    range: SourceRange
    code: Code
    notes: tuple[str | Note, ...]
    hint: str | None
    subject: Hashable

    def __init__(
        self,
        message: str,
        range: SourceRange,
        *,
        code: Code,
        notes: Sequence[str | Note] = (),
        hint: str | None = None,
        subject: Hashable = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        place_of = range.source.place_of
        self.range = range if place_of is None else place_of(range)
        self.code = code
        self.notes = tuple(notes)
        self.hint = hint
        self.subject = subject

    def __str__(self) -> str:
        explain = f"explain: tsc check --explain {self.code}"
        return "\n".join([*(part.text for part in self.parts()), explain])

    def parts(self) -> Iterator[Part]:
        """What there is to tell, in the order in which it is told."""
        yield Part("message", self.message)
        for note in self.notes:
            if isinstance(note, str):
                yield Part("remark", note)
        yield from _place(self.range)
        for note in self.notes:
            if isinstance(note, Note):
                yield Part("remark", note.message)
                yield from _place(note.range)
        if self.hint is not None:
            yield Part("hint", f"hint: {self.hint}")

    def again(self) -> CompileError:
        """The same error, to be kept or raised anew: it holds none of the frames that the first one came through."""
        return self._changed()

    def at(self, range: SourceRange) -> CompileError:
        """The same error at another place."""
        return self._changed(range=range)

    def noting(self, note: str | Note) -> CompileError:
        """The same error with one more note."""
        return self._changed(notes=(*self.notes, note))

    def _changed(
        self, *, range: SourceRange | None = None, notes: Sequence[str | Note] | None = None
    ) -> CompileError:
        return CompileError(
            self.message,
            range or self.range,
            code=self.code,
            notes=self.notes if notes is None else notes,
            hint=self.hint,
            subject=self.subject,
        )


def _place(range: SourceRange) -> Iterator[Part]:
    if range.source is not UNKNOWN_RANGE.source:
        yield Part("place", str(range))
        yield Part("source", range.highlight())
