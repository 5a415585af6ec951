"""The text of a kernel on rows: a function goes through one row several times, another one calls it for each.

Sums are made of blocks. In a block, parts of it are summed up beside each other in the dtype in which is computed; the
sums of blocks are added up with more digits. Nothing of this depends on how many threads there are.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from tsc.runtime.arrays.dtypes import DOUBLE
from tsc.runtime.native.expressions.arithmetic import Arithmetic
from tsc.runtime.native.expressions.instructions import (
    Element,
    NumberElement,
    constant,
    is_floating,
    is_unsigned,
    register_type,
)
from tsc.runtime.native.expressions.loop_text import LoopText
from tsc.runtime.native.fusion.fused_kernel import Pointer, row_head

BLOCK: Final = 1024
"""Elements that are summed up before the sum is added to those of other blocks."""


class Accumulator:
    """What becomes of a row's elements; `dtype` is that of the result."""

    __slots__ = ("_code", "_lost", "_operator", "_part", "_total", "_wide", "dtype")

    def __init__(self, code: LoopText, operator: str, dtype: np.dtype) -> None:
        self._code, self._operator, self.dtype = code, operator, dtype
        self._wide = DOUBLE if is_floating(dtype) and operator == "sum" else dtype
        self._total = self._slot(self._wide, self._beginning(self._wide))
        self._lost = self._slot(self._wide, "0.0") if self._is_compensated else ""
        self._part = ""

    @property
    def _is_compensated(self) -> bool:
        """Whether what sums of blocks lose is summed up as well: there are no wider floats."""
        return self._operator == "sum" and self.dtype == DOUBLE

    def begin_block(self) -> None:
        self._part = self._slot(self.dtype, self._beginning(self.dtype))

    def take(self, element: Element) -> None:
        """One more element, in any order with the others of the block."""
        before = self._loaded(self._part, self.dtype)
        self._store(self._combined(before, element, "reassoc nsz "), self._part)

    def end_block(self) -> None:
        code = self._code
        part = code.cast(self._loaded(self._part, self.dtype), self._wide)
        before = self._loaded(self._total, self._wide)
        total = self._combined(before, part, "")
        self._store(total, self._total)
        if self._is_compensated:
            self._keep_lost(before, part, total)

    def result(self) -> NumberElement:
        """The number of the row, which is not rounded to half precision."""
        code, total = self._code, self._loaded(self._total, self._wide)
        if self._is_compensated:
            on = Arithmetic(code, DOUBLE)
            whole = on.add(total, self._loaded(self._lost, DOUBLE))
            total = on.select(on.compare("ord", whole, whole), whole, total)
        return NumberElement(code.cast(total, self.dtype).name, self.dtype)

    def _keep_lost(self, before: Element, part: Element, total: Element) -> None:
        on = Arithmetic(self._code, DOUBLE)
        of_part = on.sub(total, before)
        lost = on.add(on.sub(before, on.sub(total, of_part)), on.sub(part, of_part))
        self._store(on.add(self._loaded(self._lost, DOUBLE), lost), self._lost)

    def _combined(self, a: Element, b: Element, freely: str) -> Element:
        code, type = self._code, register_type(a.dtype)
        if self._operator == "sum":
            instruction = f"fadd {freely}" if is_floating(a.dtype) else "add "
            return code.element(f"{instruction}{type} {a.name}, {b.name}", a.dtype)
        extreme = "max" if self._operator == "amax" else "min"
        if is_floating(a.dtype):
            return code.intrinsic(f"{extreme}imum", a, b, freely="nsz ")
        return code.intrinsic(f"{'u' if is_unsigned(a.dtype) else 's'}{extreme}", a, b)

    def _beginning(self, dtype: np.dtype) -> str:
        """What makes no difference."""
        if self._operator == "sum":
            return constant(0, dtype).name
        if is_floating(dtype):
            return constant(-np.inf if self._operator == "amax" else np.inf, dtype).name
        limits = np.iinfo(dtype)
        return constant(limits.min if self._operator == "amax" else limits.max, dtype).name

    def _slot(self, dtype: np.dtype, begins: str) -> str:
        return self._code.slot(register_type(dtype), begins)

    def _loaded(self, slot: str, dtype: np.dtype) -> Element:
        return self._code.element(f"load {register_type(dtype)}, ptr {slot}", dtype)

    def _store(self, value: Element, slot: str) -> None:
        self._code.lines.append(f"  store {register_type(value.dtype)} {value.name}, ptr {slot}")


def end_of_block(code: LoopText, begin: str) -> str:
    """The index at which a block ends that begins there."""
    end = code.add(f"add nsw i64 {begin}, {BLOCK}")
    is_less = code.add(f"icmp slt i64 {end}, %n")
    return code.add(f"select i1 {is_less}, i64 {end}, i64 %n")


def row_kernel_text(
    name: str,
    rank: int,
    pointers: Sequence[Pointer],
    numbers: Sequence[tuple[int, str]],
    row: LoopText,
) -> str:
    """Of a kernel; `row` is what it does in each row, `rank` the number of axes outside of rows."""
    lines = row.function(row_head(name, pointers, numbers))
    lines += _calls(name, rank, pointers, numbers)
    return "\n".join([*lines, *sorted(row.intrinsics)])


def _calls(
    name: str, rank: int, pointers: Sequence[Pointer], numbers: Sequence[tuple[int, str]]
) -> list[str]:
    """The function that calls the other one for each row."""
    code = LoopText()
    extents = [code.word("%layout", axis) for axis in range(rank + 1)]
    strides = [
        [code.word("%layout", (rank + 1) * (1 + place) + axis) for axis in range(rank + 1)]
        for place in range(len(pointers))
    ]
    given = [f"i64 {strides[k][-1]}" for k, each in enumerate(pointers) if each.stride is None]
    given += [f"{type} {code.word('%numbers', offset, type)}" for offset, type in numbers]
    bases = [code.word("%pointers", place, "ptr") for place in range(len(pointers))]

    def nest(axis: int, bases: list[str]) -> None:
        if axis == rank:
            arrays = [f"ptr {each}" for each in bases]
            code.call(f"{name}.row", [f"i64 {extents[-1]}", *arrays, *given])
            return
        begin, end = ("%begin", "%end") if axis == 0 else ("0", extents[axis])
        with code.loop(begin, end) as index:
            nest(axis + 1, [code.moved(b, (index, s[axis])) for b, s in zip(bases, strides)])

    nest(0, bases)
    head = f"define void @{name}(ptr %pointers, ptr %layout, i64 %begin, i64 %end, ptr %numbers)"
    return code.function(f"{head} nounwind")
