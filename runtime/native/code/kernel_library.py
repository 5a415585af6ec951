"""Kernels as functions in memory. The same text is compiled once; what has not been asked for longest is let go of."""

from __future__ import annotations

import ctypes
import functools
from typing import Final

from tsc.runtime.native.code.object_code import Loaded, code_of_text, loaded

_MOST_LIBRARIES: Final = 512

KernelFunction: Final = ctypes.CFUNCTYPE(
    None, *[ctypes.c_void_p] * 2, *[ctypes.c_int64] * 2, ctypes.c_void_p
)
"""Called with arrays, layout, the part of the first axis, and numbers; other threads run meanwhile."""


@functools.lru_cache(maxsize=_MOST_LIBRARIES)
def library_of(text: str) -> Loaded:
    """The functions of a module's text."""
    return loaded(code_of_text(text), {})
