"""Whether operations are recorded for gradients: the state behind ``torch.no_grad()``."""

from __future__ import annotations

from contextlib import ContextDecorator
from contextvars import ContextVar

_enabled: ContextVar[bool] = ContextVar("grad_enabled", default=True)
"""Of each thread, as in PyTorch: one that begins records."""


def is_grad_enabled() -> bool:
    return _enabled.get()


def set_grad_enabled(enabled: bool) -> None:
    _enabled.set(enabled)


class NoGrad(ContextDecorator):
    """The object of ``with torch.no_grad():``; from Python it decorates functions as well.

    One object may be used by several threads, so what it restores is kept beside the state.
    ``script_attributes`` are what graphs set of it, and nothing reads.
    """

    def __init__(self) -> None:
        self.script_attributes: dict[str, object] = {}

    def __enter__(self) -> None:
        _restored.set((*_restored.get(), _enabled.get()))
        _enabled.set(False)

    def __exit__(self, *_error: object) -> None:
        *outer, previous = _restored.get()
        _restored.set(tuple(outer))
        _enabled.set(previous)


_restored: ContextVar[tuple[bool, ...]] = ContextVar("grad_enabled_before", default=())
"""The states that the ``with`` statements around restore, the innermost last."""

HOST_CLASSES = {"__torch__.torch.autograd.grad_mode.no_grad": NoGrad}
"""Classes of PyTorch that programs may use and that Python implements here, by qualified name."""
