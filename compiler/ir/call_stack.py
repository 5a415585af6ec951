"""Where inlined nodes come from: the calls that were replaced by the callees' bodies."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from compiler.source import SourceRange


@dataclass(frozen=True, slots=True, eq=False)
class InlinedCall:
    """``callee`` was called at ``call`` and inlined there; that call came in through ``outer``.

    A node has the innermost of its calls, so that what is inlined further shares those around it.
    """

    callee: str
    call: SourceRange
    outer: InlinedCall | None = None

    def outwards(self) -> Iterator[InlinedCall]:
        """From this call to the outermost."""
        call: InlinedCall | None = self
        while call is not None:
            yield call
            call = call.outer

    def calls(self) -> list[InlinedCall]:
        """From the outermost call to this one, as a stack is read."""
        return list(self.outwards())[::-1]

    def within(self, outer: InlinedCall) -> InlinedCall:
        """The same calls, themselves inlined through ``outer``."""
        result = outer
        for call in self.calls():
            result = InlinedCall(call.callee, call.call, result)
        return result
