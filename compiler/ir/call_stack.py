"""Where inlined nodes come from: the calls that were replaced by the callees' bodies."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from tsc.compiler.source import SourceRange


@dataclass(frozen=True, slots=True, eq=False)
class InlinedCall:
    """``callee`` was called at ``call`` and inlined there; that call came in through ``outer``.

    A node has the innermost of its calls, so that what is inlined further shares those around it.
    ``depth`` counts the calls from the outermost to this one.
    """

    callee: str
    call: SourceRange
    outer: InlinedCall | None = None
    depth: int = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "depth", 1 if self.outer is None else self.outer.depth + 1)

    def outwards(self) -> Iterator[InlinedCall]:
        """From this call to the outermost."""
        call: InlinedCall | None = self
        while call is not None:
            yield call
            call = call.outer

    def calls(self) -> list[InlinedCall]:
        """From the outermost call to this one, as a stack is read."""
        return list(self.outwards())[::-1]
