"""Memory for the lists of native code: blocks that were freed are kept by size, as loops make the same again and again.

In front of a block is a head of two words: the number of its size, or -1 for what is too large to be kept, and the
bytes that the block has. Whoever calls these functions holds the interpreter's lock.
"""

from __future__ import annotations

import functools
from array import array
from collections.abc import Mapping
from typing import Final

from tsc.runtime.native.code.object_code import Loaded, code_of_text, loaded

_STEP_BITS: Final = 6
"""Sizes up to a kilobyte are multiples of 64 bytes, those above powers of two."""
_SMALL_BITS: Final = 10
_LARGEST_BITS: Final = 16
_MOST_KEPT: Final = 1 << 22
"""Bytes in blocks that nobody uses."""
_NAMES: Final = ("malloc", "realloc", "free")


_SMALL: Final = 1 << (_SMALL_BITS - _STEP_BITS)
_STATE: Final = array("q", bytes(8 * (2 + _SMALL + _LARGEST_BITS - _SMALL_BITS)))
"""The bytes that are kept, then the first free block of each size; code has no memory of its own to write to."""


@functools.cache
def _library() -> Loaded:
    text = _TEXT.format(
        step=1 << _STEP_BITS,
        rounding=(1 << _STEP_BITS) - 1,
        step_bits=_STEP_BITS,
        small=1 << _SMALL_BITS,
        largest=1 << _LARGEST_BITS,
        offset=_SMALL - _SMALL_BITS,
        most=_MOST_KEPT,
    )
    state = _STATE.buffer_info()[0]
    return loaded(code_of_text(text), {"kept": state, "blocks": state + _STATE.itemsize})


def memory_symbols() -> Mapping[str, int]:
    """What native code calls in the place of functions of the C library, by their names."""
    library = _library()
    return {name: library.address(f"pool_{name}") for name in _NAMES}


_TEXT: Final = """
@blocks = external global ptr
@kept = external global i64

declare ptr @malloc(i64)
declare ptr @realloc(ptr, i64)
declare void @free(ptr)
declare i64 @llvm.ctlz.i64(i64, i1)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

define internal ptr @with_head(ptr %block, i64 %number, i64 %bytes) nounwind {{
  %failed = icmp eq ptr %block, null
  br i1 %failed, label %none, label %some
some:
  store i64 %number, ptr %block
  %second = getelementptr i64, ptr %block, i64 1
  store i64 %bytes, ptr %second
  %content = getelementptr i64, ptr %block, i64 2
  ret ptr %content
none:
  ret ptr null
}}

define internal ptr @new_block(i64 %number, i64 %bytes) noinline nounwind {{
  %all = call {{i64, i1}} @llvm.uadd.with.overflow.i64(i64 %bytes, i64 16)
  %size = extractvalue {{i64, i1}} %all, 0
  %is_beyond = extractvalue {{i64, i1}} %all, 1
  br i1 %is_beyond, label %none, label %some
some:
  %block = call ptr @malloc(i64 %size)
  %content = call ptr @with_head(ptr %block, i64 %number, i64 %bytes)
  ret ptr %content
none:
  ret ptr null
}}

declare {{i64, i1}} @llvm.uadd.with.overflow.i64(i64, i64)

define ptr @pool_malloc(i64 %size) nounwind {{
entry:
  %is_small = icmp ule i64 %size, {small}
  br i1 %is_small, label %step, label %large
step:
  %up = add i64 %size, {rounding}
  %steps = lshr i64 %up, {step_bits}
  %least = call i64 @llvm.umax.i64(i64 %steps, i64 1)
  %step_bytes = shl i64 %least, {step_bits}
  br label %look
large:
  %is_kept = icmp ule i64 %size, {largest}
  br i1 %is_kept, label %power, label %beyond
power:
  %last = sub i64 %size, 1
  %zeros = call i64 @llvm.ctlz.i64(i64 %last, i1 true)
  %bits = sub i64 64, %zeros
  %power_bytes = shl i64 1, %bits
  %power_number = add i64 %bits, {offset}
  br label %look
look:
  %number = phi i64 [ %least, %step ], [ %power_number, %power ]
  %bytes = phi i64 [ %step_bytes, %step ], [ %power_bytes, %power ]
  %place = getelementptr ptr, ptr @blocks, i64 %number
  %first = load ptr, ptr %place
  %is_empty = icmp eq ptr %first, null
  br i1 %is_empty, label %new, label %take
take:
  %next = load ptr, ptr %first
  store ptr %next, ptr %place
  %kept = load i64, ptr @kept
  %left = sub i64 %kept, %bytes
  store i64 %left, ptr @kept
  ret ptr %first
new:
  %made = call ptr @new_block(i64 %number, i64 %bytes)
  ret ptr %made
beyond:
  %single = call ptr @new_block(i64 -1, i64 %size)
  ret ptr %single
}}

declare i64 @llvm.umax.i64(i64, i64)

define void @pool_free(ptr %content) nounwind {{
  %is_nothing = icmp eq ptr %content, null
  br i1 %is_nothing, label %done, label %look
look:
  %block = getelementptr i64, ptr %content, i64 -2
  %number = load i64, ptr %block
  %is_large = icmp slt i64 %number, 0
  br i1 %is_large, label %give_back, label %count
count:
  %second = getelementptr i64, ptr %block, i64 1
  %bytes = load i64, ptr %second
  %kept = load i64, ptr @kept
  %more = add i64 %kept, %bytes
  %is_full = icmp ugt i64 %more, {most}
  br i1 %is_full, label %give_back, label %keep
keep:
  store i64 %more, ptr @kept
  %place = getelementptr ptr, ptr @blocks, i64 %number
  %first = load ptr, ptr %place
  store ptr %first, ptr %content
  store ptr %content, ptr %place
  ret void
give_back:
  call void @free(ptr %block)
  ret void
done:
  ret void
}}

define ptr @pool_realloc(ptr %content, i64 %size) nounwind {{
  %is_nothing = icmp eq ptr %content, null
  br i1 %is_nothing, label %new, label %look
new:
  %made = call ptr @pool_malloc(i64 %size)
  ret ptr %made
look:
  %block = getelementptr i64, ptr %content, i64 -2
  %number = load i64, ptr %block
  %second = getelementptr i64, ptr %block, i64 1
  %bytes = load i64, ptr %second
  %is_enough = icmp ule i64 %size, %bytes
  br i1 %is_enough, label %same, label %more
same:
  ret ptr %content
more:
  %is_large = icmp slt i64 %number, 0
  br i1 %is_large, label %stretch, label %move
stretch:
  %all = add i64 %size, 16
  %stretched = call ptr @realloc(ptr %block, i64 %all)
  %longer = call ptr @with_head(ptr %stretched, i64 -1, i64 %size)
  ret ptr %longer
move:
  %moved = call ptr @pool_malloc(i64 %size)
  %failed = icmp eq ptr %moved, null
  br i1 %failed, label %none, label %copy
copy:
  call void @llvm.memcpy.p0.p0.i64(ptr %moved, ptr %content, i64 %bytes, i1 false)
  call void @pool_free(ptr %content)
  ret ptr %moved
none:
  ret ptr null
}}
"""
