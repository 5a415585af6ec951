"""The text of kernels for small matrix products: tiles of the result are summed up in vectors, in a fixed order.

Where the columns of the second matrix lie beside each other, vectors hold columns of the result; where the terms of
sums do, in both matrices, vectors hold terms. A kernel is called as all kernels of groups are (`fused_kernel`); its
layout is the extents of two axes of stacks, of rows, columns and terms, then the strides of the result, of both
matrices and of what is added: by stack, stack, row and column of each, in bytes.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np

from tsc.runtime.native.expressions.loop_text import LoopText
from tsc.runtime.native.expressions.vectors import Vectors

EXTENTS: Final = 5
_ROWS, _COLUMNS, _TERMS = 2, 3, 4
_RESULT, _LEFT, _RIGHT, _ADDED = range(4)
_ROW, _COLUMN = 2, 3
_BYTES_OF_VECTOR: Final = 64
TILE_ROWS: Final = 4
_TERM_COLUMNS: Final = (4, 2, 1)
"""Of tiles whose vectors hold terms: as many as there are of the first kind, then those that are left."""
_LEFT_OVER: Final = "left"
_FEW: Final = "few"
"""Tiles of what is left of the columns: more than a vector of them, or less."""

Added = Literal["none", "columns", "rows"]
"""What is added to a product: a number for each of its elements, whose columns are adjacent, or for each row."""

_HEAD: Final = (
    "define internal void @{name}(ptr noalias %c, ptr %a, ptr %b, ptr %d, ptr %layout, i64 %left)"
    " noinline nounwind"
)


@functools.cache
def product_text(dtype: np.dtype, *, in_columns: bool, added: Added = "none") -> str:
    """The function `product`, of float32 or float64, for arrays whose columns or else whose terms are adjacent."""
    tiles = _Tiles(dtype, added)
    lines: list[str] = []
    intrinsics: set[str] = set()
    for text in tiles.column_functions() if in_columns else tiles.term_functions():
        lines += text.lines
        intrinsics |= text.intrinsics
    entry = _entry(tiles, in_columns)
    return "\n".join([*lines, *entry, *sorted(intrinsics)])


@dataclass(frozen=True, slots=True)
class _TileText:
    lines: list[str]
    intrinsics: set[str]


class _Tiles:
    """Functions that compute one tile each: of rows, and of columns."""

    def __init__(self, dtype: np.dtype, added: Added) -> None:
        self.dtype, self.item = dtype, dtype.itemsize
        self.lanes = _BYTES_OF_VECTOR // dtype.itemsize
        self.is_added = added != "none"
        self._is_added_to_rows = added == "rows"

    def column_functions(self) -> list[_TileText]:
        return [
            self._columns(f"columns{rows}{kind}", rows, vectors, bool(kind))
            for rows in (TILE_ROWS, 1)
            for kind, vectors in (
                ("", self.vectors_of(rows)),
                (_LEFT_OVER, self.vectors_of(rows)),
                (_FEW, 1),
            )
        ]

    def term_functions(self) -> list[_TileText]:
        return [self._terms(rows, columns) for rows in (TILE_ROWS, 1) for columns in _TERM_COLUMNS]

    def vectors_of(self, rows: int) -> int:
        """Vectors beside each other in a tile of columns."""
        return 2 if rows > 1 else 4

    # -- Vectors of columns --------------------------------------------------------------------

    def _columns(self, name: str, rows: int, vectors: int, is_part: bool) -> _TileText:
        """Columns from the first on: all of a tile, or those that are left."""
        code = LoopText()
        on = Vectors(code, self.dtype, self.lanes)
        sums = self._sums(on, rows * vectors)
        firsts = [place * self.lanes for place in range(vectors)]
        masks = [on.below("%left", first) if is_part else None for first in firsts]
        a_row, a_column = _stride(code, _LEFT, _ROW), _stride(code, _LEFT, _COLUMN)
        b_row = _stride(code, _RIGHT, _ROW)
        with code.loop("0", code.word("%layout", _TERMS)) as term:
            row = code.moved("%b", (term, b_row))
            loaded = [
                on.load(_after(code, row, first * self.item), mask)
                for first, mask in zip(firsts, masks)
            ]
            for k in range(rows):
                element = code.moved("%a", (str(k), a_row), (term, a_column))
                factor = on.spread(element)
                for place, columns in enumerate(loaded):
                    on.add_product(sums[k * vectors + place], factor, columns)
        for k in range(rows):
            for place in range(vectors):
                self._store_columns(on, k, place, sums[k * vectors + place], masks[place])
        return _TileText(code.function(_HEAD.format(name=name)), code.intrinsics)

    def _store_columns(
        self, on: Vectors, row: int, place: int, sums: str, mask: str | None
    ) -> None:
        code = on.code
        value = code.add(f"load {on.type}, ptr {sums}")
        bytes = place * self.lanes * self.item
        if self.is_added:
            added = code.moved("%d", (str(row), _stride(code, _ADDED, _ROW)))
            other = (
                on.spread(added)
                if self._is_added_to_rows
                else on.load(_after(code, added, bytes), mask)
            )
            value = code.add(f"fadd {on.type} {value}, {other}")
        target = code.moved("%c", (str(row), _stride(code, _RESULT, _ROW)))
        on.store(value, _after(code, target, bytes), mask)

    # -- Vectors of terms ----------------------------------------------------------------------

    def _terms(self, rows: int, columns: int) -> _TileText:
        code = LoopText()
        on = Vectors(code, self.dtype, self.lanes)
        sums = self._sums(on, rows * columns)
        count = code.word("%layout", _TERMS)
        rest = code.add(f"srem i64 {count}, {self.lanes}")
        whole = code.add(f"sub i64 {count}, {rest}")
        a_row, b_column = _stride(code, _LEFT, _ROW), _stride(code, _RIGHT, _COLUMN)
        with code.loop("0", whole, self.lanes) as term:
            self._add_terms(on, rows, columns, sums, (a_row, b_column), term, None)
        with code.when(code.add(f"icmp sgt i64 {rest}, 0")):
            mask = on.below(rest)
            self._add_terms(on, rows, columns, sums, (a_row, b_column), whole, mask)
        for row in range(rows):
            for column in range(columns):
                self._store_sum(on, row, column, sums[row * columns + column])
        name = f"terms{rows}{columns}"
        return _TileText(code.function(_HEAD.format(name=name)), code.intrinsics)

    def _add_terms(
        self,
        on: Vectors,
        rows: int,
        columns: int,
        sums: list[str],
        strides: tuple[str, str],
        term: str,
        mask: str | None,
    ) -> None:
        moved, (a_row, b_column) = on.code.moved, strides
        at = (term, str(self.item))
        left = [on.load(moved("%a", (str(k), a_row), at), mask) for k in range(rows)]
        for column in range(columns):
            right = on.load(moved("%b", (str(column), b_column), at), mask)
            for row in range(rows):
                on.add_product(sums[row * columns + column], left[row], right)

    def _store_sum(self, on: Vectors, row: int, column: int, sums: str) -> None:
        code = on.code
        total = on.total(code.add(f"load {on.type}, ptr {sums}"))
        if self.is_added:
            place = self._element(code, "%d", _ADDED, row, column)
            other = code.add(f"load {on.element}, ptr {place}, align 1")
            total = code.add(f"fadd {on.element} {total}, {other}")
        place = self._element(code, "%c", _RESULT, row, column)
        code.lines.append(f"  store {on.element} {total}, ptr {place}, align 1")

    def _element(self, code: LoopText, base: str, array: int, row: int, column: int) -> str:
        by_row, by_column = _stride(code, array, _ROW), _stride(code, array, _COLUMN)
        return code.moved(base, (str(row), by_row), (str(column), by_column))

    def _sums(self, on: Vectors, count: int) -> list[str]:
        return [on.code.slot(on.type, "zeroinitializer") for _ in range(count)]


def _after(code: LoopText, place: str, bytes: int) -> str:
    return code.add(f"getelementptr i8, ptr {place}, i64 {bytes}")


def _stride(code: LoopText, array: int, axis: int) -> str:
    return code.word("%layout", EXTENTS + 4 * array + axis)


def _entry(tiles: _Tiles, in_columns: bool) -> list[str]:
    """The function that is called: all tiles of all matrices of the stacks."""
    code = LoopText()
    count = 4 if tiles.is_added else 3
    bases = [code.word("%pointers", place, "ptr") for place in range(count)]
    with (
        code.loop("%begin", "%end") as first,
        code.loop("0", code.word("%layout", 1)) as second,
    ):
        matrices = [
            code.moved(base, (first, _stride(code, place, 0)), (second, _stride(code, place, 1)))
            for place, base in enumerate(bases)
        ]
        rows = code.word("%layout", _ROWS)
        whole = code.add(f"sub i64 {rows}, {code.add(f'srem i64 {rows}, {TILE_ROWS}')}")
        for tall, begin, end in ((TILE_ROWS, "0", whole), (1, whole, rows)):
            with code.loop(begin, end, tall) as row:
                moved = [
                    code.moved(matrix, (row, _stride(code, place, _ROW)))
                    if place != _RIGHT
                    else matrix
                    for place, matrix in enumerate(matrices)
                ]
                _row_of_tiles(code, tiles, tall, moved, in_columns)
    head = "define void @product(ptr %pointers, ptr %layout, i64 %begin, i64 %end, ptr %numbers)"
    return code.function(f"{head} nounwind")


def _row_of_tiles(
    code: LoopText, tiles: _Tiles, rows: int, matrices: list[str], in_columns: bool
) -> None:
    columns = code.word("%layout", _COLUMNS)
    begin, kinds = "0", [(each, f"terms{rows}{each}") for each in _TERM_COLUMNS]
    if in_columns:
        kinds = [(tiles.lanes * tiles.vectors_of(rows), f"columns{rows}")]
    for step, function in kinds:
        left = code.add(f"sub i64 {columns}, {begin}")
        end = code.add(f"sub i64 {columns}, {code.add(f'srem i64 {left}, {step}')}")
        with code.loop(begin, end, step) as column:
            _call_tile(code, function, matrices, column, "0")
        begin = end
    if in_columns:
        left = code.add(f"sub i64 {columns}, {begin}")
        is_many = code.add(f"icmp sgt i64 {left}, {tiles.lanes}")
        is_any = code.add(f"icmp sgt i64 {left}, 0")
        is_few = code.add(f"and i1 {is_any}, {code.add(f'xor i1 {is_many}, true')}")
        for condition, kind in ((is_many, _LEFT_OVER), (is_few, _FEW)):
            with code.when(condition):
                _call_tile(code, f"columns{rows}{kind}", matrices, begin, left)


def _call_tile(code: LoopText, function: str, matrices: list[str], column: str, left: str) -> None:
    places: list[str] = []
    for array, matrix in enumerate(matrices):
        place = matrix
        if array != _LEFT:
            place = code.moved(place, (column, _stride(code, array, _COLUMN)))
        places.append(place)
    added = places[_ADDED] if len(places) > _ADDED else "null"
    given = [*places[:_ADDED], added, "%layout"]
    code.call(function, [*(f"ptr {each}" for each in given), f"i64 {left}"])
