"""Where the interpreter keeps the content of numbers and tuples; tried on real ones before anything relies on it."""

from __future__ import annotations

import ctypes
import functools
import sys
from typing import Final

from tsc.runtime.native.code.interpreter import WORD, word_at

CLASS_IN_OBJECT: Final = 8
"""Bytes in front of the address of an object's class."""
FLOAT_IN_OBJECT: Final = 16
HEAD_OF_INT: Final = 16
"""Bytes in front of a word that tells the sign of an int and how many digits it has."""
DIGIT_OF_INT: Final = 24
"""Bytes in front of the first digit, of 32 bits."""
BITS_OF_DIGIT: Final = 30
DIGITS_OF_WORD: Final = 3
"""Digits that an int of 64 bits has at most."""
WORDS_OF_PASSING_INT: Final = 5
"""Room for an int of so many digits."""
HEAD_HAS_TAG: Final = sys.version_info >= (3, 12)
"""Whether the head of an int of at most one digit is below 16, and its lowest two bits are one less its sign; it is the
sign else."""
SMALL_INTS: Final = range(-5, 257)
"""Ints of which there is one object each."""
BYTES_OF_SMALL_INT: Final = 32
SMALL_INTS_ARE_COUNTED: Final = sys.version_info < (3, 12)
"""Whether references to them are counted."""
LENGTH_OF_TUPLE: Final = 16
ITEMS_OF_TUPLE: Final = 24


@functools.cache
def numbers_are_as_expected() -> bool:
    """Whether numbers and tuples are laid out as native code has it."""
    if ctypes.sizeof(ctypes.c_void_p) != WORD or sys.implementation.name != "cpython":
        return False
    ints = [0, 1, -1, 7, -300, (1 << 30) - 1, 1 - (1 << 30), 1 << 30, -(1 << 30), 1 << 62]
    return all(map(_is_read_right, ints)) and _float_is_read_right() and _tuple_is_read_right()


@functools.cache
def small_ints_lie_in_a_row() -> bool:
    """Whether each small int has a place that is known by that of zero."""
    made = [int(str(number)) for number in SMALL_INTS]
    places = [id(0) + BYTES_OF_SMALL_INT * number for number in SMALL_INTS]
    return numbers_are_as_expected() and list(map(id, made)) == places


def _is_read_right(number: int) -> bool:
    is_small = abs(number) < 1 << 30
    return _int_of(id(number)) == (number if is_small else None)


def _int_of(address: int) -> int | None:
    """An int of at most one digit as native code finds it."""
    head = ctypes.c_int64.from_address(address + HEAD_OF_INT).value
    digit = ctypes.c_uint32.from_address(address + DIGIT_OF_INT).value
    if HEAD_HAS_TAG:
        return (1 - (head & 3)) * digit if 0 <= head < 16 else None
    return head * digit if -1 <= head <= 1 else None


def _float_is_read_right() -> bool:
    number = 1.5
    held = ctypes.c_double.from_address(id(number) + FLOAT_IN_OBJECT).value
    return held == number and word_at(id(number) + CLASS_IN_OBJECT) == id(float)


def _tuple_is_read_right() -> bool:
    items = (object(), object())
    places = [ITEMS_OF_TUPLE + WORD * place for place in range(len(items))]
    found = [word_at(id(items) + place) for place in (LENGTH_OF_TUPLE, *places)]
    return found == [len(items), *map(id, items)]
