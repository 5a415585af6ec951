"""The outer net: what nobody foresaw at a program from outside is an error of tsc, too.

Programs that are nested without end, or ask for more memory than there is, end in RecursionError and
MemoryError wherever they are at that time. Any other exception is a failure of tsc itself.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

from tsc.compiler.source import UNKNOWN_RANGE, CompileError, Error, codes, stages_of
from tsc.compiler.uncaught_errors import is_raised_by_tsc


@contextmanager
def foreseen(failures: bool = True, calls_user: bool = False) -> Generator[None]:
    """Let only `Error` out of a ``with`` statement or a decorated function.

    If it `calls_user`, what code of the user raises there is left alone.
    Without `failures`, those of tsc itself stay what they are, for whoever reports them as such.
    """
    try:
        yield
    except (Error, AttributeError):  # the latter is Python's answer to a name that is not there
        raise
    except Exception as error:
        if calls_user and not is_raised_by_tsc(error):
            raise
        if isinstance(error, RecursionError):
            raise exhausted("it is nested too deeply") from None
        if isinstance(error, MemoryError):
            raise exhausted("it takes more memory than there is") from None
        if not failures:
            raise
        raise _failure(error) from error


def exhausted(reason: str) -> CompileError:
    """What to say of a program that asks for more than there is of something."""
    return CompileError(
        f"the program cannot be compiled: {reason}",
        UNKNOWN_RANGE,
        code=codes.NESTED_TOO_DEEPLY,
        hint="split it in several parts",
    )


def _failure(error: Exception) -> CompileError:
    stages = ", ".join(stages_of(error)[:2])
    where = f", {stages}" if stages else ""
    failure = CompileError(
        f"this is a bug of tsc, not of your program{where}: {type(error).__name__}: {error}",
        UNKNOWN_RANGE,
        code=codes.NOT_EXECUTABLE,
        hint="report it, with the program",
    )
    for note in stages_of(error):
        failure.add_note(note)
    return failure
