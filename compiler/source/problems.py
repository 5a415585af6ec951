"""Several errors of one program, collected instead of raised."""

from __future__ import annotations

from collections.abc import Hashable, Iterator

from tsc.compiler.source.diagnostics import CompileError, Error


class FollowUp(Error):
    """What is wrong here follows from a problem that has been reported: nothing is said of it."""


class Problems:
    """The errors reported so far, each of them once.

    Two errors are the same if they have a code and a subject in common, or else a code and a place.
    """

    def __init__(self) -> None:
        self._found: dict[Hashable, CompileError] = {}

    def report(self, error: CompileError) -> None:
        """Keep an error, without the frames of the emitter that it came from."""
        error.__traceback__ = error.__context__ = error.__cause__ = None
        range = error.range
        place = (range.start, range.end) if error.subject is None else error.subject
        self._found.setdefault((range.filename, error.code, place), error)

    def __iter__(self) -> Iterator[CompileError]:
        return iter(self._found.values())

    def __len__(self) -> int:
        return len(self._found)
