"""The text of a kernel on rows: a function goes through one row several times, another one calls it for each.

Where rows lie side by side, the function goes through as many of them at once as there are lanes: each step of a row
is then a loop over lanes, and what is known of a row an array with an element for each.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Final

from tsc.runtime.native.expressions.loop_text import LoopText
from tsc.runtime.native.fusion.fused_kernel import Pointer
from tsc.runtime.native.fusion.loop_space import RowSpace

BLOCK: Final = 1024
"""Elements that are summed up before the sum is added to those of other blocks."""
LANES: Final = 256
"""Rows that are gone through at once, where they lie side by side."""
_LANES_NAME: Final = "%lanes"


class RowText(LoopText):
    """What is done in a row, or in several of them; `space` tells along which axes."""

    def __init__(self, space: RowSpace, pointers: Sequence[Pointer]) -> None:
        super().__init__()
        self.space = space
        self.bases = {each.name: each.name for each in pointers}
        self._pointers = pointers
        self._lane = ""

    # -- Numbers of rows -----------------------------------------------------------------------

    def number(self, type: str) -> str:
        """A place for a number of a row."""
        if not self.space.has_lanes:
            return self.room(type)
        return self.room(f"[{LANES} x {type}]")

    def place(self, number: str, type: str) -> str:
        """Its address, in the row at hand."""
        if not self.space.has_lanes:
            return number
        return self.add(f"getelementptr {type}, ptr {number}, i64 {self._lane}")

    @contextmanager
    def each_row(self) -> Iterator[str]:
        """What is done for each row at hand; the index of the innermost loop, if that is of rows."""
        if not self.space.has_lanes:
            yield "0"
            return
        with self.loop("0", _LANES_NAME) as self._lane:
            yield self._lane

    # -- Elements of rows ----------------------------------------------------------------------

    @contextmanager
    def blocks(self) -> Iterator[tuple[str, str]]:
        """Where each block of a row begins and ends, along its last axis."""
        with ExitStack() as loops:
            axes = list(self.space.far)[: self.space.depth - 1]
            indices = [loops.enter_context(self.loop("0", _extent(axis))) for axis in axes]
            self._move(axes, indices)
            last = _extent(self.space.rank + self.space.depth - 1)
            with self.loop("0", last, BLOCK) as begin:
                end = self.add(f"add nsw i64 {begin}, {BLOCK}")
                is_less = self.add(f"icmp slt i64 {end}, {last}")
                yield begin, self.add(f"select i1 {is_less}, i64 {end}, i64 {last}")
        self._move([], [])

    @contextmanager
    def elements(self, begin: str, end: str) -> Iterator[str]:
        """The index of the innermost loop for each element of a block, in all rows at hand."""
        with self.loop(begin, end) as index:
            if not self.space.has_lanes:
                yield index
                return
            before = dict(self.bases)
            self._move([self.space.far[-1]], [index], before)
            with self.each_row() as lane:
                yield lane
            self.bases = before

    def _move(
        self, axes: Sequence[int], indices: Sequence[str], bases: dict[str, str] | None = None
    ) -> None:
        for each in self._pointers:
            steps = [(index, far_step(each, axis)) for axis, index in zip(axes, indices)]
            begin = each.name if bases is None else bases[each.name]
            self.bases[each.name] = self.moved(begin, *steps)


def _extent(axis: int) -> str:
    return f"%extent{axis}"


def far_step(pointer: Pointer, axis: int) -> str:
    """The stride of an array along an axis of rows."""
    return f"%far{axis}.{pointer.name[1:]}"


def row_kernel_text(
    name: str, pointers: Sequence[Pointer], numbers: Sequence[tuple[int, str]], row: RowText
) -> str:
    """Of a kernel; `row` is what it does in each row."""
    space = row.space
    parameters = [f"ptr noalias nocapture {each.name}" for each in pointers]
    parameters += [f"i64 {_extent(space.rank + k)}" for k in range(space.depth)]
    parameters += [f"i64 {_LANES_NAME}"]
    parameters += [f"i64 {each.step}" for each in pointers if each.stride is None]
    parameters += [f"i64 {far_step(each, axis)}" for each in pointers for axis in space.far]
    parameters += [f"{type} %number{offset}" for offset, type in numbers]
    head = f"define internal void @{name}.row({', '.join(parameters)}) noinline nounwind"
    lines = row.function(head) + _calls(name, space, pointers, numbers)
    return "\n".join([*lines, *sorted(row.intrinsics)])


def _calls(
    name: str, space: RowSpace, pointers: Sequence[Pointer], numbers: Sequence[tuple[int, str]]
) -> list[str]:
    """The function that calls the other one for each row, or for as many as there are lanes."""
    code = LoopText()
    count = space.rank + space.depth
    extents = [code.word("%layout", axis) for axis in range(count)]
    strides = [
        [code.word("%layout", count * (1 + place) + axis) for axis in range(count)]
        for place in range(len(pointers))
    ]
    given = [strides[k][space.near] for k, each in enumerate(pointers) if each.stride is None]
    given += [strides[k][axis] for k in range(len(pointers)) for axis in space.far]
    known = [f"i64 {each}" for each in given]
    known += [f"{type} {code.word('%numbers', offset, type)}" for offset, type in numbers]
    bases = [code.word("%pointers", place, "ptr") for place in range(len(pointers))]

    def call(bases: Sequence[str], lanes: str) -> None:
        of_row = [f"i64 {each}" for each in extents[space.rank :]]
        code.call(f"{name}.row", [*(f"ptr {a}" for a in bases), *of_row, f"i64 {lanes}", *known])

    def nest(axis: int, bases: list[str]) -> None:
        if axis == space.rank:
            call(bases, "1")
            return
        begin, end = ("%begin", "%end") if axis == 0 else ("0", extents[axis])
        is_lanes = space.has_lanes and axis == space.rank - 1
        with code.loop(begin, end, LANES if is_lanes else 1) as index:
            inner = [code.moved(b, (index, s[axis])) for b, s in zip(bases, strides)]
            if not is_lanes:
                nest(axis + 1, inner)
                return
            rest = code.add(f"sub i64 {end}, {index}")
            is_less = code.add(f"icmp slt i64 {rest}, {LANES}")
            call(inner, code.add(f"select i1 {is_less}, i64 {rest}, i64 {LANES}"))

    nest(0, bases)
    head = f"define void @{name}(ptr %pointers, ptr %layout, i64 %begin, i64 %end, ptr %numbers)"
    return code.function(f"{head} nounwind")
