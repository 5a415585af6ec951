"""Progress of a long compilation, on standard error of a terminal."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

from compiler.compile import Observe
from compiler.ir import Function, Graph

_QUIET_SECONDS = 1.0
_EVERY = 0.2
_CLEAR_LINE = "\r\x1b[K"


class Progress:
    """Names the function being compiled, in one line that is written over, once it takes long."""

    def __init__(self) -> None:
        self._functions = 0
        self._next = time.monotonic() + _QUIET_SECONDS
        self._shown = False

    def observe(self, step: str, function: Function, _graph: Graph) -> None:
        if step == "emit":
            self._functions += 1
        now = time.monotonic()
        if now >= self._next:
            self._next = now + _EVERY
            self._shown = True
            sys.stderr.write(
                f"{_CLEAR_LINE}compiling {function.name} ({self._functions} functions so far)"
            )
            sys.stderr.flush()

    def clear(self) -> None:
        """Leave the line empty."""
        if self._shown:
            sys.stderr.write(_CLEAR_LINE)
            sys.stderr.flush()


@contextmanager
def shown_progress(wanted: bool) -> Iterator[Observe | None]:
    """An observer that shows progress if it is `wanted` and standard error is a terminal."""
    if not wanted or not sys.stderr.isatty():
        yield None
        return
    progress = Progress()
    try:
        yield progress.observe
    finally:
        progress.clear()
