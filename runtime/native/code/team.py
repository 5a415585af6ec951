"""A team of threads that share the parts of one kernel after the other.

A thread that sleeps takes a tenth of a millisecond to be there, which is as long as many kernels take. So those of a
team look for work for some time after the last one, without Python's lock, before they go to sleep; the next kernel of
a model finds them awake. Who leads never waits for a sleeper: the parts that nobody else takes are its own.
"""

from __future__ import annotations

import atexit
import ctypes
import os
import threading
import time
from array import array as words
from typing import Any, Final

from tsc.runtime.native.code.kernel_library import library_of
from tsc.runtime.native.code.team_text import WORDS, TeamWord, team_text

_AWAKE_SECONDS: Final = 4e-4
"""How long a thread looks for work: some times what it takes to wake it."""
_CALIBRATED_LOOKS: Final = 1000
_SHORT_SLEEP: Final = 2e-5
_WORD: Final = 8
_LINE: Final = 8
"""Words of a line of the cache."""
_FIRST, _LAST = TeamWord.FUNCTION, TeamWord.THREADS


class _Functions:
    """The native functions of all teams; `looks` is how many of its looks take a thread's time awake."""

    def __init__(self) -> None:
        library = library_of(team_text())
        word, number = ctypes.c_void_p, ctypes.c_int64
        self.library = library
        self.lead = ctypes.CFUNCTYPE(number, word, number)(library.address("lead"))
        self.wait = ctypes.CFUNCTYPE(number, word, number)(library.address("wait"))
        self.follow = ctypes.CFUNCTYPE(number, word, number, number)(library.address("follow"))
        self.looks = self._calibrated()

    def _calibrated(self) -> int:
        idle = words("q", bytes(_WORD * WORDS))
        best = float("inf")
        for _ in range(3):
            started = time.perf_counter()
            self.follow(idle.buffer_info()[0], 1, _CALIBRATED_LOOKS)
            best = min(best, time.perf_counter() - started)
        return max(1, int(_CALIBRATED_LOOKS * _AWAKE_SECONDS / best))


class Team:
    """Threads that follow whoever leads; one at a time may."""

    def __init__(self, count: int) -> None:
        """Of so many threads, the leading one included."""
        self._functions = _Functions()
        self._words = words("q", bytes(_WORD * (WORDS + _LINE)))
        address = self._words.buffer_info()[0]
        first = -address % (_WORD * _LINE) // _WORD
        self._address = address + _WORD * first
        self._table = memoryview(self._words)[first:]
        self._leading = threading.Lock()
        self._asleep = [False] * count
        self._bells = [threading.Lock() for _ in range(count)]
        for each in self._bells:
            each.acquire()
        self._threads = [
            threading.Thread(target=self._follow, args=(number,), name="tsc kernel", daemon=True)
            for number in range(1, count)
        ]
        for each in self._threads:
            each.start()

    @property
    def size(self) -> int:
        return len(self._bells)

    def is_awake(self) -> bool:
        """Whether no thread has to be woken."""
        return not any(self._asleep)

    def run(self, function: Any, task: tuple[int, int, int, int, int, int], threads: int) -> bool:
        """A kernel for pointers, layout, extent, parts, numbers and scratch of a thread; False if another leads."""
        if not self._leading.acquire(blocking=False):
            return False
        try:
            self._table[_FIRST : _LAST + 1] = words("q", [function.address, *task, threads])
            for number in range(1, threads):
                if self._asleep[number]:
                    self._wake(number)
            if not self._functions.lead(self._address, self._functions.looks):
                while not self._functions.wait(self._address, self._functions.looks):
                    time.sleep(_SHORT_SLEEP)  # another process has the processor
        finally:
            self._leading.release()
        return True

    def end(self) -> None:
        """Lets all threads return."""
        self._table[TeamWord.ENDS] = 1
        for number, each in enumerate(self._threads, 1):
            self._wake(number)
            each.join()

    def _wake(self, number: int) -> None:
        """A thread that goes to sleep just now does not."""
        self._asleep[number] = False
        if self._bells[number].locked():
            self._bells[number].release()

    def _follow(self, number: int) -> None:
        bell = self._bells[number]
        while not self._table[TeamWord.ENDS]:
            self._functions.follow(self._address, number, self._functions.looks)
            self._asleep[number] = True
            bell.acquire()


def _processors() -> int:
    """How many processors the process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class _Present:
    """The team of the process, made when it is first wanted; a child that was forked has none of its parent's."""

    def __init__(self) -> None:
        self._making = threading.Lock()
        self._team: Team | None = None

    def get(self) -> Team:
        if self._team is None:
            with self._making:
                if self._team is None:
                    self._team = Team(_processors())
        return self._team

    def forget(self) -> None:
        self._making = threading.Lock()
        self._team = None

    def end(self) -> None:
        if self._team is not None:
            self._team.end()


_PRESENT: Final = _Present()
present_team = _PRESENT.get
atexit.register(_PRESENT.end)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_PRESENT.forget)
