"""How an error of tsc that nobody catches is shown: its traceback ends at the call in the user's code.

`install` puts a hook before the one that the process has, which still does the printing. Whoever
catches an error finds its traceback whole.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from types import TracebackType

_PROGRAM = "__torch__"
"""The module that functions of programs say they are of."""
_NUMPY = f"{os.sep}numpy{os.sep}"
_STANDARD_LIBRARY = f"{Path(os.__file__).parent}{os.sep}"
_PACKAGE = Path(__file__).parent.parent
_OWN = (
    *(f"{_PACKAGE / room}{os.sep}" for room in ("compiler", "runtime")),
    f"{_PACKAGE / '__init__.py'}",
)
"""Not the whole folder: in a checkout scripts of users may lie beside the package."""


def install() -> None:
    """Let uncaught errors of tsc be shown without frames of tsc, unless someone debugs it."""
    previous = sys.excepthook

    def show(
        kind: type[BaseException], error: BaseException, traceback: TracebackType | None
    ) -> None:
        if traceback is not None and _is_of_tsc(kind) and not _is_debugging():
            traceback = trimmed(traceback)
            error = error.with_traceback(traceback)
            error.__suppress_context__ = True
            error.__cause__ = None
        previous(kind, error, traceback)

    sys.excepthook = show


def trimmed(traceback: TracebackType) -> TracebackType:
    """The part before the last frames, which are tsc's own; all of it if there is none before."""
    frames: list[TracebackType] = []
    following: TracebackType | None = traceback
    while following is not None:
        frames.append(following)
        following = following.tb_next
    while frames and _is_own(frames[-1]):
        frames.pop()
    kept: TracebackType | None = None
    for each in reversed(frames):
        kept = TracebackType(kept, each.tb_frame, each.tb_lasti, each.tb_lineno)
    return kept or traceback


def is_raised_by_tsc(error: BaseException) -> bool:
    """Whether code of tsc raised it, or what that called of other packages; not code of the user that tsc called."""
    files: list[str] = []
    following = error.__traceback__
    while following is not None:
        files.append(following.tb_frame.f_code.co_filename)
        following = following.tb_next
    while files and (files[-1].startswith((_STANDARD_LIBRARY, "<frozen")) or _NUMPY in files[-1]):
        files.pop()
    return bool(files) and files[-1].startswith(_OWN)


def _is_own(traceback: TracebackType) -> bool:
    """Whether a frame runs code of tsc, of a program, whose places its error tells, or of what tsc uses."""
    frame = traceback.tb_frame
    if frame.f_globals.get("__name__") == _PROGRAM:
        return True
    filename = frame.f_code.co_filename
    if filename.startswith(_STANDARD_LIBRARY):
        return "site-packages" not in filename or _NUMPY in filename
    return filename.startswith((*_OWN, "<tsc", "<frozen")) or _NUMPY in filename


def _is_of_tsc(kind: type[BaseException]) -> bool:
    """Whether it is a `tsc.Error`; asked by name, since the class may not be loaded."""
    return any((each.__module__, each.__qualname__) == ("tsc", "Error") for each in kind.__mro__)


def _is_debugging() -> bool:
    return bool(os.environ.get("TSC_DEBUG")) or "--debug" in sys.argv
