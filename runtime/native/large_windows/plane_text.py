"""The text of functions on whole planes, told by tables: means of uneven windows, and weighted sums along both axes.

Each is called as kernels over windows are; a part is one of planes. Sums are taken in the order in which PyTorch takes
them, and each product and each sum is rounded.
"""

from __future__ import annotations

import functools
from enum import IntEnum
from typing import Final

import numpy as np

from tsc.runtime.native.expressions.instructions import register_type
from tsc.runtime.native.expressions.loop_text import LoopText

NAME: Final = "kernel"
_HEAD: Final = (
    f"define void @{NAME}(ptr %pointers, ptr %layout, i64 %begin, i64 %end, ptr %scratch) nounwind"
)
AXES: Final = 3

WindowWord = IntEnum("WindowWord", "PLANE RESULT_PLANE STEPS COUNTS", start=0)
"""The layout of means: bytes of a plane and of its results; strides of each axis; how many windows each has."""
SumPointer = IntEnum(
    "SumPointer", "SOURCE RESULT ROW_PLACES ROW_WEIGHTS COLUMN_PLACES COLUMN_WEIGHTS", start=0
)
SumWord = IntEnum("SumWord", "ROWS COLUMNS MADE_ROWS MADE_COLUMNS ROW_TERMS COLUMN_TERMS", start=0)
"""The layout of weighted sums: the extents of planes without gaps before and after, and how many terms sums have."""


def _text(code: LoopText) -> str:
    return "\n".join([*code.function(_HEAD), *sorted(code.intrinsics)])


# -- Means of uneven windows ---------------------------------------------------------------------


@functools.cache
def uneven_mean_text(dtype: np.dtype) -> str:
    """Of planes without gaps: pointers to them, to results, and for each axis to pairs of where a window begins and how
    long it is.
    """
    code, type, item = LoopText(), register_type(dtype), str(dtype.itemsize)
    source, result, *tables = (code.word("%pointers", k, "ptr") for k in range(2 + AXES))
    steps = [code.word("%layout", WindowWord.STEPS + axis) for axis in range(AXES)]
    counts = [code.word("%layout", WindowWord.STEPS + AXES + axis) for axis in range(AXES)]
    sizes = [code.word("%layout", k) for k in (WindowWord.PLANE, WindowWord.RESULT_PLANE)]
    with code.loop("%begin", "%end") as plane:
        base = code.moved(source, (plane, sizes[0]))
        made = code.slot("ptr", code.moved(result, (plane, sizes[1])))
        with (
            code.loop("0", counts[0]) as z,
            code.loop("0", counts[1]) as y,
            code.loop("0", counts[2]) as x,
        ):
            entries = [code.moved(table, (k, "16")) for table, k in zip(tables, (z, y, x))]
            starts, lengths = ([code.word(each, k) for each in entries] for k in range(2))
            corner = code.moved(base, *zip(starts, steps))
            total = code.slot(type, "0.0")
            with code.loop("0", lengths[0]) as dz, code.loop("0", lengths[1]) as dy:
                row = code.moved(corner, (dz, steps[0]), (dy, steps[1]))
                with code.loop("0", lengths[2]) as dx:
                    place = code.add(f"getelementptr {type}, ptr {row}, i64 {dx}")
                    value = code.add(f"load {type}, ptr {place}")
                    before = code.add(f"load {type}, ptr {total}")
                    after = code.add(f"fadd {type} {before}, {value}")
                    code.lines.append(f"  store {type} {after}, ptr {total}")
            mean = code.add(f"load {type}, ptr {total}")
            for length in lengths:
                divisor = code.add(f"sitofp i64 {length} to {type}")
                mean = code.add(f"fdiv {type} {mean}, {divisor}")
            at = code.add(f"load ptr, ptr {made}")
            code.lines.append(f"  store {type} {mean}, ptr {at}")
            code.lines.append(f"  store ptr {code.moved(at, ('1', item))}, ptr {made}")
    return _text(code)


# -- Weighted sums along rows and columns -----------------------------------------------------------


