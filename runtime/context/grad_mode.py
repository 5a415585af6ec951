"""Whether operations are recorded for gradients: the state behind ``no_grad`` and ``inference_mode``."""

from __future__ import annotations

from contextlib import ContextDecorator
from contextvars import ContextVar
from threading import local
from typing import Any, Final
from weakref import ref

from tsc.runtime.context.gradient_state import InferenceBlock, leaves

_enabled: ContextVar[bool] = ContextVar("grad_enabled", default=True)
"""Of each thread, as in PyTorch: one that begins records."""
_inference: ContextVar[InferenceBlock | None] = ContextVar("inference", default=None)
"""The block of ``inference_mode`` that runs; None outside of it."""


def is_grad_enabled() -> bool:
    return _enabled.get()


def current_inference() -> InferenceBlock | None:
    """What the tensors belong to that are made now, in ``inference_mode``; None outside of it."""
    return _inference.get()


def is_inference_mode_enabled() -> bool:
    return _inference.get() is not None


def set_grad_enabled(enabled: bool) -> None:
    """Record from now on, or do not, in this thread."""
    _enabled.set(enabled)
    if enabled:
        leaves.discard(_here.known)
    else:
        leaves.add(_here.known)


class _Mark:
    """Stands among the leaves while ``no_grad`` holds in a thread."""

    __slots__ = ("__weakref__",)


class _Here(local):
    """The mark of this thread, which ends with it, whatever holds then."""

    def __init__(self) -> None:
        self.mark = _Mark()
        self.known = ref(self.mark, leaves.discard)
        # A reference keeps the hash it was asked for: without one it is not found once the mark is gone.
        hash(self.known)


_here: Final = _Here()


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
        set_grad_enabled(False)

    def __exit__(self, *_error: object) -> None:
        *outer, previous = _restored.get()
        _restored.set(tuple(outer))
        set_grad_enabled(previous)


class EnableGrad(NoGrad):
    """``with tsc.enable_grad():`` records inside of ``no_grad``; it decorates functions as well."""

    def __enter__(self) -> None:
        super().__enter__()
        set_grad_enabled(_inference.get() is None)


class SetGradEnabled(NoGrad):
    """``tsc.set_grad_enabled(mode)`` sets the mode at once; in a ``with`` statement it is taken back at the end."""

    def __init__(self, mode: bool) -> None:
        super().__init__()
        self._mode = bool(mode)
        self._before = _enabled.get()
        self._set()

    def __enter__(self) -> None:
        set_grad_enabled(self._before)
        super().__enter__()
        self._set()

    def _set(self) -> None:
        set_grad_enabled(self._mode and _inference.get() is None)


class InferenceMode(NoGrad):
    """``with tsc.inference_mode():`` records nothing, nor may what is made in it be saved for gradients later.

    It decorates functions as well, without parentheses, too.
    """

    def __new__(cls, mode: Any = True) -> Any:
        return cls()(mode) if callable(mode) else super().__new__(cls)

    def __init__(self, mode: bool = True) -> None:
        super().__init__()
        self._mode = bool(mode)

    def __enter__(self) -> None:
        super().__enter__()
        _inference_restored.set((*_inference_restored.get(), _inference.get()))
        set_grad_enabled(not self._mode)
        if not self._mode:
            _inference.set(None)
        elif _inference.get() is None:
            _inference.set(InferenceBlock())

    def __exit__(self, *error: object) -> None:
        *outer, previous = _inference_restored.get()
        _inference_restored.set(tuple(outer))
        _inference.set(previous)
        super().__exit__(*error)


_restored: ContextVar[tuple[bool, ...]] = ContextVar("grad_enabled_before", default=())
"""The states that the ``with`` statements around restore, the innermost last."""
_inference_restored: ContextVar[tuple[InferenceBlock | None, ...]] = ContextVar(
    "inference_before", default=()
)

HOST_CLASSES = {"__torch__.torch.autograd.grad_mode.no_grad": NoGrad}
"""Classes of PyTorch that programs may use and that Python implements here, by qualified name."""
