"""Whether a trace is being recorded: all that code which is not traced ever looks at.

``if active.running:`` is one test of a number. Only while a trace runs in some thread does anybody ask
for the recorder of the own thread.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tsc.runtime.tracing.recorder import Recorder

running = 0
"""How many traces are being recorded, in all threads."""

_LOCK = threading.Lock()


class _OfThread(threading.local):
    recorder: Recorder | None = None


_of_thread = _OfThread()


def current() -> Recorder | None:
    """The recorder of this thread, unless it is paused."""
    return _of_thread.recorder


def leave(name: str, tensor: Any) -> None:
    """A tensor becomes a value of Python, by this method: what is done with that is not recorded."""
    if _of_thread.recorder is not None:
        _of_thread.recorder.hear(name, tensor, run=lambda: None)


@contextmanager
def recording(recorder: Recorder) -> Iterator[None]:
    """Record what this thread does."""
    global running
    with _LOCK:
        running += 1
    _of_thread.recorder = recorder
    try:
        yield
    finally:
        _of_thread.recorder = None
        with _LOCK:
            running -= 1


@contextmanager
def paused() -> Iterator[None]:
    """What an operator does inside is not recorded."""
    recorder, _of_thread.recorder = _of_thread.recorder, None
    try:
        yield
    finally:
        _of_thread.recorder = recorder
