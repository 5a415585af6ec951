"""A team of threads that share the parts of one kernel after the other.

A thread that sleeps takes a tenth of a millisecond to be there, which is as long as many kernels take. So those of a
team look for work for some time after the last one before they go to sleep; the next kernel of a model finds them
awake. They do both in native code, without Python's lock. Who leads never waits for a sleeper: the parts that nobody
else takes are its own.
"""

from __future__ import annotations

import atexit
import ctypes
import functools
import os
import threading
import time
from array import array as words
from typing import Any, Final

from tsc.runtime.native.code.interpreter import WORD, address_of
from tsc.runtime.native.code.object_code import code_of_text, loaded
from tsc.runtime.native.code.team_text import SLEEPING, WORDS, TeamWord, team_text

_AWAKE_SECONDS: Final = 4e-4
"""How long a thread looks for work: some times what it takes to wake it."""
_CALIBRATED_LOOKS: Final = 1000
_SHORT_SLEEP: Final = 2e-5
_LINE: Final = 8
"""Words of a line of the cache."""
_FIRST, _LAST = TeamWord.FUNCTION, TeamWord.THREADS


class _Functions:
    """The native functions of all teams; `looks` is how many of its looks take a thread's time awake."""

    def __init__(self) -> None:
        process = ctypes.CDLL(None)
        symbols = {name: address_of(getattr(process, name)) for name in SLEEPING}
        library = loaded(code_of_text(team_text()), symbols)
        word, number = ctypes.c_void_p, ctypes.c_int64
        self.library = library
        self.lead = ctypes.CFUNCTYPE(number, word, number)(library.address("lead"))
        self.wait = ctypes.CFUNCTYPE(number, word, number)(library.address("wait_for_all"))
        self.wake = ctypes.CFUNCTYPE(None, word)(library.address("wake"))
        self.follow = ctypes.CFUNCTYPE(None, word, *[number] * 3)(library.address("follow"))
        self.looks = self._calibrated()

    def _calibrated(self) -> int:
        idle = words("q", bytes(WORD * WORDS))
        best = float("inf")
        for _ in range(3):
            started = time.perf_counter()
            self.follow(idle.buffer_info()[0], 1, _CALIBRATED_LOOKS, 0)
            best = min(best, time.perf_counter() - started)
        return max(1, int(_CALIBRATED_LOOKS * _AWAKE_SECONDS / best))


_functions = functools.cache(_Functions)


class Team:
    """Threads that follow whoever leads; one at a time may."""

    def __init__(self, count: int) -> None:
        """Of so many threads, the leading one included."""
        self.size = count
        self._functions = _functions()
        self._words = words("q", bytes(WORD * (WORDS + _LINE)))
        address = self._words.buffer_info()[0]
        first = -address % (WORD * _LINE) // WORD
        self._address = address + WORD * first
        self._table = memoryview(self._words)[first:]
        process = ctypes.CDLL(None)
        process.pthread_mutex_init(ctypes.c_void_p(self._address + WORD * TeamWord.MUTEX), None)
        process.pthread_cond_init(ctypes.c_void_p(self._address + WORD * TeamWord.CONDITION), None)
        self._leading = threading.Lock()
        self._threads = [
            threading.Thread(target=self._follow, args=(number,), name="tsc kernel", daemon=True)
            for number in range(1, count)
        ]
        for each in self._threads:
            each.start()

    def is_awake(self) -> bool:
        """Whether no thread has to be woken."""
        return not self._table[TeamWord.ASLEEP]

    def run(self, function: Any, task: tuple[int, int, int, int, int, int], threads: int) -> bool:
        """A kernel for pointers, layout, extent, parts, numbers and scratch of a thread; False if another leads."""
        if not self._leading.acquire(blocking=False):
            return False
        try:
            self._lead(words("q", [function.address, *task, threads]))
        finally:
            self._leading.release()
        return True

    def _lead(self, task: words[int]) -> None:
        """Has a task done. What a signal raises meanwhile waits for that: others write to arrays until then."""
        functions, looks = self._functions, self._functions.looks
        before, done, raised = self._table[TeamWord.TICKET], False, None
        try:
            self._table[_FIRST : _LAST + 1] = task
            done = functions.lead(self._address, looks)
        except BaseException as error:  # noqa: BLE001  it is raised below
            raised = error
        while not done and self._table[TeamWord.TICKET] != before:
            try:
                done = functions.wait(self._address, looks)
                time.sleep(0 if done else _SHORT_SLEEP)  # another process has the processor
            except BaseException as error:  # noqa: BLE001
                raised = error
        if raised is not None:
            raise raised

    def end(self) -> None:
        """Lets all threads return."""
        self._table[TeamWord.ENDS] = 1
        for each in self._threads:
            while each.is_alive():
                self._functions.wake(self._address)
                each.join(_SHORT_SLEEP)

    def _follow(self, number: int) -> None:
        self._functions.follow(self._address, number, self._functions.looks, 1)


def _threads_of_process() -> int:
    """As many as processors that the process may use; one where C's library has no threads as the text calls them."""
    if os.name != "posix":
        return 1
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class _Present:
    """The team of the process, made when it is first wanted; a child that was forked has none of its parent's."""

    def __init__(self) -> None:
        self._making = threading.Lock()
        self._team: Team | None = None

    def get(self) -> Team | None:
        """None where there is one processor."""
        if self._team is None and _threads_of_process() > 1:
            with self._making:
                if self._team is None:
                    self._team = Team(_threads_of_process())
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
