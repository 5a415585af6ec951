"""Whether there can be native code at all, and when it is worth making."""

from __future__ import annotations

import functools
import importlib.util
from collections.abc import Generator
from contextlib import contextmanager
from time import perf_counter
from typing import Final


@functools.cache
def is_available() -> bool:
    """Whether llvmlite is installed; it is not imported for this."""
    return importlib.util.find_spec("llvmlite") is not None


_MANY = 1 << 12
"""Elements from which on a call of native code costs little beside what it does."""


def is_large_work(elements: int) -> bool:
    """Whether to ask native code for something that NumPy does element by element."""
    return elements >= _MANY and is_available()


class TimeTogether:
    """What a process has spent on calls of one kind of which each is too short for native code by itself."""

    _WORTH_MAKING: Final = 0.02
    """Seconds that native code takes to be made."""

    def __init__(self) -> None:
        self._spent = 0.0

    @contextmanager
    def counted(self) -> Generator[None]:
        """Counts what is done inside."""
        begin = perf_counter()
        yield
        self._spent += perf_counter() - begin

    @property
    def is_long(self) -> bool:
        """Whether native code would have paid by now, and there can be any."""
        return self._spent > self._WORTH_MAKING and is_available()
