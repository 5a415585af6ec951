"""The threads on which forked tasks run: started when there is work, one for each processor unless told otherwise."""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Callable, Generator
from contextlib import contextmanager

Work = Callable[[], None]


class TaskThreads:
    """A queue of work and the threads that take from it; a thread that has to stand still is stood in for.

    They are daemons: the end of the process does not wait for tasks that nobody waits for.
    """

    def __init__(self, count: int) -> None:
        self._wanted = count
        self._own = threading.local()
        self.begin_anew()

    def begin_anew(self) -> None:
        """Also in the child of a process that forks, which has none of its threads."""
        self._queue: deque[Work] = deque()
        self._changed = threading.Condition(threading.Lock())
        self._threads = self._idle = self._standing_still = 0

    @property
    def count(self) -> int:
        """How many may work at the same time."""
        return self._wanted

    @count.setter
    def count(self, count: int) -> None:
        with self._changed:
            self._wanted = count
            self._changed.notify_all()

    @property
    def busy(self) -> int:
        """How many work just now."""
        return self._working - self._idle

    def submit(self, work: Work) -> None:
        """Have work done by a thread, after what was submitted before. It must not raise."""
        with self._changed:
            self._queue.append(work)
            if self._idle:
                self._changed.notify()
            self._start_if_needed()

    @contextmanager
    def standing_still(self) -> Generator[None]:
        """Around what makes a thread wait: if it is one of these, another may work meanwhile."""
        if not getattr(self._own, "is_worker", False):
            yield
            return
        with self._changed:
            self._standing_still += 1
            self._start_if_needed()
        try:
            yield
        finally:
            with self._changed:
                self._standing_still -= 1

    def _start_if_needed(self) -> None:
        if len(self._queue) > self._idle and self._working < self._wanted:
            self._threads += 1
            threading.Thread(target=self._work, name="tsc task", daemon=True).start()

    @property
    def _working(self) -> int:
        return self._threads - self._standing_still

    def _work(self) -> None:
        self._own.is_worker = True
        while (work := self._next()) is not None:
            work()
            del work  # or it would live until the next one comes

    def _next(self) -> Work | None:
        """The work that has waited longest; None if there are more threads than wanted."""
        with self._changed:
            while not self._queue and self._working <= self._wanted:
                self._idle += 1
                self._changed.wait()
                self._idle -= 1
            if self._working > self._wanted:
                self._threads -= 1
                self._changed.notify()  # whoever was meant by the call that woke this one
                return None
            return self._queue.popleft()


TASK_THREADS = TaskThreads(os.cpu_count() or 1)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=TASK_THREADS.begin_anew)


def get_num_interop_threads() -> int:
    """How many tasks that programs fork may run at the same time."""
    return TASK_THREADS.count


def set_num_interop_threads(count: int) -> None:
    """Let so many tasks that programs fork run at the same time, at any moment. Raises ValueError below 1."""
    if count < 1:
        raise ValueError(f"set_num_interop_threads expects a number of at least 1, not {count}")
    TASK_THREADS.count = count
