"""Memory whose neighbours may not be touched: each block has pages of its own, next to pages that nobody may use.

NumPy's arrays, the items of Python's lists and the lists of native code can all be given it, so that whoever reads or
writes beyond them is killed by SIGSEGV; so is whoever uses a block after it was freed, for no page is used twice.
"""

from __future__ import annotations

import ctypes
import functools
import mmap
import sys
from array import array as words
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any, Final

from tsc.runtime.context.hooks import code_making
from tsc.runtime.native.regions import regions

IS_POSSIBLE: Final = sys.platform == "linux"
_PAGES: Final = 1 << 24
"""Reserved; a page is taken once."""
_RESERVED: Final = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x4000
"""With MAP_NORESERVE, which Python names from 3.13 on only."""
_FIXED: Final = 0x10
"""MAP_FIXED."""
BASE, END, NEXT, SIZES, ACTIVE, AT_BEGIN = range(6)
"""The words of the state: the reserved pages, the next that is free, how large the block of a page is, whether blocks
are to be guarded, and whether they begin where their pages do; they end there otherwise."""
_OF_LISTS, _OF_RAW_MEMORY = 1, 0
"""Domains of CPython's memory."""
_SET_HANDLER: Final = 304
"""The place of `PyDataMem_SetHandler` among NumPy's C functions."""

