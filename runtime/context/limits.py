"""How long a program may run and how deep it may call: checked at the turns of loops and at calls
only.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace

from tsc.runtime.context.errors import ScriptError

_MOST_STEPS = 4096  # between two looks at the clock
_SHORT_TIME = 0.01  # seconds: if steps took longer, fewer are made before the next look

UNLIMITED = sys.maxsize


@dataclass(frozen=True, slots=True)
class Limits:
    """A step is a turn of a loop or a call. `max_frames` bounds the calls that are open at one
    time.
    """

    max_steps: int | None = None
    max_seconds: float | None = None
    max_frames: int = 50_000


_DEFAULT = Limits()
_current: ContextVar[Limits] = ContextVar("limits", default=_DEFAULT)
"""Of each thread, and of each asynchronous task: the limits of one do not hold the others."""


def current_limits() -> Limits:
    """The limits that executions starting now, in this thread, are under."""
    return _current.get()


@contextmanager
def execution_limits(
    max_steps: int | None = None, max_seconds: float | None = None, max_frames: int | None = None
) -> Generator[None, None, None]:
    """Put programs that start within a ``with`` statement under limits; what exceeds them raises
    ScriptError.
    """
    previous = current_limits()
    frames = previous.max_frames if max_frames is None else max_frames
    limits = replace(previous, max_steps=max_steps, max_seconds=max_seconds, max_frames=frames)
    token = _current.set(limits)
    try:
        yield
    finally:
        _current.reset(token)


class Meter:
    """Counts the steps of one execution, in portions: an interpreter spends one and asks for the
    next.
    """

    __slots__ = ("_deadline", "_last_look", "_limits", "_portion", "_steps_left")

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._steps_left = UNLIMITED if limits.max_steps is None else limits.max_steps
        seconds = limits.max_seconds
        self._last_look = time.monotonic()
        self._deadline = None if seconds is None else self._last_look + seconds
        self._portion = 1

    def portion(self) -> int:
        """The number of steps until the next call of this. Raises ScriptError when a limit is
        reached.
        """
        if self._steps_left <= 0:
            raise ScriptError("RuntimeError", f"stopped after {self._limits.max_steps} steps")
        portion = self._steps_left
        if self._deadline is not None:
            portion = min(portion, self._steps_before_next_look(self._deadline))
        if self._limits.max_steps is not None:
            self._steps_left -= portion
        return portion

    def _steps_before_next_look(self, deadline: float) -> int:
        """Fewer when steps take long, so that the deadline is not missed by much."""
        now = time.monotonic()
        if now >= deadline:
            raise ScriptError("RuntimeError", f"stopped after {self._limits.max_seconds:g} seconds")
        if now - self._last_look > _SHORT_TIME:
            self._portion = max(self._portion // 2, 1)
        else:
            self._portion = min(self._portion * 2, _MOST_STEPS)
        self._last_look = now
        return self._portion


_FREE_METER = Meter(Limits())


def meter_of(limits: Limits) -> Meter:
    """A meter for one execution. One that never stops anything is shared by all."""
    if limits.max_steps is None and limits.max_seconds is None:
        return _FREE_METER
    return Meter(limits)


def too_deep(limits: Limits) -> ScriptError:
    """What a call raises that would open one frame too many."""
    message = f"maximum recursion depth exceeded: {limits.max_frames} calls are open"
    return ScriptError("RuntimeError", message)
