"""How often functions were called, and what became of the assumptions that plans were made on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from tsc.runtime.execution.cold_functions import Run
from tsc.runtime.execution.executor_mode import MODE


class Counters(NamedTuple):
    """``invocations`` of functions from outside. Of those by plans for their inputs: ``cache_hits`` found one,
    ``cache_misses`` had to make one, or ran by the plan for all inputs; ``bailouts`` went on without assumptions.
    """

    invocations: int = 0
    cache_hits: int = 0
    cache_misses: int = 0
    bailouts: int = 0


class Counting:
    """The counts of this process; threads that count at the same moment may lose one."""

    __slots__ = Counters._fields

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        self.invocations = self.cache_hits = self.cache_misses = self.bailouts = 0

    def counted(self) -> Counters:
        return Counters(self.invocations, self.cache_hits, self.cache_misses, self.bailouts)


COUNTING: Final = Counting()


def counters(*, reset: bool = False) -> Counters:
    """What was counted so far, since the last reset if there was one; `reset` starts anew from zero.

    Calls are counted from the first time on that this is asked for: until then, counting costs nothing.
    """
    if not MODE.counts:
        MODE.change(counts=True)
    found = COUNTING.counted()
    if reset:
        COUNTING.reset()
    return found


def counted(run: Run) -> Run:
    """The same way to run a function, with its calls counted if anybody wants to know of them."""
    if not MODE.counts:
        return run

    def run_and_count(inputs: Sequence[Any]) -> Any:
        COUNTING.invocations += 1
        return run(inputs)

    return run_and_count
