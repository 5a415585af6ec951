"""What is wrong with a file that is loaded, as one kind of error."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

from tsc.compiler.budget import LimitReached, spent_budget
from tsc.compiler.source import CompileError, stages_of
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.serialization.errors import DAMAGED, ArchiveError


@contextmanager
def malformed_is_refused(name: str) -> Generator[None]:
    """Whatever is wrong with an archive is an `ArchiveError`."""
    try:
        yield
    except ArchiveError as error:
        raise (error if error.message.startswith(f"{name}: ") else error.within(name)) from None
    except CompileError as error:
        text = str(error).partition("\nexplain:")[0]
        raise ArchiveError(f"the code of the archive cannot be used: {text}").within(
            name
        ) from error
    except ScriptError as error:
        raise ArchiveError(f"__setstate__ failed: {error}").within(name) from error
    except LimitReached as error:
        raise ArchiveError(f"loading {error}").within(name) from error
    except RecursionError:
        raise ArchiveError("the archive is nested too deeply", hint=DAMAGED).within(name) from None
    except Exception as error:
        raise _stray(error).within(name) from error


def _stray(error: Exception) -> ArchiveError:
    """What to say of an error that nobody foresaw: whoever made the file may have wanted it."""
    spent = spent_budget()
    if isinstance(error, MemoryError):
        return ArchiveError(
            f"loading {spent}" if spent else "loading it takes more memory than there is"
        )
    stages = ", ".join(stages_of(error)[:2])
    message = f"it cannot be loaded: {type(error).__name__}: {error}"
    return ArchiveError(
        f"{message} ({stages})" if stages else message,
        hint=f"{DAMAGED}; if PyTorch loads it, this is a bug of tsc: report it",
    )
