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


class GradMode:
    """``with GradMode(enabled):`` records, or does not, in this thread; then it is as it was before."""

    __slots__ = ("_before", "_enabled")

    def __init__(self, enabled: bool) -> None:
        self._enabled = enabled

    def __enter__(self) -> None:
        self._before = _enabled.get()
        _enabled.set(self._enabled)

    def __exit__(self, *_error: object) -> None:
        _enabled.set(self._before)


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


class EnableGrad(NoGrad):
    """``with tsc.enable_grad():`` records inside of ``no_grad``; it decorates functions as well."""

    def __enter__(self) -> None:
        super().__enter__()
        _enabled.set(True)


class SetGradEnabled(NoGrad):
    """``tsc.set_grad_enabled(mode)`` sets the mode at once; in a ``with`` statement it is taken back at the end."""

    def __init__(self, mode: bool) -> None:
        super().__init__()
        self._mode = bool(mode)
        self._before = _enabled.get()
        _enabled.set(self._mode)

    def __enter__(self) -> None:
        _enabled.set(self._before)
        super().__enter__()
        _enabled.set(self._mode)


class InferenceMode(NoGrad):
    """``with tsc.inference_mode():`` records nothing; tensors made in it are tensors like all others here."""

    def __init__(self, mode: bool = True) -> None:
        super().__init__()
        self._mode = bool(mode)

    def __enter__(self) -> None:
        super().__enter__()
        _enabled.set(not self._mode)


_restored: ContextVar[tuple[bool, ...]] = ContextVar("grad_enabled_before", default=())
"""The states that the ``with`` statements around restore, the innermost last."""

HOST_CLASSES = {"__torch__.torch.autograd.grad_mode.no_grad": NoGrad}
"""Classes of PyTorch that programs may use and that Python implements here, by qualified name."""
