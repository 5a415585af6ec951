"""Memory of arrays, charged to a budget before NumPy takes it.

NumPy takes the memory of an array's elements through a handler that belongs to the context (NEP 49). Here it is
one that asks the budget first and then does what NumPy's own does; giving back goes to NumPy's own at once, so
arrays may outlive the budget. The two functions are reached through NumPy's table for extensions, whose places
are part of its binary interface.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from typing import Any

from tsc.compiler.budget import WATCH, Budget, LimitReached, current_limits

_SET_HANDLER, _GET_HANDLER = 304, 305  # places in NumPy's table
_NAME = b"mem_handler"
_SIZE = ctypes.c_size_t
_POINTER = ctypes.c_void_p

_Malloc = (_POINTER, _POINTER, _SIZE)
_Calloc = (_POINTER, _POINTER, _SIZE, _SIZE)
_Realloc = (_POINTER, _POINTER, _POINTER, _SIZE)


class _Handler(ctypes.Structure):
    """``PyDataMem_Handler`` of NumPy's C headers."""

    _fields_ = (
        ("name", ctypes.c_char * 127),
        ("version", ctypes.c_uint8),
        ("context", _POINTER),
        ("malloc", _POINTER),
        ("calloc", _POINTER),
        ("realloc", _POINTER),
        ("free", _POINTER),
    )


@contextmanager
def charged_allocations(budget: Budget) -> Generator[None]:
    """Within the ``with`` statement, arrays of this thread are paid from the open budget."""
    install, handler = _asking_handler()
    before = install(handler)
    try:
        yield
    except MemoryError:
        budget.check()  # which says so, if it was the budget that refused
        raise
    finally:
        install(before)


def watch_allocations() -> None:
    """Let budgets hear of the memory that arrays take, from now on."""
    WATCH.allocations = charged_allocations


@cache
def _asking_handler() -> tuple[Callable[[Any], Any], Any]:
    """What sets NumPy's handler and returns the one before, and the handler that asks the budget."""
    numpy = import_module(
        "numpy._core._multiarray_umath"
    )  # where extensions look for the table, too

    python = ctypes.pythonapi
    address_of = ctypes.PYFUNCTYPE(_POINTER, ctypes.py_object, ctypes.c_char_p)(
        ("PyCapsule_GetPointer", python)
    )
    capsule_of = ctypes.PYFUNCTYPE(ctypes.py_object, _POINTER, ctypes.c_char_p, _POINTER)(
        ("PyCapsule_New", python)
    )
    table = ctypes.cast(address_of(numpy._ARRAY_API, None), ctypes.POINTER(_POINTER))
    install = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.py_object)(table[_SET_HANDLER] or 0)
    current = ctypes.PYFUNCTYPE(ctypes.py_object)(table[_GET_HANDLER] or 0)
    own = _Handler.from_address(address_of(current(), _NAME))
    handler = _Handler.from_buffer_copy(own)
    handler.name = b"tsc"
    callbacks = _callbacks(own)
    handler.malloc, handler.calloc, handler.realloc = (
        ctypes.cast(each, _POINTER).value for each in callbacks
    )
    _KEPT.extend((handler, *callbacks))
    return install, capsule_of(ctypes.addressof(handler), _NAME, None)


_KEPT: list[Any] = []
"""What NumPy points to for as long as an array lives."""


def _callbacks(own: _Handler) -> tuple[Any, Any, Any]:
    """Each asks the budget, and then NumPy's own function, which wants Python's lock held."""
    malloc = ctypes.PYFUNCTYPE(*_Malloc)(own.malloc or 0)
    calloc = ctypes.PYFUNCTYPE(*_Calloc)(own.calloc or 0)
    realloc = ctypes.PYFUNCTYPE(*_Realloc)(own.realloc or 0)

    def asking_malloc(context: int, size: int) -> int | None:
        return malloc(context, size) if _is_granted(size) else None

    def asking_calloc(context: int, count: int, size: int) -> int | None:
        return calloc(context, count, size) if _is_granted(count * size) else None

    def asking_realloc(context: int, place: int, size: int) -> int | None:
        return realloc(context, place, size) if _is_granted(size) else None

    return (
        ctypes.CFUNCTYPE(*_Malloc)(asking_malloc),
        ctypes.CFUNCTYPE(*_Calloc)(asking_calloc),
        ctypes.CFUNCTYPE(*_Realloc)(asking_realloc),
    )


def _is_granted(size: int) -> bool:
    budget = current_limits().budget
    if budget is None:
        return True
    try:
        budget.reserve(size)
    except LimitReached:
        return False  # NumPy raises a MemoryError
    return True
