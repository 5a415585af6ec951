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
    " might cause the trace to be incorrect. We can't record the data flow of Python values, so this "
    "value will be treated as a constant in the future. This means that the trace might not generalize "
    "to other inputs!"
)
CONSTRUCTOR: Final = (
    " results are registered as constants in the trace. You can safely ignore this warning if you use "
    "this function to create tensors out of constant variables that would be the same every time you "
    "call this function. In any other case, this might cause the trace to be incorrect."
)
CONTAINER: Final = (
    " might cause the trace to be incorrect, this is only valid if the container structure does not "
    "change based on the module's inputs. Consider using a constant container instead (e.g. for "
    "`list`, use a `tuple` instead. for `dict`, use a `NamedTuple` instead). If you absolutely need "
    "this and know the side effects, pass strict=False to trace() to allow this behavior."
)
ITERATION: Final = (
    "Iterating over a tensor might cause the trace to be incorrect. Passing a tensor of different "
    "shape won't change the number of iterations executed (and might lead to errors or silently give "
    "incorrect results)."
)
LENGTH: Final = (
    "Using len to get tensor shape might cause the trace to be incorrect. Recommended usage would be "
    "tensor.shape[0]. Passing a tensor of different shape might lead to errors or silently give "
    "incorrect results."
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
    """Whether a frame is tsc's, or hands over from PyTorch's function to tsc's."""
    if frame.f_code.co_filename.startswith(_FOLDERS):
        return True
    return frame.f_globals.get("__name__") == "torch.overrides"


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
