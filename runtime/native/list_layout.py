"""Where the interpreter keeps the length and the items of a list; tried on a real one before anything relies on it."""

from __future__ import annotations

import ctypes
import functools
import sysconfig
from typing import Final

LENGTH_IN_OBJECT: Final = 16
"""Bytes in front of the length."""
ITEMS_IN_OBJECT: Final = 24
"""Bytes in front of the address of the items, which are addresses."""
_WORD: Final = 8


@functools.cache
def lists_are_as_expected() -> bool:
    """Whether lists are laid out as native code has it, and a thread that runs has them for itself."""
    if ctypes.sizeof(ctypes.c_void_p) != _WORD or sysconfig.get_config_var("Py_GIL_DISABLED"):
        return False
    items = [object(), object(), object()]
    if _word(id(items) + LENGTH_IN_OBJECT) != len(items):
        return False
    first = _word(id(items) + ITEMS_IN_OBJECT)
    return [_word(first + _WORD * place) for place in range(len(items))] == list(map(id, items))


def _word(address: int) -> int:
    return ctypes.c_int64.from_address(address).value
