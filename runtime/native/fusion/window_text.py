"""The text of kernels that go through windows of images: to put them side by side, or to find their maxima.

They are called as all kernels of groups are (`fused_kernel`). Their layout is the extents of a stack of images, of
channels, of a window, of the places of windows and of an image, then the steps from one window to the next, the padding
and the steps within a window, each by row and column, and the strides of the images in bytes.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import numpy as np

from tsc.runtime.arrays.dtypes import FLOAT
from tsc.runtime.native.expressions.loop_text import LoopText

_WINDOW, _PLACES, _IMAGE, _STEP, _PADDING, _DILATION, _STRIDES = 2, 4, 6, 8, 10, 12, 14
_LOWEST: Final = "0xFFF0000000000000"
_HEAD: Final = (
    "define void @windows(ptr %pointers, ptr %layout, i64 %begin, i64 %end, ptr %numbers) nounwind"
)


@functools.cache
def columns_text(dtype: np.dtype) -> str:
    """The function `windows`: each column of its result, one after another in memory, is a window. Padding is zero."""
    text = _Windows(dtype)
    code = text.code
    with (
        text.channels() as (stack, channel, image),
        code.loop("0", text.word(_WINDOW)) as window_row,
        code.loop("0", text.word(_WINDOW + 1)) as window_column,
        code.loop("0", text.word(_PLACES)) as row,
    ):
        place = text.place((stack, channel, window_row, window_column, row), (1, 2, 3, 4))
        with code.loop("0", text.word(_PLACES + 1)) as column:
            is_inside, value = text.element(image, (row, column), (window_row, window_column))
            chosen = code.add(f"select i1 {is_inside}, {text.type} {value}, {text.type} 0.0")
            text.store(chosen, place, column)
    return text.finished()


@functools.cache
def maxima_text(dtype: np.dtype) -> str:
    """The function `windows`: each element of its result is the largest of a window, or NaN if one is in it."""
    text = _Windows(dtype)
    code, type = text.code, text.type
    with (
        text.channels() as (stack, channel, image),
        code.loop("0", text.word(_PLACES)) as row,
        code.loop("0", text.word(_PLACES + 1)) as column,
    ):
        largest = code.slot(type, _LOWEST)
        with (
            code.loop("0", text.word(_WINDOW)) as window_row,
            code.loop("0", text.word(_WINDOW + 1)) as window_column,
        ):
            is_inside, value = text.element(image, (row, column), (window_row, window_column))
            before = code.add(f"load {type}, ptr {largest}")
            is_larger = code.add(f"fcmp ogt {type} {value}, {before}")
            is_nan = code.add(f"fcmp uno {type} {value}, {value}")
            wins = code.add(f"or i1 {is_larger}, {is_nan}")
            counts = code.add(f"and i1 {wins}, {is_inside}")
            after = code.add(f"select i1 {counts}, {type} {value}, {type} {before}")
            code.lines.append(f"  store {type} {after}, ptr {largest}")
        place = text.place((stack, channel, row), (1, _PLACES))
        text.store(code.add(f"load {type}, ptr {largest}"), place, column)
    return text.finished()


@functools.cache
def averages_text(dtype: np.dtype) -> str:
    """The function `windows`: each element of its result is the sum of a window over the number of its elements.
    Padding is zero, and counts.
    """
    text = _Windows(dtype)
    code, type = text.code, text.type
    extents = code.add(f"mul i64 {text.word(_WINDOW)}, {text.word(_WINDOW + 1)}")
    count = code.add(f"sitofp i64 {extents} to {type}")
    with (
        text.channels() as (stack, channel, image),
        code.loop("0", text.word(_PLACES)) as row,
        code.loop("0", text.word(_PLACES + 1)) as column,
    ):
        total = code.slot(type, "0.0")
        with (
            code.loop("0", text.word(_WINDOW)) as window_row,
            code.loop("0", text.word(_WINDOW + 1)) as window_column,
        ):
            is_inside, value = text.element(image, (row, column), (window_row, window_column))
            counted = code.add(f"select i1 {is_inside}, {type} {value}, {type} 0.0")
            before = code.add(f"load {type}, ptr {total}")
            after = code.add(f"fadd {type} {before}, {counted}")
            code.lines.append(f"  store {type} {after}, ptr {total}")
        place = text.place((stack, channel, row), (1, _PLACES))
        found = code.add(f"load {type}, ptr {total}")
        text.store(code.add(f"fdiv {type} {found}, {count}"), place, column)
    return text.finished()


class _Windows:
    """The instructions that all kernels share."""

    def __init__(self, dtype: np.dtype) -> None:
        self.code = LoopText()
        self.type = "float" if dtype == FLOAT else "double"
        self._item = dtype.itemsize
        self._result = self.code.word("%pointers", 0, "ptr")
        self._images = self.code.word("%pointers", 1, "ptr")

    def word(self, offset: int) -> str:
        return self.code.word("%layout", offset)

    def finished(self) -> str:
        return "\n".join(self.code.function(_HEAD))

    @contextmanager
    def channels(self) -> Iterator[tuple[str, str, str]]:
        """Turns for each channel of each stack: both, and where the channel begins."""
        code = self.code
        with code.loop("%begin", "%end") as stack, code.loop("0", self.word(1)) as channel:
            steps = [(stack, self.word(_STRIDES)), (channel, self.word(_STRIDES + 1))]
            yield stack, channel, code.moved(self._images, *steps)

    def place(self, indices: tuple[str, ...], extents: tuple[int, ...]) -> str:
        """Where a row of the result begins; `extents` are those of all axes but the first."""
        code = self.code
        found = indices[0]
        for index, extent in zip(indices[1:], extents, strict=True):
            found = code.add(
                f"add i64 {code.add(f'mul i64 {found}, {self.word(extent)}')}, {index}"
            )
        columns = code.add(f"mul i64 {found}, {self.word(_PLACES + 1)}")
        return code.moved(self._result, (columns, str(self._item)))

    def element(
        self, image: str, window: tuple[str, str], within: tuple[str, str]
    ) -> tuple[str, str]:
        """Whether there is an element at a place in a window, and the element; any other one if not."""
        code = self.code
        truths: list[str] = []
        steps: list[tuple[str, str]] = []
        for axis in range(2):
            begin = code.add(f"mul i64 {window[axis]}, {self.word(_STEP + axis)}")
            inner = code.add(f"mul i64 {within[axis]}, {self.word(_DILATION + axis)}")
            padded = code.add(f"add i64 {begin}, {inner}")
            index = code.add(f"sub i64 {padded}, {self.word(_PADDING + axis)}")
            truths.append(code.add(f"icmp ult i64 {index}, {self.word(_IMAGE + axis)}"))
            chosen = code.add(f"select i1 {truths[axis]}, i64 {index}, i64 0")
            steps.append((chosen, self.word(_STRIDES + 2 + axis)))
        is_inside = code.add(f"and i1 {truths[0]}, {truths[1]}")
        return is_inside, code.add(f"load {self.type}, ptr {code.moved(image, *steps)}, align 1")

    def store(self, value: str, row: str, column: str) -> None:
        place = self.code.moved(row, (column, str(self._item)))
        self.code.lines.append(f"  store {self.type} {value}, ptr {place}, align 1")
