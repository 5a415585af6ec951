"""How long a program may run and how deep it may call: checked at the turns of loops and at calls
only.

What is only looked at has a budget (`compiler.budget`), from which its executions are paid.
"""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace
from typing import Final, Protocol

from tsc.compiler.budget import (
    UNLIMITED,
    Budget,
    Limits,
    current_limits,
    under,
)
from tsc.runtime.context.errors import ScriptError

__all__ = [
    "UNLIMITED",
    "Limits",
    "Meter",
    "current_limits",
    "bytes_of",
    "limits",
    "meter_of",
    "share_meter",
    "too_deep",
]


@contextmanager
def limits(
    max_steps: int | None = None,
    max_seconds: float | None = None,
    max_memory: int | str | None = None,
) -> Generator[None, None, None]:
    """Limits of what runs and of what is evaluated within a ``with`` statement.

    A step is a turn of a loop or a call; `max_memory` is a number of bytes, or a text as ``"512M"`` or ``"2G"``.
    What is left out stays as it is: a program that is run has no limits then, and what tsc evaluates of a file
    (constructors of its modules, ``__setstate__``, constants) has those of docs/security.md. Raises ValueError for
    what is no limit.
    """
    for name, value in (("max_steps", max_steps), ("max_seconds", max_seconds)):
        if value is not None and not value > 0:
            raise ValueError(f"{name} is to be greater than 0, not {value!r}")
    before = current_limits()
    chosen = {
        "max_steps": max_steps,
        "max_seconds": max_seconds,
        "max_memory": None if max_memory is None else bytes_of(max_memory),
    }
    given = {name: value for name, value in chosen.items() if value is not None}
    with under(replace(before, **given)):
        yield


def bytes_of(size: int | str) -> int:
    """The bytes that ``"2G"``, ``"512M"``, ``"100k"`` or a number says. Raises ValueError."""
    found = _SIZE.fullmatch(str(size).strip())
    count = 0 if found is None else int(float(found[1]) * _UNITS[found[2].lower()])
    if count <= 0:
        raise ValueError(f"{size!r} is no size: write a number of bytes, or one as in 512M or 2G")
    return count


_SIZE = re.compile(r"(\d{1,15}(?:\.\d{1,9})?)\s*([kmgt]?)i?b?", re.IGNORECASE)
_UNITS = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40}


_MOST_STEPS: Final = 4096
"""Between two looks at the clock."""
_SHORT_TIME: Final = 0.01
"""Seconds: if steps took longer, fewer are made before the next look."""


class StepSource(Protocol):
    """Gives an interpreter its steps, in portions."""

    def portion(self) -> int:
        """The number of steps until the next call of this. Raises an error when a limit is reached."""
        ...

    def expect(self, seconds: float) -> None:
        """Something begins that takes about so long and cannot be stopped. Raises an error if that is too long."""
        ...


class _Portions:
    """How many steps may be made before the next look at a limit: few at first, fewer when they take long."""

    __slots__ = ("_last_look", "_size")

    def __init__(self) -> None:
        self._last_look = time.monotonic()
        self._size = 1

    def next(self, now: float) -> int:
        """The steps until the next call of this."""
        if now - self._last_look > _SHORT_TIME:
            self._size = max(self._size // 4, 1)
        else:
            self._size = min(self._size * 2, _MOST_STEPS)
        self._last_look = now
        return self._size


class Meter:
    """Counts the steps of one execution, in portions: an interpreter spends one and asks for the
    next.
    """

    __slots__ = ("_deadline", "_limits", "_portions", "_steps_left")

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._steps_left = UNLIMITED if limits.max_steps is None else limits.max_steps
        seconds = limits.max_seconds
        self._deadline = None if seconds is None else time.monotonic() + seconds
        self._portions = _Portions()

    def portion(self) -> int:
        """The number of steps until the next call of this. Raises ScriptError when a limit is
        reached.
        """
        if self._steps_left <= 0:
            raise ScriptError("RuntimeError", f"stopped after {self._limits.max_steps} steps")
        portion = self._steps_left
        if self._deadline is not None:
            now = time.monotonic()
            self._check(now)
            portion = min(portion, self._portions.next(now))
        if self._limits.max_steps is not None:
            self._steps_left -= portion
        return portion

    def expect(self, seconds: float) -> None:
        """Something begins that takes about so long and cannot be stopped. Raises ScriptError if that is too long."""
        if self._deadline is None:
            return
        now = time.monotonic()
        self._check(now)
        if now + seconds > self._deadline:
            message = (
                f"stopped before an operator that takes about {seconds:.2g} seconds, of "
                f"{self._limits.max_seconds:g} seconds"
            )
            raise ScriptError("RuntimeError", message)

    def _check(self, now: float) -> None:
        if self._deadline is not None and now >= self._deadline:
            message = f"stopped after {self._limits.max_seconds:g} seconds"
            raise ScriptError("RuntimeError", message)


class BudgetMeter:
    """Counts the steps of one execution that is paid from a budget, at which what is left of a portion is lost."""

    __slots__ = ("_budget", "_portions")

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._portions = _Portions()

    def portion(self) -> int:
        """The number of steps until the next call of this. Raises `LimitReached`."""
        return self._budget.charge_steps(self._portions.next(time.monotonic()))

    def expect(self, seconds: float) -> None:
        """Something begins that takes about so long and cannot be stopped. Raises `LimitReached`."""
        self._budget.expect(seconds)


class SharedMeter:
    """Counts the steps of a forked task together with those of all tasks that come from it."""

    __slots__ = ("_lock", "_meter", "_rest")

    def __init__(self, limits: Limits) -> None:
        self._lock = threading.Lock()
        self._meter = Meter(limits)
        self._rest = 0

    def portion(self) -> int:
        """A small one, so that some is left for the others. Raises ScriptError when a limit is reached."""
        with self._lock:
            if not self._rest:
                self._rest = self._meter.portion()
            portion = min(self._rest, _MOST_STEPS)
            self._rest -= portion
            return portion

    def expect(self, seconds: float) -> None:
        """Something begins that takes about so long and cannot be stopped. Raises ScriptError if that is too long."""
        self._meter.expect(seconds)


_FREE_METER = Meter(Limits())
_shared: ContextVar[SharedMeter | None] = ContextVar("shared_meter", default=None)


def meter_of(limits: Limits) -> StepSource:
    """A meter for one execution. One that never stops anything is shared by all."""
    if limits.budget is not None:
        return BudgetMeter(limits.budget)
    if limits.max_steps is None and limits.max_seconds is None:
        return _FREE_METER
    return _shared.get() or Meter(limits)


def share_meter() -> None:
    """Have one meter for all that runs in this context and in those that are copied from it."""
    if _shared.get() is None:
        _shared.set(SharedMeter(current_limits()))


def too_deep(limits: Limits) -> ScriptError:
    """What a call raises that would open one frame too many."""
    message = f"maximum recursion depth exceeded: {limits.max_frames} calls are open"
    return ScriptError("RuntimeError", message)
