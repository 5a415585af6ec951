"""The budget of what nobody vouches for: steps, seconds and bytes that evaluating a file may take.

Whatever runs a part of a program while tsc only looks at it, or reads what a stranger wrote, does so under a
`Budget`: the parsing of an archive's code, constructors, ``__setstate__``, constants of modules. They charge the
same one if one is open, so that a file which asks little of each of them cannot ask much of all. Folding,
inlining and texts of types have fixed bounds of their own, which stand where they are computed.

A size that is known before memory is taken is charged before it is taken (`reserve`). What nobody foresees is
found when the budget looks at the clock and at the memory of the process, which it does seldom.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import Final

from tsc.compiler.process_memory import memory_in_use
from tsc.compiler.source.diagnostics import Error
from tsc.compiler.value_classes import value_class

UNLIMITED: Final = sys.maxsize
_SELDOM: Final = 4 << 20  # bytes asked for between two looks at the memory of the process
_PARAMETER_TIME: Final = 6e-9  # seconds that a byte of a parameter takes to be filled
_PARSING_TIME: Final = 6e-7  # seconds that a character of a program takes to be parsed
_PARSING_MEMORY: Final = 14  # bytes
_KEPT_TEXT: Final = 4  # bytes that a letter of a result takes, as it is joined and encoded
_STEPS_OF_NODE: Final = 20
_STEPS_OF_LOOK: Final = 64


class LimitReached(Error):
    """A budget is spent. The message says which limit it was, and how to raise it."""


@value_class
class Limits:
    """What programs may take; None leaves it to the part of tsc that runs them.

    A step is a turn of a loop or a call. `max_seconds` are of the processor where something is evaluated, and
    of the clock where a program runs. `max_memory` are bytes, beside those that the process had before.
    `parameter_memory` comes on top, for what layers of ``torch.nn`` hold. `max_frames` bounds the calls that are
    open at one time. `budget` is the one that is open.
    """

    max_steps: int | None = None
    max_seconds: float | None = None
    max_frames: int = 50_000
    max_memory: int | None = None
    parameter_memory: int = 0
    budget: Budget | None = None


EVALUATION: Final = Limits(
    max_steps=2_000_000, max_seconds=3.0, max_memory=128 << 20, parameter_memory=512 << 20
)
"""What a file may take of one who did not ask to run it."""

NO_LIMITS: Final = Limits()
"""Those of a thread that nobody set any for."""
_current: ContextVar[Limits] = ContextVar("limits", default=NO_LIMITS)
"""Of each thread, and of each asynchronous task: the limits of one do not hold the others."""


def current_limits() -> Limits:
    """The limits that executions starting now, in this thread, are under."""
    return _current.get()


@contextmanager
def under(limits: Limits) -> Generator[None]:
    """Let what starts within a ``with`` statement be under `limits`."""
    token = _current.set(limits)
    try:
        yield
    finally:
        _current.reset(token)


class Budget:
    """What is left of steps, seconds of the processor, and bytes.

    The clock runs while somebody spends (`spending`), not between. Once a limit is reached, every further charge
    is refused: no program goes on by catching the error.
    """

    __slots__ = (
        "_allowed",
        "_asked",
        "_clock",
        "_kept",
        "_limits",
        "_memory_before",
        "_reached",
        "_seconds",
        "_started",
        "_steps",
        "_users",
    )

    def __init__(self, limits: Limits = EVALUATION) -> None:
        self._allowed = limits
        self._limits = limits
        self._steps = UNLIMITED if limits.max_steps is None else limits.max_steps
        self._seconds = float("inf") if limits.max_seconds is None else limits.max_seconds
        self._memory_before = -1
        self._asked = 0
        self._kept = 0
        self._started = 0.0
        self._clock = time.thread_time
        self._users = 0
        self._reached = ""

    @property
    def is_spent(self) -> bool:
        """Whether a limit was reached."""
        return bool(self._reached)

    @property
    def reached(self) -> str:
        """What is said of the limit that was reached, if one was."""
        return self._reached

    @contextmanager
    def spending(self) -> Generator[None]:
        """The clock runs within the ``with`` statement. Such statements may be nested."""
        if self._users == 0:
            self._clock = time.process_time if threading.active_count() == 1 else time.thread_time
            self._started = self._clock()
            if self._memory_before < 0:
                self._memory_before = memory_in_use()
        self._users += 1
        try:
            yield
        finally:
            self._users -= 1
            if self._users == 0:
                self._seconds -= self._clock() - self._started

    def seconds_left(self) -> float:
        """Of the processor: for this thread, or with those of NumPy where it is the only one."""
        return self._seconds - (self._clock() - self._started if self._users else 0.0)

    def charge_steps(self, count: int = 1) -> int:
        """Take steps, as many as are left but at least one; returns how many. Raises `LimitReached`."""
        self.check()
        if self._steps <= 0:
            self._refuse(f"{self._limits.max_steps} steps", "max-steps")
        taken = min(count, self._steps)
        if self._limits.max_steps is not None:
            self._steps -= taken
        return taken

    def check(self) -> None:
        """Look at the clock and at the memory of the process. Raises `LimitReached`."""
        self.check_time()
        if self._users:
            self._look_at_memory(0)

    def check_time(self) -> None:
        """Look at the clock. Raises `LimitReached`."""
        if self._reached:
            raise LimitReached(self._reached)
        if self.seconds_left() <= 0:
            self._refuse(f"{self._limits.max_seconds:g} seconds", "max-seconds")

    def reserve(self, size: int) -> None:
        """`size` bytes are about to be taken. Raises `LimitReached`."""
        self._asked += size
        if self._asked >= _SELDOM:
            self.check()
            self._look_at_memory(size)
            self._asked = 0

    def allow_parameters(self, size: int) -> None:
        """Let the budget grow by a parameter of a layer, and by the time that it takes to fill it.

        What is more than layers may hold is charged as everything else is.
        """
        if size > self._limits.parameter_memory:
            return
        most = self._limits.max_memory
        self._limits = replace(
            self._limits,
            max_memory=None if most is None else most + size,
            parameter_memory=self._limits.parameter_memory - size,
        )
        self._seconds += size * _PARAMETER_TIME

    def keep_text(self, length: int) -> None:
        """A result of so many characters is kept until it is written. Raises `LimitReached`."""
        self._kept += length * _KEPT_TEXT
        most = self._allowed.max_memory
        if most is not None and self._kept > most:
            self._refuse(_size(most), "max-memory")

    def charge_nodes(self, count: int) -> None:
        """So many nodes are about to be made of others, each of which takes as long as some steps."""
        self.check_time()
        if self._limits.max_steps is None:
            return
        self._steps -= count * _STEPS_OF_NODE
        if self._steps <= 0:
            self._refuse(f"{self._limits.max_steps} steps", "max-steps")

    def expect(self, seconds: float) -> None:
        """Something begins that takes about so long and cannot be stopped. Raises `LimitReached`."""
        self.check_time()
        if seconds > self.seconds_left():
            self._reached = (
                f"stopped before an operator that takes about {seconds:.2g} seconds, of "
                f"{self._limits.max_seconds:g} seconds, the limit for what is evaluated "
                "(--max-seconds or tsc.limits(max_seconds=…) raises it)"
            )
            raise LimitReached(self._reached)

    def charge_step(self) -> None:
        """Take one step; the clock is looked at after some of them."""
        self._steps -= 1
        if self._steps <= 0 or not self._steps % _STEPS_OF_LOOK:
            self.charge_steps()

    def charge_text(self, length: int) -> None:
        """A text of so many characters is about to be parsed. Raises `LimitReached`."""
        self._seconds -= length * _PARSING_TIME
        self.check_time()
        self.reserve(length * _PARSING_MEMORY)

    def _look_at_memory(self, wanted: int) -> None:
        most = self._limits.max_memory
        if most is not None and wanted + memory_in_use() - self._memory_before > most:
            self._refuse(_size(self._allowed.max_memory or 0), "max-memory")

    def _refuse(self, amount: str, option: str) -> None:
        keyword = option.replace("-", "_")
        self._reached = (
            f"stopped after {amount}, the limit for what is evaluated "
            f"(--{option} or tsc.limits({keyword}=…) raises it)"
        )
        raise LimitReached(self._reached)


AllocationWatch = Callable[[Budget], AbstractContextManager[None]]


@dataclass(slots=True)
class _Watch:
    """What lets a budget hear of memory that tensors take; the runtime sets it, which knows them."""

    allocations: AllocationWatch = lambda _budget: nullcontext()


WATCH: Final = _Watch()


@contextmanager
def budget(default: Limits = EVALUATION) -> Generator[Budget]:
    """The budget that is open, or a new one for the time of the ``with`` statement.

    A new one has the limits that the user set (``tsc.limits``, options of the command), and `default` for others.
    """
    limits = current_limits()
    if limits.budget is not None:
        yield limits.budget
        return
    made = Budget(_over(limits, default))
    with under(replace(limits, budget=made)):
        yield made


@contextmanager
def charging(default: Limits = EVALUATION) -> Generator[Budget]:
    """Something of a file is evaluated: it is paid from the open budget, or from one of its own."""
    with budget(default) as found, found.spending(), WATCH.allocations(found):
        yield found


def spent_budget() -> str | None:
    """What is said of the limit of the open budget that was reached, if one was.

    NumPy says MemoryError where the budget refused it something.
    """
    found = _current.get().budget
    return found.reached if found is not None and found.is_spent else None


def raise_if_spent() -> None:
    """Raise `LimitReached` if a limit of the open budget was reached."""
    spent = spent_budget()
    if spent is not None:
        raise LimitReached(spent)


def reserve(size: int) -> None:
    """Charge `size` bytes to the budget, if one is open. Raises `LimitReached`."""
    found = _current.get().budget
    if found is not None:
        found.reserve(size)


def keep_text(text: str) -> str:
    """A part of a result, which is kept until all of it is written. Raises `LimitReached`."""
    found = _current.get().budget
    if found is not None:
        found.keep_text(len(text))
    return text


def charge_nodes(count: int) -> None:
    """So many nodes are about to be made of those that a program has. Raises `LimitReached`."""
    found = _current.get().budget
    if found is not None:
        found.charge_nodes(count)


def charge_step() -> None:
    """A part of a value is looked at, of which there may be more than it seems. Raises `LimitReached`."""
    found = _current.get().budget
    if found is not None:
        found.charge_step()


def charge_text(length: int) -> None:
    """A text of so many characters is about to be parsed. Raises `LimitReached`."""
    found = _current.get().budget
    if found is not None:
        found.charge_text(length)


def allow_parameters(size: int) -> None:
    """A layer makes a parameter of `size` bytes."""
    found = _current.get().budget
    if found is not None:
        found.allow_parameters(size)


def _over(chosen: Limits, default: Limits) -> Limits:
    return Limits(
        max_steps=default.max_steps if chosen.max_steps is None else chosen.max_steps,
        max_seconds=default.max_seconds if chosen.max_seconds is None else chosen.max_seconds,
        max_memory=default.max_memory if chosen.max_memory is None else chosen.max_memory,
        max_frames=chosen.max_frames,
        parameter_memory=default.parameter_memory if chosen.max_memory is None else 0,
    )


def _size(count: int) -> str:
    """Bytes as the option spells them: ``128 MB``."""
    for unit, name in ((1 << 30, "GB"), (1 << 20, "MB"), (1 << 10, "kB")):
        if count >= unit:
            return f"{count / unit:.4g} {name}"
    return f"{count} bytes"
