"""What cannot be exported, and where in the program it stands."""

from __future__ import annotations

from tsc.compiler.source import UNKNOWN_RANGE, SourceRange, codes
from tsc.compiler.source.diagnostics import CompileError


class ExportError(CompileError):
    """Something in a program has no place in an exported one; `hint` says what would have."""

    __module__ = "tsc"

    def __init__(self, message: str, range: SourceRange = UNKNOWN_RANGE, *, hint: str) -> None:
        super().__init__(message, range, code=codes.NOT_EXECUTABLE, hint=hint)
        self.is_placed = range is not UNKNOWN_RANGE
        self._way_out = hint

    def at(self, range: SourceRange) -> ExportError:
        """The same, at a place of the program."""
        return ExportError(self.message, range, hint=self._way_out)
