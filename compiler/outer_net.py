"""The outer net: what nobody foresaw at a program from outside is an error of tsc, too.

Programs that are nested without end, or ask for more memory than there is, end in RecursionError and
MemoryError wherever they are at that time. Any other exception is a failure of tsc itself.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

from tsc.compiler.source import UNKNOWN_RANGE, CompileError, Error, codes, stages_of


@contextmanager
def foreseen(failures: bool = True) -> Generator[None]:
    """Let only `Error` out of a ``with`` statement or a decorated function.

    Without `failures`, those of tsc itself stay what they are, for whoever reports them as such.
    """
    try:
        yield
    except (Error, AttributeError):  # the latter is Python's answer to a name that is not there
        raise
    except RecursionError:
        raise exhausted("it is nested too deeply") from None
    except MemoryError:
        raise exhausted("it takes more memory than there is") from None
    except Exception as error:
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