@functools.cache
def weighted_sums_text(dtype: np.dtype) -> str:
    """Pointers are those of `SumPointer`: places are (terms, results), of int64, and weights are of the dtype.

    Rows are summed up first, into memory for a plane of them.
    """
    sums = _WeightedSums(dtype)
    code = sums.code
    planes = [code.word("%pointers", k, "ptr") for k in (SumPointer.SOURCE, SumPointer.RESULT)]
    rows, columns, made_rows, made_columns = (sums.word(k) for k in list(SumWord)[:4])
    item = str(dtype.itemsize)
    lines = code.add(f"mul i64 {columns}, {item}"), code.add(f"mul i64 {made_columns}, {item}")
    sizes = code.add(f"mul i64 {rows}, {lines[0]}"), code.add(f"mul i64 {made_rows}, {lines[1]}")
    with code.loop("%begin", "%end") as plane:
        source, target = (code.moved(*each) for each in zip(planes, ((plane, k) for k in sizes)))
        with code.loop("0", rows) as row:
            ends = code.moved(source, (row, lines[0])), code.moved("%scratch", (row, lines[1]))
            sums.along_row(*ends, made_columns)
        with code.loop("0", made_rows) as row:
            sums.along_columns(code.moved(target, (row, lines[1])), row, lines[1])
    return _text(code)


class _WeightedSums:
    def __init__(self, dtype: np.dtype) -> None:
        self.code, self.type, self.item = LoopText(), register_type(dtype), str(dtype.itemsize)

    def word(self, place: SumWord) -> str:
        return self.code.word("%layout", place)

    def along_row(self, source: str, target: str, count: str) -> None:
        """The results of a row, one after the other."""
        code = self.code
        places = code.word("%pointers", SumPointer.COLUMN_PLACES, "ptr")
        weights = code.word("%pointers", SumPointer.COLUMN_WEIGHTS, "ptr")
        terms = self.word(SumWord.COLUMN_TERMS)
        with code.loop("0", terms) as term, code.loop("0", count) as column:
            entry = code.add(f"add i64 {code.add(f'mul i64 {term}, {count}')}, {column}")
            place = code.add(f"load i64, ptr {code.moved(places, (entry, '8'))}")
            weight = code.add(f"load {self.type}, ptr {code.moved(weights, (entry, self.item))}")
            value = code.add(f"load {self.type}, ptr {code.moved(source, (place, self.item))}")
            product = code.add(f"fmul {self.type} {value}, {weight}")
            self._add(code.moved(target, (column, self.item)), product, term)

    def along_columns(self, target: str, row: str, line: str) -> None:
        """A row of results, of the rows that were made."""
        code, rows = self.code, self.word(SumWord.MADE_ROWS)
        places = code.word("%pointers", SumPointer.ROW_PLACES, "ptr")
        weights = code.word("%pointers", SumPointer.ROW_WEIGHTS, "ptr")
        count = self.word(SumWord.MADE_COLUMNS)
        with code.loop("0", self.word(SumWord.ROW_TERMS)) as term:
            entry = code.add(f"add i64 {code.add(f'mul i64 {term}, {rows}')}, {row}")
            place = code.add(f"load i64, ptr {code.moved(places, (entry, '8'))}")
            weight = code.add(f"load {self.type}, ptr {code.moved(weights, (entry, self.item))}")
            source = code.moved("%scratch", (place, line))
            with code.loop("0", count) as column:
                value = code.add(f"load {self.type}, ptr {code.moved(source, (column, self.item))}")
                product = code.add(f"fmul {self.type} {value}, {weight}")
                self._add(code.moved(target, (column, self.item)), product, term)

    def _add(self, target: str, product: str, term: str) -> None:
        """Adds a product to what is there; the first one is stored as it is."""
        code = self.code
        is_first = code.add(f"icmp eq i64 {term}, 0")
        before = code.add(f"load {self.type}, ptr {target}")
        total = code.add(f"fadd {self.type} {before}, {product}")
        chosen = code.add(f"select i1 {is_first}, {self.type} {product}, {self.type} {total}")
        code.lines.append(f"  store {self.type} {chosen}, ptr {target}")
