"""The text of a kernel: loops over a space of elements, the innermost of which LLVM makes vectors of.

A kernel is called with the addresses of its arrays, the layout of its space (the extents of its axes, then for each
array its strides in bytes), the part of the first axis that is to be done, and the numbers among its arguments.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from tsc.runtime.native.expressions.instructions import Instructions, NumberElement, memory_type

_NUMBERS: Final = {"double": np.dtype(np.float64), "i64": np.dtype(np.int64)}


@dataclass(frozen=True, slots=True)
class Pointer:
    """An array of the innermost loop: its dtype, and its stride there if that is known when code is made."""

    name: str
    dtype: np.dtype
    stride: int | None

    @property
    def step(self) -> str:
        """The name of the stride that is told at run time."""
        return f"%step{self.name[1:]}"

    def address(self, code: Instructions, index: str = "%i", base: str = "") -> str:
        """Of the element at hand; `base` is where the innermost loop begins, if not at the array."""
        base = base or self.name
        if self.stride == 0:
            return base
        if self.stride is not None:
            type = memory_type(self.dtype)
            return code.add(f"getelementptr {type}, ptr {base}, i64 {index}")
        offset = code.add(f"mul i64 {index}, {self.step}")
        return code.add(f"getelementptr i8, ptr {base}, i64 {offset}")


def number_parameter(offset: int, type: str) -> NumberElement:
    """The number that is the argument at `offset` of a group: a "double" or an "i64"."""
    return NumberElement(f"%number{offset}", _NUMBERS[type])


def kernel_text(
    name: str,
    rank: int,
    pointers: Sequence[Pointer],
    numbers: Sequence[tuple[int, str]],
    body: Instructions,
) -> str:
    """Two functions: the innermost loop, and what calls it for each row."""
    lines = [
        f"{row_head(name, pointers, numbers)} {{",
        "entry:",
        "  %some = icmp sgt i64 %n, 0",
        "  br i1 %some, label %loop, label %done",
        "loop:",
        "  %i = phi i64 [ 0, %entry ], [ %next, %loop ]",
        *body.lines,
        "  %next = add nuw nsw i64 %i, 1",
        "  %more = icmp slt i64 %next, %n",
        "  br i1 %more, label %loop, label %done",
        "done:",
        "  ret void",
        "}",
        *_rows(name, rank, pointers, numbers),
        *sorted(body.intrinsics),
    ]
    return "\n".join(lines)


def row_head(name: str, pointers: Sequence[Pointer], numbers: Sequence[tuple[int, str]]) -> str:
    """Of the function that does what a kernel does in one row of `%n` elements."""
    parameters = [f"ptr noalias nocapture {each.name}" for each in pointers]
    parameters += [f"i64 {each.step}" for each in pointers if each.stride is None]
    parameters += [f"{type} %number{offset}" for offset, type in numbers]
    return f"define internal void @{name}.row(i64 %n, {', '.join(parameters)}) noinline nounwind"


def _rows(
    name: str, rank: int, pointers: Sequence[Pointer], numbers: Sequence[tuple[int, str]]
) -> list[str]:
    """The function that is called: loops over all axes but the last."""
    code = Instructions()
    lines = code.lines
    lines.append(
        f"define void @{name}(ptr %pointers, ptr %layout, i64 %begin, i64 %end, ptr %numbers) nounwind {{"
    )
    lines.append("entry:")
    extents = [_word(code, "i64", "%layout", axis) for axis in range(rank)]
    bases = [_word(code, "ptr", "%pointers", place) for place in range(len(pointers))]
    strides = [
        [_word(code, "i64", "%layout", rank * (1 + place) + axis) for axis in range(rank)]
        for place in range(len(pointers))
    ]
    given = [
        f"i64 {strides[place][-1]}" for place, each in enumerate(pointers) if each.stride is None
    ]
    given += [f"{type} {_word(code, type, '%numbers', offset)}" for offset, type in numbers]
    _nest(code, name, 0, extents, bases, strides, given)
    return [*lines, "  ret void", "}"]


def _word(code: Instructions, type: str, base: str, offset: int) -> str:
    return code.add(f"load {type}, ptr {code.add(f'getelementptr i64, ptr {base}, i64 {offset}')}")


def _nest(
    code: Instructions,
    name: str,
    axis: int,
    extents: Sequence[str],
    bases: Sequence[str],
    strides: Sequence[Sequence[str]],
    given: Sequence[str],
) -> None:
    """The loops from `axis` on, over arrays that begin at `bases`."""
    begin, end = ("%begin", "%end") if axis == 0 else ("0", extents[axis])
    if axis == len(extents) - 1:
        moved = [_moved(code, base, begin, strides[k][axis]) for k, base in enumerate(bases)]
        count = code.add(f"sub i64 {end}, {begin}")
        arguments = [f"i64 {count}", *(f"ptr {each}" for each in moved), *given]
        code.lines.append(f"  call void @{name}.row({', '.join(arguments)})")
        return
    lines, index = code.lines, f"%at{axis}"
    lines += [f"  br label %before{axis}", f"before{axis}:", f"  br label %test{axis}"]
    lines.append(f"test{axis}:")
    lines.append(f"  {index} = phi i64 [ {begin}, %before{axis} ], [ %next{axis}, %after{axis} ]")
    lines.append(f"  %more{axis} = icmp slt i64 {index}, {end}")
    lines.append(f"  br i1 %more{axis}, label %turn{axis}, label %done{axis}")
    lines.append(f"turn{axis}:")
    moved = [_moved(code, base, index, strides[k][axis]) for k, base in enumerate(bases)]
    _nest(code, name, axis + 1, extents, moved, strides, given)
    lines += [f"  br label %after{axis}", f"after{axis}:"]
    lines += [f"  %next{axis} = add nsw i64 {index}, 1", f"  br label %test{axis}"]
    lines.append(f"done{axis}:")


def _moved(code: Instructions, base: str, index: str, stride: str) -> str:
    if index == "0":
        return base
    offset = code.add(f"mul i64 {index}, {stride}")
    return code.add(f"getelementptr i8, ptr {base}, i64 {offset}")
