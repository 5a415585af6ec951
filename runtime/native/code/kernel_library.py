"""Kernels as functions in memory. The same text is compiled once; what has not been asked for longest is let go of."""

from __future__ import annotations

import ctypes
import functools
from collections import OrderedDict
from threading import Lock
from typing import Any, Final

from tsc.runtime.native.code.object_code import Loaded, code_of_text, loaded

_MOST_LIBRARIES: Final = 512
_MOST_FUNCTIONS: Final = 512

KernelFunction: Final = ctypes.CFUNCTYPE(
    None, *[ctypes.c_void_p] * 2, *[ctypes.c_int64] * 2, ctypes.c_void_p
)
"""Called with arrays, layout, the part of the first axis, and numbers; other threads run meanwhile."""

_LIBRARIES: Final[OrderedDict[str, Loaded]] = OrderedDict()
_CHANGING: Final = Lock()


def library_of(text: str) -> Loaded:
    """The functions of a module's text: the same ones for all threads, whichever of them was first."""
    made = _LIBRARIES.get(text) or loaded(code_of_text(text), {})
    with _CHANGING:
        kept = _LIBRARIES.setdefault(text, made)
        _LIBRARIES.move_to_end(text)
        if len(_LIBRARIES) > _MOST_LIBRARIES:
            _LIBRARIES.popitem(last=False)
    return kept


@functools.lru_cache(_MOST_FUNCTIONS)
def function_of(text: str, name: str) -> Any:
    """A function of a module's text: a `KernelFunction`, which keeps the module in memory and knows its `address`."""
    library = library_of(text)
    address = library.address(name)
    function: Any = KernelFunction(address)
    function.library, function.address = library, address
    return function


def texts() -> list[str]:
    """The modules of all kernels at hand, in the order in which they were last asked for."""
    with _CHANGING:
        return list(_LIBRARIES)
