"""What is wrong with a file that was to be read or written."""

from __future__ import annotations

from tsc.compiler.source.diagnostics import Error
from tsc.runtime.context.terminal import safe_on_a_terminal

_LONGEST = 4000  # characters of a message


class ArchiveError(Error, RuntimeError):
    """A file that cannot be read, or must not be: what is wrong, where, and what to do about it.

    For the command line it is a file that was named wrongly, as one that is missing.
    """

    is_usage = True
    __module__ = "tsc"

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        message = _cut(message)
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        text = self.message if self.hint is None else f"{self.message}\nhint: {self.hint}"
        return safe_on_a_terminal(text)

    def within(self, name: str) -> ArchiveError:
        """The same error, said of a part of the file or archive `name`."""
        self.message = _cut(f"{name}: {self.message}")
        self.args = (self.message,)
        return self


def _cut(message: str) -> str:
    """A message that quotes something of a file, which may be of any length."""
    if len(message) <= _LONGEST:
        return message
    return f"{message[: _LONGEST // 2]} … {message[-_LONGEST // 2 :]}"


class MissingFile(ArchiveError, FileNotFoundError, ValueError):
    """There is no file of that name; the two builtin exceptions are those of PyTorch's functions that load."""

    __module__ = "tsc"
    __qualname__ = "ArchiveError"


class RefusedName(ArchiveError):
    """A pickle wants something called or made that is no data: `name` says what."""

    def __init__(self, name: str, message: str, *, hint: str | None = None) -> None:
        super().__init__(message, hint=hint)
        self.name = name


DAMAGED = "the file is damaged or was cut off: copy or download it again"
"""The advice where bytes are missing or contradict each other."""
ELSEWHERE = "docs/archives.md tells what files there are, and what to do with them"
"""The advice where a file is not what it should be."""
HOSTILE = "no PyTorch writes this: do not trust where the file comes from"
"""The advice where a file is made to mislead or to exhaust its reader."""
