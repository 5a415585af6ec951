"""Where the interpreter keeps the letters of a string; tried on real ones before anything relies on it.

Letters have one, two or four bytes each, the same for a string. They follow the header, which is shorter where all are
ASCII; of strings of derived classes an address stands behind the longer header.
"""

from __future__ import annotations

import ctypes
import functools
import sys
from typing import Final

from tsc.runtime.native.code.interpreter import WORD, word_at

LENGTH_IN_TEXT: Final = 16
"""Bytes in front of the length."""
STATE_IN_TEXT: Final = 32
"""Bytes in front of the bits of 32 that say how letters are held."""
WIDTH_SHIFT, WIDTH_BITS = 2, 7
"""How many bits are in front of the bytes of a letter, and a mask of these."""
COMPACT, ASCII = 1 << 5, 1 << 6
ASCII_HEADER: Final = sys.getsizeof("") - 1
HEADER: Final = sys.getsizeof("\u0100") - 4
"""The bytes of headers; what follows has a letter of zero at the end."""


class _Derived(str):
    __slots__ = ()


@functools.cache
def texts_are_as_expected() -> bool:
    """Whether strings are laid out as native code has it."""
    if ctypes.sizeof(ctypes.c_void_p) != WORD or sys.implementation.name != "cpython":
        return False
    samples = [
        "",
        "a",
        "key",
        "\u00e9t\u00e9",
        "\u0100b",
        "\U0001f600z",
        _Derived("abc"),
        _Derived("\u0101"),
    ]
    return all(_read(each) == list(map(ord, each)) for each in samples)


def _read(text: str) -> list[int]:
    """The letters of a string as native code finds them, or none."""
    state = ctypes.c_uint32.from_address(id(text) + STATE_IN_TEXT).value
    width = state >> WIDTH_SHIFT & WIDTH_BITS
    kind = {1: ctypes.c_uint8, 2: ctypes.c_uint16, 4: ctypes.c_uint32}.get(width)
    if kind is None or word_at(id(text) + LENGTH_IN_TEXT) != len(text):
        return [-1]
    if state & COMPACT:
        begin = id(text) + (ASCII_HEADER if state & ASCII else HEADER)
    elif isinstance(text, _Derived):
        begin = word_at(id(text) + HEADER)
    else:
        return [-1]
    return list((kind * len(text)).from_address(begin))