_TEXT: Final = f"""
%Context = type {{ ptr, ptr, ptr, ptr, ptr, ptr, i64 }}
declare i32 @mprotect(ptr, i64, i32)
declare ptr @mmap(ptr, i64, i32, i32, i32, i64)
declare ptr @memcpy(ptr, ptr, i64)

define internal i64 @word(ptr %context, i64 %number) {{
  %place = getelementptr %Context, ptr %context, i64 0, i32 5
  %state = load ptr, ptr %place
  %at = getelementptr i64, ptr %state, i64 %number
  %word = load i64, ptr %at
  ret i64 %word
}}
define internal ptr @fallback(ptr %context, i64 %number) {{
  %at = getelementptr ptr, ptr %context, i64 %number
  %found = load ptr, ptr %at
  ret ptr %found
}}
define internal i64 @pages(i64 %size) {{
  %more = add i64 %size, 4095
  %all = lshr i64 %more, 12
  %none = icmp eq i64 %all, 0
  %pages = select i1 %none, i64 1, i64 %all
  ret i64 %pages
}}
define internal ptr @take(ptr %context, i64 %wanted) {{
  %mask_at = getelementptr %Context, ptr %context, i64 0, i32 6
  %mask = load i64, ptr %mask_at
  %up = add i64 %wanted, %mask
  %off = xor i64 %mask, -1
  %size = and i64 %up, %off
  %pages = call i64 @pages(i64 %size)
  %place = getelementptr %Context, ptr %context, i64 0, i32 5
  %state = load ptr, ptr %place
  %next_at = getelementptr i64, ptr %state, i64 {NEXT}
  %begin = load i64, ptr %next_at
  %bytes = shl i64 %pages, 12
  %end = add i64 %begin, %bytes
  %guarded = add i64 %end, 4096
  store i64 %guarded, ptr %next_at
  %memory = inttoptr i64 %begin to ptr
  call i32 @mprotect(ptr %memory, i64 %bytes, i32 3)
  %at_begin = call i64 @word(ptr %context, i64 {AT_BEGIN})
  %is_last = icmp eq i64 %at_begin, 0
  %empty = icmp eq i64 %size, 0
  %back = sub i64 %end, %size
  %ends = or i1 %is_last, %empty
  %made = select i1 %ends, i64 %back, i64 %begin
  call void @note(ptr %context, i64 %made, i64 %size)
  %block = inttoptr i64 %made to ptr
  ret ptr %block
}}
define internal ptr @size_at(ptr %context, i64 %block) {{
  %base = call i64 @word(ptr %context, i64 {BASE})
  %sizes = call i64 @word(ptr %context, i64 {SIZES})
  %far = sub i64 %block, %base
  %page = lshr i64 %far, 12
  %offset = shl i64 %page, 3
  %at = add i64 %sizes, %offset
  %place = inttoptr i64 %at to ptr
  ret ptr %place
}}
define internal void @note(ptr %context, i64 %block, i64 %size) {{
  %place = call ptr @size_at(ptr %context, i64 %block)
  store i64 %size, ptr %place
  ret void
}}
define internal i64 @size_of(ptr %context, ptr %block) {{
  %at = ptrtoint ptr %block to i64
  %place = call ptr @size_at(ptr %context, i64 %at)
  %size = load i64, ptr %place
  ret i64 %size
}}
define internal i1 @is_own(ptr %context, ptr %block) {{
  %base = call i64 @word(ptr %context, i64 {BASE})
  %end = call i64 @word(ptr %context, i64 {END})
  %at = ptrtoint ptr %block to i64
  %after = icmp uge i64 %at, %base
  %before = icmp ult i64 %at, %end
  %own = and i1 %after, %before
  ret i1 %own
}}
define internal void @give(ptr %context, ptr %block) {{
  %size = call i64 @size_of(ptr %context, ptr %block)
  %at = ptrtoint ptr %block to i64
  %empty = icmp eq i64 %size, 0
  %shift = select i1 %empty, i64 4096, i64 0
  %inside = sub i64 %at, %shift
  %begin = and i64 %inside, -4096
  %pages = call i64 @pages(i64 %size)
  %bytes = shl i64 %pages, 12
  %memory = inttoptr i64 %begin to ptr
  call ptr @mmap(ptr %memory, i64 %bytes, i32 0, i32 {_RESERVED | _FIXED}, i32 -1, i64 0)
  ret void
}}
define ptr @guarded_malloc(ptr %context, i64 %size) {{
  %active = call i64 @word(ptr %context, i64 {ACTIVE})
  %plain = icmp eq i64 %active, 0
  br i1 %plain, label %other, label %own
other:
  %inner = call ptr @fallback(ptr %context, i64 0)
  %function = call ptr @fallback(ptr %context, i64 1)
  %found = call ptr %function(ptr %inner, i64 %size)
  ret ptr %found
own:
  %made = call ptr @take(ptr %context, i64 %size)
  ret ptr %made
}}
define ptr @guarded_calloc(ptr %context, i64 %count, i64 %each) {{
  %active = call i64 @word(ptr %context, i64 {ACTIVE})
  %plain = icmp eq i64 %active, 0
  br i1 %plain, label %other, label %own
other:
  %inner = call ptr @fallback(ptr %context, i64 0)
  %function = call ptr @fallback(ptr %context, i64 2)
  %found = call ptr %function(ptr %inner, i64 %count, i64 %each)
  ret ptr %found
own:
  %size = mul i64 %count, %each
  %made = call ptr @take(ptr %context, i64 %size)
  ret ptr %made
}}
define ptr @guarded_realloc(ptr %context, ptr %block, i64 %size) {{
  %none = icmp eq ptr %block, null
  br i1 %none, label %new, label %known
new:
  %made = call ptr @guarded_malloc(ptr %context, i64 %size)
  ret ptr %made
known:
  %is_own = call i1 @is_own(ptr %context, ptr %block)
  br i1 %is_own, label %own, label %other
other:
  %inner = call ptr @fallback(ptr %context, i64 0)
  %function = call ptr @fallback(ptr %context, i64 3)
  %found = call ptr %function(ptr %inner, ptr %block, i64 %size)
  ret ptr %found
own:
  %before = call i64 @size_of(ptr %context, ptr %block)
  %moved = call ptr @take(ptr %context, i64 %size)
  %shrinks = icmp ult i64 %size, %before
  %kept = select i1 %shrinks, i64 %size, i64 %before
  call ptr @memcpy(ptr %moved, ptr %block, i64 %kept)
  call void @give(ptr %context, ptr %block)
  ret ptr %moved
}}
define void @guarded_free(ptr %context, ptr %block) {{
  %is_own = call i1 @is_own(ptr %context, ptr %block)
  br i1 %is_own, label %own, label %other
other:
  %inner = call ptr @fallback(ptr %context, i64 0)
  %function = call ptr @fallback(ptr %context, i64 4)
  call void %function(ptr %inner, ptr %block)
  ret void
own:
  call void @give(ptr %context, ptr %block)
  ret void
}}
"""
_OF_NATIVE_LISTS: Final = """
define ptr @malloc_guarded(i64 %size) {{
  %made = call ptr @guarded_malloc(ptr inttoptr (i64 {0} to ptr), i64 %size)
  ret ptr %made
}}
define ptr @realloc_guarded(ptr %block, i64 %size) {{
  %made = call ptr @guarded_realloc(ptr inttoptr (i64 {0} to ptr), ptr %block, i64 %size)
  ret ptr %made
}}
define void @free_guarded(ptr %block) {{
  call void @guarded_free(ptr inttoptr (i64 {0} to ptr), ptr %block)
  ret void
}}
"""
"""The functions of the C library that native code calls; `0` is where their context lies."""
_NAMES: Final = ("malloc", "calloc", "realloc", "free")


