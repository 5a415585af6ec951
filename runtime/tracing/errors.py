"""What tracing raises and warns of, and where in the user's code."""

from __future__ import annotations

import os
import sys
import warnings
from pathlib import Path
from types import FrameType
from typing import Final

import tsc.compiler
import tsc.runtime
from tsc.compiler.source import Error

_FOLDERS: Final = tuple(
    f"{Path(package.__file__ or '').parent}{os.sep}" for package in (tsc.compiler, tsc.runtime)
)

DATA_FLOW: Final = (
    " might cause the trace to be incorrect: a Python value is no part of a trace, which keeps the one "
    "it has now as a constant, also for other inputs. Compile what depends on it with script"
)
CONSTRUCTOR: Final = (
    " results are registered as constants in the trace. That is right if every call makes the same "
    "tensor; if it depends on the inputs, this might cause the trace to be incorrect"
)
CONTAINER: Final = (
    " might cause the trace to be incorrect: the trace keeps the number of items and the keys "
    "of this call, whatever the inputs. Return a `tuple` for a `list` or a `NamedTuple` for a `dict`, or "
    "pass strict=False to trace() if they are always the same"
)
ITERATION: Final = (
    "Iterating over a tensor might cause the trace to be incorrect: it runs as often for tensors of "
    "other shapes. Compile the loop with script"
)
LENGTH: Final = (
    "Using len to get tensor shape might cause the trace to be incorrect: the length becomes a "
    "constant. tensor.shape[0] is recorded"
)


class TracerWarning(Warning):
    """A trace may not do for other inputs what the function does."""


class TracingError(Error):
    """A function cannot be traced."""


class UntracedOperator(TracingError):
    """The traced function runs an operator that tsc has not."""


class TracingCheckError(Error):
    """A second run of a traced function was recorded differently from the first."""


def user_frame() -> FrameType:
    """The innermost frame of Python that is not tsc's own."""
    frame = sys._getframe(1)
    while frame.f_back is not None and _is_between(frame):
        frame = frame.f_back
    return frame


def _is_between(frame: FrameType) -> bool:
    """Whether a frame is tsc's, or hands over to tsc's: NumPy's decorators, PyTorch's functions."""
    if frame.f_code.co_filename.startswith(_FOLDERS):
        return True
    module = frame.f_globals.get("__name__", "")
    return module.startswith("numpy.") or module in ("torch.overrides", "torch.jit._async")


def warn(message: str) -> None:
    """Warn at the user's line. PyTorch's layers look at shapes to check them: of them nothing is said."""
    frame = user_frame()
    module = frame.f_globals.get("__name__", "<unknown>")
    if module.startswith("torch.") and not module.startswith("torch.jit"):
        return
    warnings.warn_explicit(
        message,
        TracerWarning,
        frame.f_code.co_filename,
        frame.f_lineno,
        module=module,
        registry=frame.f_globals.setdefault("__warningregistry__", {}),
    )
