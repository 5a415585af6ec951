"""Doors to the interpreter: words in its memory, addresses of its functions, and new built-in functions."""

from __future__ import annotations

import ctypes
import functools
from collections.abc import Callable
from typing import Any, Final

WORD: Final = 8
"""Bytes of an address or an integer."""
_FAST_CALL: Final = 0x80
"""METH_FASTCALL: the function takes its owner, an array of arguments and their number."""


class _Definition(ctypes.Structure):
    """How CPython is told of a built-in function."""

    _fields_ = (
        ("name", ctypes.c_char_p),
        ("function", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("text", ctypes.c_char_p),
    )


def word_at(address: int) -> int:
    """The word that lies there."""
    return ctypes.c_uint64.from_address(address).value


def address_of(function: Any) -> int:
    """Where a function of a library begins."""
    address = ctypes.cast(function, ctypes.c_void_p).value
    assert address is not None
    return address


def interpreter_function(name: str) -> int:
    """Where one of the interpreter's C functions begins."""
    return address_of(getattr(ctypes.pythonapi, name))


def builtin_function(address: int, owner: object = None) -> Callable[..., Any]:
    """What Python calls the code at an address as; the code is given the owner with the arguments.

    Whoever holds the function holds the code too.
    """
    return _make_function()(ctypes.addressof(_definition(address)), owner, None)


@functools.cache
def _definition(address: int) -> _Definition:
    """Kept for good: functions look at theirs when they are let go of."""
    return _Definition(b"native", address, _FAST_CALL, None)


@functools.cache
def _make_function() -> Any:
    return ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p)(
        ("PyCFunction_NewEx", ctypes.pythonapi)
    )
