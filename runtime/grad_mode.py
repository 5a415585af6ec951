"""Whether operations are recorded for gradients: the state behind ``torch.no_grad()``."""

from __future__ import annotations

from contextlib import ContextDecorator


class _GradMode:
    """The state of the process."""

    __slots__ = ("enabled",)

    def __init__(self) -> None:
        self.enabled = True


_mode = _GradMode()


def is_grad_enabled() -> bool:
    return _mode.enabled


def set_grad_enabled(enabled: bool) -> None:
    _mode.enabled = enabled


class NoGrad(ContextDecorator):
    """The object of ``with torch.no_grad():``; from Python it decorates functions as well."""

    def __init__(self) -> None:
        self._previous: list[bool] = []

    def __enter__(self) -> None:
        self._previous.append(_mode.enabled)
        _mode.enabled = False

    def __exit__(self, *_error: object) -> None:
        _mode.enabled = self._previous.pop()


HOST_CLASSES = {"__torch__.torch.autograd.grad_mode.no_grad": NoGrad}
"""Classes of PyTorch that programs may use and that Python implements here, by qualified name."""
