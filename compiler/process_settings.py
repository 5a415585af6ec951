"""Settings of the whole process that work on trees and graphs needs, while some thread is at it."""

from __future__ import annotations

import atexit
import functools
import gc
import sys
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager

_OBJECTS_BETWEEN_COLLECTIONS = 100_000
_DEEPEST_RECURSION = 20_000  # calls: enough for a thousand nested ifs


class _SharedSetting:
    """A number of which the process has one, raised as long as one of its threads needs it."""

    def __init__(self, read: Callable[[], int], write: Callable[[int], None]) -> None:
        self._read = read
        self._write = write
        self._lock = threading.Lock()
        self._users = 0
        self._before = 0

    @contextmanager
    def at_least(self, wanted: int) -> Generator[None]:
        with self._lock:
            current = self._read()
            if self._users == 0:
                self._before = current
            self._users += 1
            self._write(max(current, wanted))
        try:
            yield
        finally:
            with self._lock:
                self._users -= 1
                if self._users == 0:
                    self._write(self._before)


_recursion_limit = _SharedSetting(sys.getrecursionlimit, sys.setrecursionlimit)
_collection_threshold = _SharedSetting(
    lambda: gc.get_threshold()[0], lambda number: gc.set_threshold(number, *gc.get_threshold()[1:])
)


@contextmanager
def deep_recursion(deepest: int = _DEEPEST_RECURSION) -> Generator[None]:
    """Trees and graphs are as deep as a text is nested, and so is the recursion over them."""
    with _recursion_limit.at_least(deepest):
        yield


@contextmanager
def rare_garbage_collection() -> Generator[None]:
    """Trees, graphs and imported modules live long: a collector that looks often finds little in them."""
    if gc.get_threshold()[0] == 0:  # somebody wants none at all
        yield
        return
    with _collection_threshold.at_least(_OBJECTS_BETWEEN_COLLECTIONS):
        yield


@functools.cache
def end_without_collection() -> None:
    """Let the process end without looking for cycles in what it still holds: all memory is given back at once."""
    atexit.register(gc.freeze)
