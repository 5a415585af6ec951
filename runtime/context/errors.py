"""Errors that a running program raises, with the TorchScript functions they passed through."""

from __future__ import annotations

import builtins
from dataclasses import dataclass
from typing import Any, ClassVar, Self, TypeGuard, cast

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


class ScriptError(Error, RuntimeError):
    """Raised by the program: `kind` is the exception's name in TorchScript ("RuntimeError", …).

    It can be caught by the name of its kind, too: an error of the kind "IndexError" is an IndexError.

    `class_name` is the qualified name of a class that the program itself raised. `stack` holds the
    functions that were running, the innermost last; it is empty when the error did not come out of
    a program.
    """

    __module__ = "tsc"
    _builtin: ClassVar[type[Exception]] = RuntimeError

    def __new__(cls, kind: str, message: str, class_name: str | None = None) -> Self:
        """An error of the kind's own class, which is a builtin exception besides."""
        own = _class_of_kind(cls, kind)
        return cast("Self", own._builtin.__new__(own))

    def __init__(self, kind: str, message: str, class_name: str | None = None) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message
        self.class_name = class_name
        self.stack: tuple[StackEntry, ...] = ()

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled by what it is made of: the classes of kinds have no names of their own."""
        return ScriptError, (self.kind, self.message, self.class_name), {"stack": self.stack}

    def again(self) -> ScriptError:
        """The same error, to be raised at another place; what it passes through there is its own."""
        copy = ScriptError(self.kind, self.message, self.class_name)
        copy.stack = self.stack
        copy.__cause__ = self.__cause__ or self
        return copy

    def __str__(self) -> str:
        if not self.stack:
            return self.message
        entries = "".join(map(str, _shown(self.stack)))
        return f"{_HEADER}{entries}{self.class_name or self.kind}: {self.message}\n"


_CLASSES: dict[tuple[type[ScriptError], str], type[ScriptError]] = {}
_KEPT_APART = (StopIteration, StopAsyncIteration, MemoryError, RecursionError)
"""What Python itself reacts to, or what tsc must not mistake for its own."""


def _class_of_kind(cls: type[ScriptError], kind: str) -> type[ScriptError]:
    """A class of errors, made one of the builtin exceptions of a kind as well."""
    known = _CLASSES.get((cls, kind))
    if known is None:
        builtin = getattr(builtins, kind, None)
        known = cls
        if _can_be_caught(builtin) and not issubclass(cls, builtin):
            members = {
                "__module__": cls.__module__,
                "__qualname__": cls.__qualname__,
                "_builtin": builtin,
            }
            known = cast("type[ScriptError]", type(cls.__name__, (cls, builtin), members))
        _CLASSES[cls, kind] = known
    return known


def _can_be_caught(builtin: object) -> TypeGuard[type[Exception]]:
    if not isinstance(builtin, type):
        return False
    return issubclass(builtin, Exception) and not issubclass(builtin, _KEPT_APART)


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
