"""How many threads the BLAS of NumPy and SciPy takes: the one setting of the process, and fewer for small work.

OpenBLAS wakes all its threads for a product of more than 64x64x64, which is over before a thread of a busy machine
gets its turn: a pass through small matrices can take ten times as long as with one thread. So work gets a thread for
each `_WORK_OF_THREAD` multiplications, and forked tasks share the processors; after it the library has its own
number again, for whoever else uses NumPy.
"""

from __future__ import annotations

import importlib
import threading
from collections.abc import Callable
from typing import Any

from tsc.runtime.context.task_threads import TASK_THREADS

_WORK_OF_THREAD = 1 << 22
"""Multiplications that keep a thread busy for about a tenth of a millisecond."""


class _BlasThreads:
    """The number is one for the process. Of the Python threads that lower it at the same time,
    the last to leave restores it.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._libraries: list[Any] | None = None
        self._wanted: int | None = None
        self._at_first: int | None = None
        self._usual = 1
        self._users = 0

    def count(self) -> int:
        with self._lock:
            return self._usual if self._users else self._present()

    def of_kernels(self) -> int:
        if self._wanted is not None:
            return self._wanted
        if self._at_first is None:
            self._at_first = self.count()
        return self._at_first

    def set(self, count: int) -> None:
        with self._lock:
            self._wanted = self._usual = count
            self._apply(count)

    def look_again(self) -> None:
        """Give a library that was loaded since the last look the number that was set."""
        with self._lock:
            self._libraries = None
            if self._wanted is not None:
                self._apply(self._wanted)

    def run(self, count: int, function: Callable[..., Any], *arguments: Any) -> Any:
        with self._lock:
            if not self._users:
                self._usual = self._present()
            count = min(count, self._share_of_task())
            if count >= self._usual:
                count = 0
            else:
                self._users += 1
                self._apply(count)
        if not count:
            return function(*arguments)
        try:
            return function(*arguments)
        finally:
            self._leave()

    def _share_of_task(self) -> int:
        """Of the usual number, for each of the forked tasks that work at the same time."""
        return max(self._usual // max(TASK_THREADS.busy, 1), 1)

    def _leave(self) -> None:
        with self._lock:
            self._users -= 1
            if not self._users:
                self._apply(self._usual)

    def _present(self) -> int:
        return max((library.get_num_threads() for library in self._found()), default=1)

    def _apply(self, count: int) -> None:
        """Also lets go of the right to set the number, which threadpoolctl gives to one thread."""
        for library in self._found():
            library.set_num_threads(count)
            release = getattr(library, "clear_controlling_thread", None)
            if release is not None:
                release()

    def _found(self) -> list[Any]:
        libraries = self._libraries
        if libraries is None:
            finder = importlib.import_module("threadpoolctl").ThreadpoolController()
            self._libraries = libraries = list(finder.select(user_api="blas").lib_controllers)
        return libraries


_THREADS = _BlasThreads()


def run_with_threads_for(work: int, function: Callable[..., Any], *arguments: Any) -> Any:
    """Call `function` while BLAS takes no more threads than `work` multiplications keep busy."""
    return _THREADS.run(work // _WORK_OF_THREAD + 1, function, *arguments)


def library_loaded() -> None:
    """Something was imported that may have brought a BLAS of its own."""
    _THREADS.look_again()


def set_num_threads(count: int) -> None:
    """Let products and factors of matrices take at most `count` threads, in the whole process.

    Raises TypeError for what is no int, ValueError for numbers below one.
    """
    if type(count) is not int:
        raise TypeError(f"set_num_threads expects an int, but got {type(count).__name__}")
    if count < 1:
        raise ValueError(f"set_num_threads expects a positive integer, but got {count}")
    _THREADS.set(count)


def get_num_threads() -> int:
    """How many threads large products may take: at first the number of processors."""
    return _THREADS.count()


def get_num_kernel_threads() -> int:
    """How many threads native kernels may take: the number that was set, else as many as products took at first. It
    is asked for before each kernel, which is why the libraries are not.
    """
    return _THREADS.of_kernels()
