"""Where in tsc something was being done, told by an exception that nobody expected.

A failure of tsc itself bears a note for each stage that it came through, the innermost first: Python shows
the notes under its traceback, and the command line says the first ones in its report of the bug.
"""

from __future__ import annotations

from types import TracebackType

from tsc.compiler.source.diagnostics import Error


class StageNote(str):
    """A note on an exception that says in which stage of tsc it was raised: ``in peephole of function 'f'``."""

    __slots__ = ()


class Stage:
    """``with Stage("peephole", "function 'f'"):`` what fails unexpectedly in it, says that it was there.

    It costs nothing worth speaking of where nothing fails. In a generator it stands for what the generator
    does, not for what is done with its values.
    """

    __slots__ = ("_name", "_subject")

    def __init__(self, name: str, subject: str = "") -> None:
        """`name` is that of a step, pass or operator; `subject` what it was done to."""
        self._name = name
        self._subject = subject

    def __enter__(self) -> None:
        """Nothing is to be done until something fails."""

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        error: BaseException | None,
        _traceback: TracebackType | None,
    ) -> None:
        if error is not None:
            note_stage(error, f"{self._name} of {self._subject}" if self._subject else self._name)


def note_stage(error: BaseException, stage: str) -> None:
    """Let an exception tell a stage that it came through, unless it is an error of the user's program."""
    if isinstance(error, Error) or not isinstance(error, Exception):
        return
    note = StageNote(f"in {stage}")
    if note not in stages_of(error):
        error.add_note(note)


def stages_of(error: BaseException) -> list[str]:
    """The stages that an exception came through, the innermost first, each as ``in …``."""
    notes: list[object] = getattr(error, "__notes__", [])
    return [note for note in notes if isinstance(note, StageNote)]
