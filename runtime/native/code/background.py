"""Making code while the program goes on: a thread makes what is wanted, one after the other.

The thread keeps no process alive; when one ends, a step of LLVM that has begun is waited for. When one forks, what is
being made is: a child would have modules that are half imported, and nobody to go on.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from queue import SimpleQueue
from typing import Any, Final, Generic, TypeVar

_T = TypeVar("_T")

_MAKING: Final = threading.RLock()
"""Held while the thread makes something; who takes both takes this one first."""
LLVM: Final = threading.RLock()
"""Held while LLVM makes code, in whatever thread."""


class Making(Generic[_T]):
    """Something that is made in the background."""

    __slots__ = ("_error", "_made", "_make", "_process", "is_over")

    def __init__(self, make: Callable[[], _T]) -> None:
        self._make = make
        self._process = os.getpid()
        self._made: _T | None = None
        self._error: Exception | None = None
        self.is_over = False

    def run(self) -> None:
        """Make it, in whatever thread this is called."""
        try:
            self._made = self._make()
        except Exception as error:  # noqa: BLE001 - whoever asks for the result hears of it
            self._error = error
        self.is_over = True

    @property
    def made(self) -> _T | None:
        """It, once it is there. Raises what making it has raised."""
        if not self.is_over and self._process != os.getpid():
            self._process = os.getpid()
            BACKGROUND.add(self)  # a child that was forked has none of its parent's threads
        if self._error is not None:
            raise self._error
        return self._made


class Background:
    """The thread, which begins when something is first to be made; with `is_immediate`, whoever wants code waits."""

    def __init__(self) -> None:
        self.is_immediate = False
        self._process = 0
        self._wanted: SimpleQueue[Making[Any]] = SimpleQueue()

    def begin(self, make: Callable[[], _T], *, at_once: bool = False) -> Making[_T]:
        """Have something made; `at_once`, it is there when this returns."""
        making = Making(make)
        if at_once or self.is_immediate:
            making.run()
        else:
            self.add(making)
        return making

    def add(self, making: Making[_T]) -> None:
        if self._process != os.getpid():
            self._process = os.getpid()
            self._wanted = SimpleQueue()
            threading.Thread(target=self._work, name="tsc native code", daemon=True).start()
        self._wanted.put(making)

    def _work(self) -> None:
        wanted = self._wanted
        while True:
            making = wanted.get()
            with _MAKING, _short_turns():
                making.run()


_TURN: Final = 5e-5
"""Seconds. With CPython's usual turns, a hundred times as long, each step that lets go of the lock waits so long to go
on; an import has thousands of such steps."""


@contextmanager
def _short_turns() -> Generator[None]:
    """Let threads take shorter turns: the one that makes code gives its turn away again and again."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(min(before, _TURN))
    try:
        yield
    finally:
        sys.setswitchinterval(before)


def _before_fork() -> None:
    _MAKING.acquire()
    LLVM.acquire()


def _after_fork() -> None:
    LLVM.release()
    _MAKING.release()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(
        before=_before_fork, after_in_parent=_after_fork, after_in_child=_after_fork
    )

BACKGROUND: Final = Background()
