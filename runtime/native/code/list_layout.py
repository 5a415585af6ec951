"""Where the interpreter keeps the length and the items of a list; tried on a real one before anything relies on it."""

from __future__ import annotations

import ctypes
import functools
import sysconfig
from typing import Final

from tsc.runtime.native.code.interpreter import WORD, word_at

LENGTH_IN_OBJECT: Final = 16
"""Bytes in front of the length."""
ITEMS_IN_OBJECT: Final = 24
"""Bytes in front of the address of the items, which are addresses."""


@functools.cache
def lists_are_as_expected() -> bool:
    """Whether lists are laid out as native code has it, and a thread that runs has them for itself."""
    if ctypes.sizeof(ctypes.c_void_p) != WORD or sysconfig.get_config_var("Py_GIL_DISABLED"):
        return False
    items = [object(), object(), object()]
    if word_at(id(items) + LENGTH_IN_OBJECT) != len(items):
        return False
    first = word_at(id(items) + ITEMS_IN_OBJECT)
    return [word_at(first + WORD * place) for place in range(len(items))] == list(map(id, items))
