"""What goes wrong while a program is evaluated, with the places it passed through."""

from __future__ import annotations

from tsc.compiler.budget import LimitReached, spent_budget
from tsc.compiler.source import SourceRange
from tsc.runtime.context.errors import ScriptError, StackEntry

HOST_ERRORS = (
    TypeError,
    ValueError,
    LookupError,
    AttributeError,
    ArithmeticError,
    AssertionError,
    MemoryError,
    StopIteration,
    RuntimeError,
)
"""What Python's own operations raise for wrong operands; a program sees them by name."""


class ConstructionError(ScriptError):
    """Raised by evaluated Python: a class body, ``__init__``, or what they call."""

    __module__ = "tsc"
    __qualname__ = "ScriptError"

    def __str__(self) -> str:
        return (
            super()
            .__str__()
            .replace(
                "The following operation failed in the TorchScript interpreter.\n"
                "Traceback of TorchScript (most recent call last):\n",
                "Traceback of the evaluated source (most recent call last):\n",
                1,
            )
        )

    def passing(self, function: str, range: SourceRange) -> ConstructionError:
        """This error, one function further out."""
        self.stack = (StackEntry(function, range), *self.stack)
        return self


def as_construction_error(error: Exception) -> ConstructionError:
    """What a program sees of an error of an operation."""
    if isinstance(error, ConstructionError):
        return error
    if isinstance(error, ScriptError):
        converted = ConstructionError(error.kind, error.message, error.class_name)
        converted.stack = error.stack
        return converted
    if isinstance(error, RecursionError):
        return ConstructionError("RecursionError", "maximum recursion depth exceeded")
    if isinstance(error, LimitReached):
        return ConstructionError("RuntimeError", str(error))
    if isinstance(error, MemoryError):
        return _out_of_memory(error)
    return ConstructionError(type(error).__name__, str(error))


def _out_of_memory(error: MemoryError) -> ConstructionError:
    """NumPy says so, too, when the budget refuses what it asks for."""
    spent = spent_budget()
    if spent is not None:
        return ConstructionError("RuntimeError", spent)
    return ConstructionError("MemoryError", str(error) or "out of memory")
