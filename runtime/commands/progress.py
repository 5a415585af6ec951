"""Progress of a long compilation, on standard error of a terminal."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

from tsc.compiler.ir import Function, Graph

_QUIET_SECONDS = 1.0
_EVERY = 0.2
_CLEAR_LINE = "\r\x1b[K"


class ProgressLine:
    """A line that is written over, once something takes long."""

    def __init__(self) -> None:
        self._next = time.monotonic() + _QUIET_SECONDS
        self._shown = False

    def say(self, text: str) -> None:
        """Show a text, unless another one is still fresh."""
        now = time.monotonic()
        if now >= self._next:
            self._next = now + _EVERY
            self._shown = True
            sys.stderr.write(_CLEAR_LINE + text)
            sys.stderr.flush()

    def clear(self) -> None:
        """Leave the line empty."""
        if self._shown:
            sys.stderr.write(_CLEAR_LINE)
            sys.stderr.flush()


class Progress(ProgressLine):
    """Names the function being compiled, or the file being checked."""

    def __init__(self) -> None:
        super().__init__()
        self._functions = 0

    def observe(self, step: str, function: Function, _graph: Graph) -> None:
        if step == "emit":
            self._functions += 1
        self.say(f"compiling {function.name} ({self._functions} functions so far)")

    def on_file(self, name: str, number: int, count: int) -> None:
        self.say(f"checking {name} ({number} of {count} files)")


@contextmanager
def shown_progress(wanted: bool) -> Iterator[Progress | None]:
    """Progress that is shown if it is `wanted` and standard error is a terminal, or else none."""
    if not wanted or not sys.stderr.isatty():
        yield None
        return
    progress = Progress()
    try:
        yield progress
    finally:
        progress.clear()
