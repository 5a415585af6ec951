"""Calls of functions, methods and exported programs that a backend computes, for ``tsc run --backend``."""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable

from tsc.runtime.context.hooks import backends
from tsc.runtime.programs.source_unit import SourceUnit


@runtime_checkable
class BackendCall(Protocol):
    """A call, and what of it a backend computes."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

    def report(self, *args: Any, **kwargs: Any) -> str: ...


def handed_over(unit: SourceUnit, chosen: Any, backend: str) -> BackendCall:
    """`chosen` of a unit with a backend. Raises `UsageError` and `BackendError`."""
    program = getattr(unit, "program", None)
    return backends().call_of(program or getattr(chosen, "method", chosen), backend)
