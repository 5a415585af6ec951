"""What cannot be exported, and where in the program it stands."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from tsc.compiler.exir import refusals
from tsc.compiler.exir.refusals import Refusal
from tsc.compiler.exir.symbols.data_dependence import DataDependentError
from tsc.compiler.source import UNKNOWN_RANGE, Code, SourceRange
from tsc.compiler.source.diagnostics import CompileError


class ExportError(CompileError):
    """Something in a program has no place in an exported one: `refusal` tells why, `hint` what would have."""

    __module__ = "tsc"

    def __init__(
        self,
        message: str,
        range: SourceRange = UNKNOWN_RANGE,
        *,
        refusal: Refusal,
        hint: str | None = None,
    ) -> None:
        way_out = refusal.rewrite if hint is None else hint
        super().__init__(message, range, code=Code(refusal.code), hint=way_out)
        self.refusal = refusal
        self.is_placed = range is not UNKNOWN_RANGE

    def at(self, range: SourceRange) -> ExportError:
        """The same, at a place of the program."""
        return ExportError(self.message, range, refusal=self.refusal, hint=self.hint)


@contextmanager
def located(place: SourceRange) -> Iterator[None]:
    """Errors of capture get the place of the node at which they arose."""
    try:
        yield
    except ExportError as error:
        if error.is_placed:
            raise
        raise error.at(place) from None
    except DataDependentError as error:
        raise ExportError(str(error), place, refusal=refusals.SIZE) from None