class _Handler(ctypes.Structure):
    """How NumPy is told of an allocator."""

    _fields_ = (
        ("name", ctypes.c_char * 127),
        ("version", ctypes.c_uint8),
        ("words", ctypes.c_uint64 * 5),
    )


class GuardedMemory:
    """Installed for good in a process that is to end soon; blocks are guarded within `guarding` alone."""

    def __init__(self) -> None:
        self._held: list[Any] = []
        size = _PAGES * mmap.PAGESIZE
        base, sizes = _reserved(size, 0), _reserved(_PAGES * 8, mmap.PROT_READ | mmap.PROT_WRITE)
        self._state = words("Q", [base, base + size, base + mmap.PAGESIZE, sizes, 0, 0])
        raw, lists = self._context(_OF_RAW_MEMORY, 7), self._context(_OF_LISTS, 7)
        arrays = self._context(_OF_RAW_MEMORY, 0)
        making = code_making()
        code = making.module(_TEXT + _OF_NATIVE_LISTS.format(raw)).object_code()
        library = making.library(code, {})
        self._held.append(library)
        functions = [library.address(f"guarded_{name}") for name in _NAMES]
        self._guard_lists(lists, functions)
        self._guard_arrays(arrays, functions)
        symbols = {
            name: library.address(f"{name}_guarded") for name in ("malloc", "realloc", "free")
        }
        plain = regions.loaded
        regions.loaded = lambda code, others: plain(code, {**others, **symbols})

    @contextmanager
    def guarding(self, *, at_begin: bool) -> Generator[None]:
        """Guard what is allocated within the ``with`` statement."""
        self._state[ACTIVE], self._state[AT_BEGIN] = 1, at_begin
        try:
            yield
        finally:
            self._state[ACTIVE] = 0

    @property
    def blocks(self) -> int:
        """About how many were guarded."""
        return (self._state[NEXT] - self._state[BASE]) // (2 * mmap.PAGESIZE)

    def _context(self, domain: int, mask: int) -> int:
        """Where there is what to do with other blocks, the state, and what sizes are rounded up to."""
        context = (ctypes.c_uint64 * 7)()
        ctypes.pythonapi.PyMem_GetAllocator(domain, context)
        context[5], context[6] = self._state.buffer_info()[0], mask
        self._held.append(context)
        return ctypes.addressof(context)

    def _guard_lists(self, context: int, functions: list[int]) -> None:
        allocator = (ctypes.c_uint64 * 5)(context, *functions)
        ctypes.pythonapi.PyMem_SetAllocator(_OF_LISTS, allocator)

    def _guard_arrays(self, context: int, functions: list[int]) -> None:
        handler = _Handler(b"guarded", 1, (ctypes.c_uint64 * 5)(context, *functions))
        self._held.append(handler)
        _set_handler()(_capsule()(ctypes.addressof(handler), b"mem_handler", None))


def _reserved(size: int, access: int) -> int:
    """Where so many bytes begin, which are kept for good."""
    reserve = ctypes.CDLL(None).mmap
    reserve.restype = ctypes.c_void_p
    reserve.argtypes = [ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_int64]
    return reserve(None, size, access, _RESERVED, -1, 0)


@functools.cache
def _capsule() -> Any:
    make = ctypes.pythonapi.PyCapsule_New
    make.restype = ctypes.py_object
    make.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    return make


@functools.cache
def _set_handler() -> Any:
    from numpy._core import _multiarray_umath

    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype = ctypes.c_void_p
    pointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
    table = pointer(_multiarray_umath._ARRAY_API, None)  # type: ignore[attr-defined]
    address = ctypes.c_void_p.from_address(table + 8 * _SET_HANDLER).value
    return ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.py_object)(address)
