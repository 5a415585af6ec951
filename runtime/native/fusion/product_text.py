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

from tsc.runtime.arrays.dtypes import FLOAT
from tsc.runtime.native.expressions.loop_text import LoopText

EXTENTS: Final = 5
_ROWS, _COLUMNS, _TERMS = 2, 3, 4
_RESULT, _LEFT, _RIGHT, _ADDED = range(4)
_ROW, _COLUMN = 2, 3
_BYTES_OF_VECTOR: Final = 64
_TILE_ROWS: Final = 4

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
        self.lanes = _BYTES_OF_VECTOR // dtype.itemsize
        self.item = dtype.itemsize
        self.type = "float" if dtype == FLOAT else "double"
        self.vector = f"<{self.lanes} x {self.type}>"
        self.suffix = f"v{self.lanes}f{dtype.itemsize * 8}"
        self.is_added = added != "none"
        self._is_added_to_rows = added == "rows"

    def column_functions(self) -> list[_TileText]:
        return [
            self._columns(rows, self.vectors_of(rows), is_whole)
            for rows in (_TILE_ROWS, 1)
            for is_whole in (True, False)
        ]

    def term_functions(self) -> list[_TileText]:
        return [self._terms(rows, columns) for rows, columns in ((_TILE_ROWS, 4), (1, 4), (1, 1))]

    def vectors_of(self, rows: int) -> int:
        """Vectors beside each other in a tile of columns."""
        return 2 if rows > 1 else 4

    # -- Vectors of columns --------------------------------------------------------------------

    def _columns(self, rows: int, vectors: int, is_whole: bool) -> _TileText:
        """Columns from the first on: all of a tile, or those that are left."""
        code = LoopText()
        sums = self._sums(code, rows * vectors)
        masks = [None if is_whole else self._mask(code, place) for place in range(vectors)]
        steps = [self.item] * vectors
        a_row, a_column = _stride(code, _LEFT, _ROW), _stride(code, _LEFT, _COLUMN)
        b_row = _stride(code, _RIGHT, _ROW)
        with code.loop("0", code.word("%layout", _TERMS)) as term:
            row = code.moved("%b", (term, b_row))
            loaded = [
                self._load(code, _after(code, row, place * self.lanes * step), masks[place])
                for place, step in enumerate(steps)
            ]
            for k in range(rows):
                element = code.moved("%a", (str(k), a_row), (term, a_column))
                factor = self._everywhere(
                    code, code.add(f"load {self.type}, ptr {element}, align 1")
                )
                for place, columns in enumerate(loaded):
                    self._add_product(code, sums[k * vectors + place], factor, columns)
        for k in range(rows):
            for place in range(vectors):
                self._store_columns(code, k, place, sums[k * vectors + place], masks[place])
        name = f"columns{rows}{'' if is_whole else 'left'}"
        return _TileText(code.function(_HEAD.format(name=name)), code.intrinsics)

    def _store_columns(
        self, code: LoopText, row: int, place: int, sums: str, mask: str | None
    ) -> None:
        value = code.add(f"load {self.vector}, ptr {sums}")
        bytes = place * self.lanes * self.item
        if self.is_added:
            added = code.moved("%d", (str(row), _stride(code, _ADDED, _ROW)))
            other = self._added(code, added, bytes, mask)
            value = code.add(f"fadd {self.vector} {value}, {other}")
        target = code.moved("%c", (str(row), _stride(code, _RESULT, _ROW)))
        self._store(code, value, _after(code, target, bytes), mask)

    def _added(self, code: LoopText, row: str, bytes: int, mask: str | None) -> str:
        if not self._is_added_to_rows:
            return self._load(code, _after(code, row, bytes), mask)
        return self._everywhere(code, code.add(f"load {self.type}, ptr {row}, align 1"))

    # -- Vectors of terms ----------------------------------------------------------------------

    def _terms(self, rows: int, columns: int) -> _TileText:
        code = LoopText()
        sums = self._sums(code, rows * columns)
        count = code.word("%layout", _TERMS)
        rest = code.add(f"srem i64 {count}, {self.lanes}")
        whole = code.add(f"sub i64 {count}, {rest}")
        a_row, b_column = _stride(code, _LEFT, _ROW), _stride(code, _RIGHT, _COLUMN)
        with code.loop("0", whole, self.lanes) as term:
            self._add_terms(code, rows, columns, sums, (a_row, b_column), term, None)
        with code.when(code.add(f"icmp sgt i64 {rest}, 0")):
            mask = self._mask(code, 0, rest)
            self._add_terms(code, rows, columns, sums, (a_row, b_column), whole, mask)
        for row in range(rows):
            for column in range(columns):
                self._store_sum(code, row, column, sums[row * columns + column])
        name = f"terms{rows}{columns}"
        return _TileText(code.function(_HEAD.format(name=name)), code.intrinsics)

    def _add_terms(
        self,
        code: LoopText,
        rows: int,
        columns: int,
        sums: list[str],
        strides: tuple[str, str],
        term: str,
        mask: str | None,
    ) -> None:
        a_row, b_column = strides
        at = (term, str(self.item))
        left = [self._load(code, code.moved("%a", (str(k), a_row), at), mask) for k in range(rows)]
        for column in range(columns):
            right = self._load(code, code.moved("%b", (str(column), b_column), at), mask)
            for row in range(rows):
                self._add_product(code, sums[row * columns + column], left[row], right)

    def _store_sum(self, code: LoopText, row: int, column: int, sums: str) -> None:
        value = code.add(f"load {self.vector}, ptr {sums}")
        function = f"@llvm.vector.reduce.fadd.{self.suffix}"
        code.intrinsics.add(f"declare {self.type} {function}({self.type}, {self.vector})")
        total = code.add(
            f"call reassoc {self.type} {function}({self.type} 0.0, {self.vector} {value})"
        )
        if self.is_added:
            place = self._element(code, "%d", _ADDED, row, column)
            other = code.add(f"load {self.type}, ptr {place}, align 1")
            total = code.add(f"fadd {self.type} {total}, {other}")
        place = self._element(code, "%c", _RESULT, row, column)
        code.lines.append(f"  store {self.type} {total}, ptr {place}, align 1")

    def _element(self, code: LoopText, base: str, array: int, row: int, column: int) -> str:
        by_row, by_column = _stride(code, array, _ROW), _stride(code, array, _COLUMN)
        return code.moved(base, (str(row), by_row), (str(column), by_column))

    # -- Instructions --------------------------------------------------------------------------

    def _sums(self, code: LoopText, count: int) -> list[str]:
        return [code.slot(self.vector, "zeroinitializer") for _ in range(count)]

    def _add_product(self, code: LoopText, sums: str, a: str, b: str) -> None:
        function, type = f"@llvm.fma.{self.suffix}", self.vector
        code.intrinsics.add(f"declare {type} {function}({type}, {type}, {type})")
        before = code.add(f"load {type}, ptr {sums}")
        after = code.add(f"call {type} {function}({type} {a}, {type} {b}, {type} {before})")
        code.lines.append(f"  store {type} {after}, ptr {sums}")

    def _everywhere(self, code: LoopText, element: str) -> str:
        return _splat(code, self.vector, self.type, element, self.lanes)

    def _mask(self, code: LoopText, place: int, left: str = "%left") -> str:
        """Which lanes of the vector at `place` there are."""
        rest = code.add(f"trunc i64 {code.add(f'sub i64 {left}, {place * self.lanes}')} to i32")
        words = f"<{self.lanes} x i32>"
        lanes = ", ".join(f"i32 {lane}" for lane in range(self.lanes))
        wanted = _splat(code, words, "i32", rest, self.lanes)
        return code.add(f"icmp slt {words} <{lanes}>, {wanted}")

    def _load(self, code: LoopText, place: str, mask: str | None) -> str:
        if mask is None:
            return code.add(f"load {self.vector}, ptr {place}, align 1")
        function, bits = f"@llvm.masked.load.{self.suffix}.p0", f"<{self.lanes} x i1>"
        code.intrinsics.add(f"declare {self.vector} {function}(ptr, i32, {bits}, {self.vector})")
        given = f"ptr {place}, i32 1, {bits} {mask}, {self.vector} zeroinitializer"
        return code.add(f"call {self.vector} {function}({given})")

    def _store(self, code: LoopText, value: str, place: str, mask: str | None) -> None:
        if mask is None:
            code.lines.append(f"  store {self.vector} {value}, ptr {place}, align 1")
            return
        function, bits = f"llvm.masked.store.{self.suffix}.p0", f"<{self.lanes} x i1>"
        code.intrinsics.add(f"declare void @{function}({self.vector}, ptr, i32, {bits})")
        code.call(function, [f"{self.vector} {value}", f"ptr {place}", "i32 1", f"{bits} {mask}"])


