"""Whether a trace is being recorded: all that code which is not traced ever looks at.

``if trace_state.running:`` is one test of a number. Only while a trace runs in some thread does anybody ask
for the recorder of the own thread.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Protocol


class Recorder(Protocol):
    """What code that may be traced tells the one who records it, which is `tracing.recorder`'s."""

    def hear(self, name: str, *args: Any, run: Callable[[], Any] | None = None) -> Any:
        """A call of one of PyTorch's names for Python. `run` runs it, where no operator does."""
        ...

    def hear_operator(self, name: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        """A call of ``aten::<name>`` with tsc's tensors."""
        ...

    def sizes(self, tensor: Any) -> tuple[Any, ...]:
        """The shape, each extent a tensor."""
        ...

    def size(self, tensor: Any, dim: int, extent: int) -> Any:
        """One extent, as a tensor."""
        ...

    def rows(self, tensor: Any) -> Sequence[Any]:
        """What a loop over a tensor goes through."""
        ...

    def call_program(self, function: Any, arguments: Sequence[Any], call: Any) -> Any:
        """A call of a compiled function, or of a method, which stays one. `call` runs it."""
        ...

    def call_library(self, function: Any, arguments: Sequence[Any]) -> Any:
        """A call of a function of the library, given all arguments as programs take them."""
        ...

    def fork(self, function: Callable[..., Any], args: Any, kwargs: Any) -> Any:
        """A call that is to run as a task; gives its future."""
        ...


running: int = 0
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
def recording(recorder: Recorder) -> Generator[None, None, None]:
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
def paused() -> Generator[None, None, None]:
    """What an operator does inside is not recorded."""
    recorder, _of_thread.recorder = _of_thread.recorder, None
    try:
        yield
    finally:
        _of_thread.recorder = recorder
