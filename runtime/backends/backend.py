"""What a backend is: what it takes of a program, and how it computes that."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Final, Protocol

from tsc.compiler.exir.node import Node
from tsc.compiler.source import Error, UsageError
from tsc.runtime.exported.program import LoadedProgram
from tsc.runtime.values.tensor import Tensor

Compute = Callable[[Sequence[Any]], Sequence[Tensor]]
"""The results of a part of a program, for the operands it has."""


class BackendError(Error):
    """A backend that is not installed, or that fails on a program that it took."""

    __module__ = "tsc"


@dataclass(frozen=True, slots=True)
class NotTaken(Exception):
    """A part that a backend does not take after all: the nodes by name, and why; no nodes are all of it."""

    reasons: Mapping[str, str]


class Backend(Protocol):
    """The module of a backend."""

    def refusals(self, program: LoadedProgram) -> dict[Node, str]:
        """The calls that it does not take, and why."""
        ...

    def compiled(self, part: LoadedProgram) -> Compute:
        """What computes a part. Raises `NotTaken`."""
        ...


BACKENDS: Final = ("native", "onnxruntime", "openvino")
"""Their names."""
_HOME: Final = {"native": "native_plans", "onnxruntime": "onnx_runtime", "openvino": "open_vino"}


def backend_named(name: str) -> Backend:
    """The backend of this name. Raises `UsageError`, and `BackendError` where its package is not installed."""
    if name not in _HOME:
        raise UsageError(f"there is no backend {name!r}; there are {', '.join(BACKENDS)}")
    try:
        return import_module(f"tsc.runtime.backends.{_HOME[name]}").BACKEND  # type: ignore[no-any-return]
    except ImportError as error:
        extra = "openvino" if name == "openvino" else "onnx"
        raise BackendError(
            f"the backend {name} needs the package {error.name}: pip install 'tsc-torchscript[{extra}]'"
        ) from None
