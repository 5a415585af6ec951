"""Errors that a running program raises, with the TorchScript functions they passed through."""

from __future__ import annotations

from dataclasses import dataclass

from tsc.compiler.source import UNKNOWN_RANGE, SourceRange
from tsc.compiler.source.diagnostics import Error

_CONTEXT = 2  # lines of source around the marked one
_LONGEST_STACK = 16  # entries shown of a deeper one, half of them from either end

_HEADER = (
    "The following operation failed in the TorchScript interpreter.\n"
    "Traceback of TorchScript (most recent call last):\n"
)


@dataclass(frozen=True, slots=True)
class StackEntry:
    """A function that was running, and the place it had reached."""

    function: str
    range: SourceRange

    def __str__(self) -> str:
        if self.range.source is UNKNOWN_RANGE.source:
            return f"  in {self.function}\n"
        place = f'  File "{self.range.filename}", line {self.range.line}, in {self.function}\n'
        return f"{place}{self.range.highlight(_CONTEXT)}\n"


class ScriptError(Error):
    """Raised by the program: `kind` is the exception's name in TorchScript ("RuntimeError", …).

    `class_name` is the qualified name of a class that the program itself raised. `stack` holds the
    functions that were running, the innermost last; it is empty when the error did not come out of
    a program.
    """

    def __init__(self, kind: str, message: str, class_name: str | None = None) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message
        self.class_name = class_name
        self.stack: tuple[StackEntry, ...] = ()

    def __str__(self) -> str:
        if not self.stack:
            return self.message
        entries = "".join(map(str, _shown(self.stack)))
        return f"{_HEADER}{entries}{self.class_name or self.kind}: {self.message}\n"


def raised(message: str, class_name: str | None) -> ScriptError:
    """What ``raise`` in a program raises; without a class it is a RuntimeError."""
    kind = class_name.rpartition(".")[2] if class_name else "RuntimeError"
    return ScriptError(kind, message, class_name)


def _shown(stack: tuple[StackEntry, ...]) -> list[StackEntry | str]:
    """The entries of a stack that are worth showing."""
    if len(stack) <= _LONGEST_STACK:
        return list(stack)
    half = _LONGEST_STACK // 2
    left_out = f"  ... {len(stack) - 2 * half} more calls ...\n"
    return [*stack[:half], left_out, *stack[-half:]]
