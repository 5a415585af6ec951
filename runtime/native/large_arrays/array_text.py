"""The text of functions on large arrays: running results, sums of rows, transposed copies, shuffles.

Each is called as a kernel of groups is: with pointers, the numbers of a layout, and the part that is to be done.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Final

import numpy as np

from tsc.runtime.arrays.dtypes import LONG
from tsc.runtime.native.expressions.instructions import (
    Element,
    constant,
    is_floating,
    memory_type,
    register_type,
)
from tsc.runtime.native.expressions.loop_text import LoopText

NAME: Final = "kernel"
_HEAD: Final = (
    f"define void @{NAME}(ptr %pointers, ptr %layout, i64 %begin, i64 %end, ptr %numbers) nounwind"
)
_ROWS: Final = 8
"""Rows that are gone through at once: each number waits for the one before it in its row."""
_SIDE: Final = 8
"""Rows and columns of a tile that is transposed in registers."""


def _text(code: LoopText) -> str:
    return "\n".join([*code.function(_HEAD), *sorted(code.intrinsics)])


def _element(code: LoopText, array: str, index: str, dtype: np.dtype) -> str:
    """The address of an element of an array without gaps."""
    return code.add(f"getelementptr {memory_type(dtype)}, ptr {array}, i64 {index}")


# -- Running results ---------------------------------------------------------------------------


@functools.cache
def running_text(operator: str, source: np.dtype, carried: np.dtype, result: np.dtype) -> str:
    """Of rows: pointers to these, to results, and for extremes to places; the layout is the length of a row."""
    code = LoopText()
    row = _RunningRows(code, operator, source, carried, result)
    count = code.add("sub i64 %end, %begin")
    rest = code.add(f"srem i64 {count}, {_ROWS}")
    whole = code.add(f"sub i64 %end, {rest}")
    for begin, end, rows in (("%begin", whole, _ROWS), (whole, "%end", 1)):
        with code.loop(begin, end, rows) as first:
            row.write(first, rows)
    return _text(code)


class _RunningRows:
    """Several rows at once."""

    def __init__(
        self,
        code: LoopText,
        operator: str,
        source: np.dtype,
        carried: np.dtype,
        result: np.dtype,
    ) -> None:
        self._code, self._operator = code, operator
        self._source, self._carried, self._result = source, carried, result
        self._has_places = operator in ("max", "min")
        count = 3 if self._has_places else 2
        self._arrays = [code.word("%pointers", place, "ptr") for place in range(count)]
        self._extent = code.word("%layout", 0)

    def write(self, first: str, rows: int) -> None:
        code, type = self._code, register_type(self._carried)
        begins = [
            code.add(f"mul i64 {self._extent}, {code.add(f'add i64 {first}, {row}')}")
            for row in range(rows)
        ]
        carried = [code.slot(type, self._beginning()) for _ in range(rows)]
        places = [code.slot("i64", "0") for _ in range(rows)] if self._has_places else []
        with code.loop("0", self._extent) as step:
            for row, begin in enumerate(begins):
                index = code.add(f"add i64 {begin}, {step}")
                address = _element(code, self._arrays[0], index, self._source)
                x = code.cast(code.load(address, self._source), self._carried)
                before = code.element(f"load {type}, ptr {carried[row]}", self._carried)
                if places:
                    after = self._extreme(before, x, index, step, places[row])
                else:
                    verb = (
                        self._operator if not is_floating(self._carried) else f"f{self._operator}"
                    )
                    after = code.binary(verb, before, x)
                code.lines.append(f"  store {type} {after.name}, ptr {carried[row]}")
                made = code.cast(after, self._result)
                code.store(made, _element(code, self._arrays[1], index, self._result))

    def _beginning(self) -> str:
        dtype = self._carried
        if self._has_places:
            if is_floating(dtype):
                return constant(-np.inf if self._operator == "max" else np.inf, dtype).name
            limits = np.iinfo(dtype)
            return constant(limits.min if self._operator == "max" else limits.max, dtype).name
        if self._operator == "mul":
            return constant(1, dtype).name
        return constant(-0.0 if is_floating(dtype) else 0, dtype).name

    def _extreme(self, before: Element, x: Element, index: str, step: str, place: str) -> Element:
        """The last place of equal ones, and of numbers that are none."""
        code, is_largest = self._code, self._operator == "max"
        if is_floating(x.dtype):
            taken = code.compare(f"fcmp {'oge' if is_largest else 'ole'}", x, before).name
            is_nan = code.compare("fcmp uno", x, x).name
            taken = code.add(f"or i1 {taken}, {is_nan}")
        else:
            taken = code.compare(f"icmp {'sge' if is_largest else 'sle'}", x, before).name
        known = code.add(f"load i64, ptr {place}")
        now = code.add(f"select i1 {taken}, i64 {step}, i64 {known}")
        code.lines.append(f"  store i64 {now}, ptr {place}")
        code.store(Element(now, LONG), _element(code, self._arrays[2], index, LONG))
        return code.select(Element(taken, np.dtype(bool)), x, before)


# -- Rows and elements that are named ------------------------------------------------------------


@functools.cache
def row_sums_text(dtype: np.dtype) -> str:
    """Adds rows to those of a target that are named, in order: pointers to the target, names, and rows; the layout is
    their count and the strides of target and rows. A part is one of columns.
    """
    code = LoopText()
    target, names, rows = (code.word("%pointers", place, "ptr") for place in range(3))
    count, target_step, row_step = (code.word("%layout", place) for place in range(3))
    with code.loop("0", count) as step:
        name = code.add(f"load i64, ptr {_element(code, names, step, LONG)}")
        to, of = code.moved(target, (name, target_step)), code.moved(rows, (step, row_step))
        with code.loop("%begin", "%end") as column:
            place = _element(code, to, column, dtype)
            x = code.load(_element(code, of, column, dtype), dtype)
            verb = "fadd" if is_floating(dtype) else "add"
            code.store(code.binary(verb, code.load(place, dtype), x), place)
    return _text(code)


@functools.cache
def bag_sums_text(dtype: np.dtype) -> str:
    """Sums of the rows of a table that are named, in order: pointers to results, the table, names, and where the names
    of each bag begin, and those of the last one end; the layout is how many columns there are, and the stride of the
    table. A part is one of bags.
    """
    code = LoopText()
    made, table, names, bounds = (code.word("%pointers", place, "ptr") for place in range(4))
    columns, table_step = (code.word("%layout", place) for place in range(2))
    step = code.add(f"mul i64 {columns}, {dtype.itemsize}")
    verb = "fadd" if is_floating(dtype) else "add"
    with code.loop("%begin", "%end") as bag:
        to = code.moved(made, (bag, step))
        following = code.add(f"add i64 {bag}, 1")
        low, high = (
            code.add(f"load i64, ptr {_element(code, bounds, each, LONG)}")
            for each in (bag, following)
        )
        with code.loop("0", columns) as column:
            code.store(constant(0, dtype), _element(code, to, column, dtype))
        with code.loop(low, high) as place:
            name = code.add(f"load i64, ptr {_element(code, names, place, LONG)}")
            of = code.moved(table, (name, table_step))
            with code.loop("0", columns) as column:
                at = _element(code, to, column, dtype)
                x = code.load(_element(code, of, column, dtype), dtype)
                code.store(code.binary(verb, code.load(at, dtype), x), at)
    return _text(code)


@functools.cache
def shuffle_text() -> str:
    """Exchanges each number with one of those from it on, in order: pointers to numbers and to draws; the layout is how
    many numbers there are.
    """
    code = LoopText()
    numbers, draws = (code.word("%pointers", place, "ptr") for place in range(2))
    count = code.word("%layout", 0)
    with code.loop("%begin", "%end") as step:
        place = code.add(f"getelementptr i32, ptr {draws}, i64 {step}")
        wide = code.add(f"zext i32 {code.add(f'load i32, ptr {place}')} to i64")
        distance = code.add(f"urem i64 {wide}, {code.add(f'sub i64 {count}, {step}')}")
        other = code.add(f"add i64 {step}, {distance}")
        places = [_element(code, numbers, each, LONG) for each in (step, other)]
        values = [code.add(f"load i64, ptr {each}") for each in places]
        for place, value in zip(places, reversed(values)):
            code.lines.append(f"  store i64 {value}, ptr {place}")
    return _text(code)


# -- Transposed copies -------------------------------------------------------------------------


@functools.cache
def transposition_text(bits: int) -> str:
    """Copies a matrix whose columns lie without gaps to one whose rows do: pointers to the copy and to it; the layout
    is the numbers of rows and columns, and the strides of rows in the copy and of columns. A part is one of rows.
    """
    code, item = LoopText(), f"i{bits}"
    to, of = (code.word("%pointers", place, "ptr") for place in range(2))
    _, columns, row_step, column_step = (code.word("%layout", place) for place in range(4))
    byte_count = str(bits // 8)
    whole_rows, whole_columns = (
        code.add(f"sub i64 {end}, {code.add(f'srem i64 {count}, {_SIDE}')}")
        for end, count in (("%end", code.add("sub i64 %end, %begin")), (columns, columns))
    )

    def one_by_one(row: str, begin: str) -> None:
        with code.loop(begin, columns) as column:
            source = code.moved(of, (column, column_step), (row, byte_count))
            found = code.add(f"load {item}, ptr {source}, align 1")
            target = code.moved(to, (row, row_step), (column, byte_count))
            code.lines.append(f"  store {item} {found}, ptr {target}, align 1")

    with code.loop("%begin", whole_rows, _SIDE) as row:
        with code.loop("0", whole_columns, _SIDE) as column:
            source = code.moved(of, (column, column_step), (row, byte_count))
            target = code.moved(to, (row, row_step), (column, byte_count))
            _tile(code, item, target, source, row_step, column_step)
        for place in range(_SIDE):
            one_by_one(code.add(f"add i64 {row}, {place}"), whole_columns)
    with code.loop(whole_rows, "%end") as row:
        one_by_one(row, "0")
    return _text(code)


def _tile(
    code: LoopText, item: str, target: str, source: str, row_step: str, column_step: str
) -> None:
    """Exchanges ever larger blocks of a tile beside its diagonal."""
    type = f"<{_SIDE} x {item}>"
    vectors = [
        code.add(f"load {type}, ptr {code.moved(source, (str(k), column_step))}, align 1")
        for k in range(_SIDE)
    ]
    distance = 1
    while distance < _SIDE:
        for k in (k for k in range(_SIDE) if not k & distance):
            pair = vectors[k], vectors[k + distance]
            for upper in (0, 1):
                lanes = [
                    (lane if not lane & distance else lane - distance + _SIDE)
                    if not upper
                    else (lane + distance if not lane & distance else lane + _SIDE)
                    for lane in range(_SIDE)
                ]
                vectors[k + upper * distance] = _shuffled(code, type, pair, lanes)
        distance *= 2
    for k, vector in enumerate(vectors):
        place = code.moved(target, (str(k), row_step))
        code.lines.append(f"  store {type} {vector}, ptr {place}, align 1")


def _shuffled(code: LoopText, type: str, pair: tuple[str, str], lanes: Sequence[int]) -> str:
    chosen = ", ".join(f"i32 {each}" for each in lanes)
    return code.add(f"shufflevector {type} {pair[0]}, {type} {pair[1]}, <{_SIDE} x i32> <{chosen}>")
