"""Futures, which ``fork`` gives: a result that may still be on its way; and awaits, which ``_awaitable`` gives: a
function that runs when its result is first waited for.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, Generic, TypeVar, cast

from tsc.compiler.types import ANY, FutureType, Type
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.context.task_threads import TASK_THREADS

_T = TypeVar("_T")
_Other = TypeVar("_Other")


class Future(Generic[_T]):
    """A result that may still be on its way, or the error that came instead of it.

    `tsc.fork` and ``torch.jit.fork`` in programs make them; a program takes and returns them, too. One that Python
    makes with ``Future()`` is ended by `set_result` or `set_exception`. Any thread may ask.
    """

    __module__ = "tsc"
    __slots__ = ("_callbacks", "_ended", "_error", "_lock", "_type", "_value")

    def __init__(self, script_type: Type | None = None) -> None:
        self._type = script_type
        self._lock = threading.Lock()
        self._ended: threading.Event | None = None
        self._callbacks: list[Callable[[Future[_T]], object]] | None = []
        self._value: _T | None = None
        self._error: BaseException | None = None

    @property
    def script_type(self) -> Type:
        """``Future[T]``; of what Python made without saying it, ``Future[Any]``."""
        return FutureType(ANY) if self._type is None else self._type

    @property
    def is_typed(self) -> bool:
        """Whether it is known what comes of it."""
        return self._type is not None

    def done(self) -> bool:
        """Whether there is a result or an error."""
        return self._callbacks is None

    def wait(self) -> _T:
        """The result, as soon as it is there; an error that came instead is raised."""
        self.stand_by()
        if self._error is not None:
            raise _again(self._error)
        return cast("_T", self._value)

    def value(self) -> _T:
        """The same of one that is done. Raises RuntimeError if it is not."""
        if not self.done():
            raise RuntimeError("the result is not there yet: wait() waits for it")
        return self.wait()

    def stand_by(self) -> None:
        """Return as soon as there is a result or an error."""
        if self.done():
            return
        with self._lock:
            if self._ended is None:
                self._ended = threading.Event()
        if not self.done():
            with TASK_THREADS.standing_still():
                self._ended.wait()

    def then(
        self, callback: Callable[[Future[_T]], _Other], script_type: Type | None = None
    ) -> Future[_Other]:
        """The future of what `callback` gives, which is called with this one when it is done."""
        following: Future[_Other] = Future(script_type)

        def go_on(ended: Future[_T]) -> None:
            try:
                following.set_result(callback(ended))
            except Exception as error:  # noqa: BLE001  whoever waits gets it
                following.set_exception(error)

        self.add_done_callback(go_on)
        return following

    def add_done_callback(self, callback: Callable[[Future[_T]], object]) -> None:
        """Call `callback` with this one when it is done, on the thread that ends it; at once if it is."""
        with self._lock:
            if self._callbacks is not None:
                self._callbacks.append(callback)
                return
        callback(self)

    def set_result(self, result: _T) -> None:
        """End with a result. Raises RuntimeError if it has one."""
        self._end(result, None)

    def set_exception(self, error: BaseException) -> None:
        """End with an error, for those who wait to get."""
        self._end(None, error)

    def _end(self, value: _T | None, error: BaseException | None) -> None:
        with self._lock:
            if self._callbacks is None:
                raise RuntimeError("a Future has one result only, and this one has it")
            self._value, self._error = value, error
            callbacks, self._callbacks = self._callbacks, None
            if self._ended is not None:
                self._ended.set()
        for callback in callbacks:
            callback(self)


def _again(error: BaseException) -> BaseException:
    """An error to raise for each who waits: the places it passes through then are noted in it."""
    return error.again() if isinstance(error, ScriptError) else error


class Await:
    """A result that is not there before it is waited for."""

    __slots__ = ("_run", "_value", "script_type")

    def __init__(self, script_type: Type, run: Callable[[], Any]) -> None:
        self.script_type = script_type
        self._run: Callable[[], Any] | None = run
        self._value: Any = None

    def wait(self) -> Any:
        if self._run is not None:
            self._value = self._run()
            self._run = None
        return self._value