def _splat(code: LoopText, vector: str, type: str, element: str, lanes: int) -> str:
    one = code.add(f"insertelement {vector} poison, {type} {element}, i32 0")
    return code.add(
        f"shufflevector {vector} {one}, {vector} poison, <{lanes} x i32> zeroinitializer"
    )


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
        whole = code.add(f"sub i64 {rows}, {code.add(f'srem i64 {rows}, {_TILE_ROWS}')}")
        for tall, begin, end in ((_TILE_ROWS, "0", whole), (1, whole, rows)):
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
    if in_columns:
        wide = tiles.lanes * tiles.vectors_of(rows)
        parts = ((wide, f"columns{rows}", 1), (wide, f"columns{rows}left", 1))
    else:
        parts = ((4, f"terms{rows}4", 1), (1, "terms11", rows))
    wide = parts[0][0]
    whole = code.add(f"sub i64 {columns}, {code.add(f'srem i64 {columns}, {wide}')}")
    for (step, function, repeats), begin, end in zip(parts, ("0", whole), (whole, columns)):
        with code.loop(begin, end, step) as column:
            left = code.add(f"sub i64 {columns}, {column}")
            for row in range(repeats):
                _call_tile(code, function, matrices, row, column, left)


def _call_tile(
    code: LoopText, function: str, matrices: list[str], row: int, column: str, left: str
) -> None:
    places: list[str] = []
    for array, matrix in enumerate(matrices):
        place = matrix
        if array != _RIGHT:
            place = code.moved(place, (str(row), _stride(code, array, _ROW)))
        if array != _LEFT:
            place = code.moved(place, (column, _stride(code, array, _COLUMN)))
        places.append(place)
    added = places[_ADDED] if len(places) > _ADDED else "null"
    given = [*places[:_ADDED], added, "%layout"]
    code.call(function, [*(f"ptr {each}" for each in given), f"i64 {left}"])
