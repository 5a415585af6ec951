"""Whatever can be called, with a backend: a function, a method, or an exported program."""

from __future__ import annotations

from typing import Any

from tsc.runtime.backends.backend import backend_named
from tsc.runtime.backends.calls import BackendFunction
from tsc.runtime.backends.handing_over import BackendProgram, to_backend
from tsc.runtime.exported.program import LoadedProgram


def call_of(program: Any, backend: str) -> BackendFunction | ProgramCall:
    """Raises `UsageError` for a backend that is not known, and `BackendError` for one that is not installed."""
    backend_named(backend)
    if isinstance(program, LoadedProgram):
        return ProgramCall(to_backend(program, backend))
    return BackendFunction(program, backend)


class ProgramCall:
    """A call of an exported program that was handed over."""

    def __init__(self, program: BackendProgram) -> None:
        self._program = program
        self._module = program.module()

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._module(*args, **kwargs)

    def report(self, *_args: Any, **_kwargs: Any) -> str:
        """What the backend computes, and what not and why."""
        return self._program.report()
