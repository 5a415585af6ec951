"""The text of attention: keys are transposed, then a block of queries takes its products with them, their softmax and
the products of that with the values.

Products are those of groups (`fusion/product_text.py`), which `attend` calls with tables of its own. A row of scores is
gone through in vectors: for its maximum, for the exponentials, for their sum, and to be divided by that.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from enum import IntEnum
from typing import Final

import numpy as np

from tsc.runtime.arrays.dtypes import DOUBLE
from tsc.runtime.native.expressions.arithmetic import Arithmetic
from tsc.runtime.native.expressions.exponentials import exp
from tsc.runtime.native.expressions.instructions import Element, constant, memory_type
from tsc.runtime.native.expressions.loop_text import LoopText
from tsc.runtime.native.expressions.vectors import Vectors
from tsc.runtime.native.fusion.product_text import EXTENTS, product_text

ROWS: Final = 32
"""Queries of a block."""
_BYTES_OF_VECTOR: Final = 64
_NEGATIVE_INFINITY: Final = -np.inf

Pointer = IntEnum("Pointer", "QUERY KEY VALUE OUTPUT MASK PACKED OFFSETS", start=0)
"""The arrays, the keys transposed, and for each head how many bytes lie before its part of the first five."""
_ARRAYS: Final = 5
Word = IntEnum("Word", "QUERIES KEYS FEATURES VALUES BLOCKS IS_CAUSAL SCALE", start=0)
"""The layout, behind which come the steps of rows and of columns of the first five arrays; the scale is a double."""

_TABLES: Final = "(ptr %pointers, ptr %layout, i64 %begin, i64 %end, ptr %numbers) nounwind"


def padded(count: int, dtype: np.dtype) -> int:
    """Elements of whole vectors."""
    lanes = _BYTES_OF_VECTOR // dtype.itemsize
    return -(-count // lanes) * lanes


@functools.cache
def attention_text(dtype: np.dtype, *, has_mask: bool) -> str:
    """The functions `pack`, of heads, and `attend`, of blocks of queries, of float32 or float64."""
    made = _Attention(dtype, has_mask)
    product = product_text(dtype, in_columns=True)
    heads = [f"define void @{name}{_TABLES}" for name in ("pack", "attend")]
    lines, intrinsics = [product], set[str]()
    for code, head in (
        (made.packing(), heads[0]),
        (made.softmax(), _SOFTMAX),
        (made.blocks(), heads[1]),
    ):
        lines += code.function(head)
        intrinsics |= code.intrinsics
    declared = [each for each in sorted(intrinsics) if each not in product]
    return "\n".join([*lines, *declared])


_SOFTMAX: Final = (
    "define internal void @softmax(ptr noalias %scores, ptr noalias %mask, i64 %count,"
    ' i64 %end, ptr %scale) noinline nounwind "min-legal-vector-width"="512"'
)
"""Of a row: how many scores are seen, and where whole vectors of them end."""


_Matrix = tuple[str, str, str]
"""Where it begins, and bytes from row to row and from column to column."""


class _Attention:
    def __init__(self, dtype: np.dtype, has_mask: bool) -> None:
        self.dtype, self.has_mask = dtype, has_mask
        self.type, self.item = memory_type(dtype), dtype.itemsize
        self.lanes = _BYTES_OF_VECTOR // self.item

    def _steps(self, code: LoopText, array: Pointer) -> tuple[str, str]:
        """Bytes from row to row, and from column to column."""
        first = len(Word) + array
        return code.word("%layout", first), code.word("%layout", first + _ARRAYS)

    def _of_head(self, code: LoopText, array: Pointer, head: str) -> str:
        table = code.word("%pointers", Pointer.OFFSETS, "ptr")
        offsets = code.moved(table, (head, str(8 * _ARRAYS)))
        base = code.word("%pointers", array, "ptr")
        return code.add(f"getelementptr i8, ptr {base}, i64 {code.word(offsets, array)}")

    def _packed(self, code: LoopText, head: str) -> str:
        """The keys of a head: a row for each feature."""
        sizes = [code.word("%layout", each) for each in (Word.KEYS, Word.FEATURES)]
        bytes = code.add(f"mul i64 {code.add(f'mul i64 {sizes[0]}, {sizes[1]}')}, {self.item}")
        return code.moved(code.word("%pointers", Pointer.PACKED, "ptr"), (head, bytes))

    def packing(self) -> LoopText:
        """Heads from `begin` to `end`."""
        code = LoopText()
        row_step, column_step = self._steps(code, Pointer.KEY)
        keys = code.word("%layout", Word.KEYS)
        line = code.add(f"mul i64 {keys}, {self.item}")
        with code.loop("%begin", "%end") as head:
            source, packed = self._of_head(code, Pointer.KEY, head), self._packed(code, head)
            with code.loop("0", code.word("%layout", Word.FEATURES)) as feature:
                column = code.moved(source, (feature, column_step))
                target = code.moved(packed, (feature, line))
                with code.loop("0", keys) as key:
                    value = code.load(code.moved(column, (key, row_step)), self.dtype)
                    code.store(value, code.moved(target, (key, str(self.item))))
        return code

    # -- A row of scores -----------------------------------------------------------------------

    def softmax(self) -> LoopText:
        """Exponentials in place of scores, zeros in place of those that are not seen."""
        code = LoopText()
        on = Vectors(code, self.dtype, self.lanes)
        lowest = on.splat(constant(_NEGATIVE_INFINITY, self.dtype).name)
        scale = on.spread("%scale")
        tops = code.slot(on.type, lowest)
        with code.loop("0", "%end", self.lanes) as first:
            score = self._score(on, first, scale, lowest)
            before = code.add(f"load {on.type}, ptr {tops}")
            is_more = code.add(f"fcmp ogt {on.type} {score}, {before}")
            larger = code.add(f"select {on.bits} {is_more}, {on.type} {score}, {on.type} {before}")
            code.lines.append(f"  store {on.type} {larger}, ptr {tops}")
        top = self._shift(on, code.add(f"load {on.type}, ptr {tops}"))
        arithmetic = Arithmetic(code, self.dtype)
        with code.loop("0", "%end") as place:
            at = code.moved("%scores", (place, str(self.item)))
            code.store(exp(code, arithmetic.sub(code.load(at, self.dtype), top)), at)
        sums = code.slot(on.type, "zeroinitializer")
        with code.loop("0", "%end", self.lanes) as first:
            one = on.load(code.moved("%scores", (first, str(self.item))))
            before = code.add(f"load {on.type}, ptr {sums}")
            after = code.add(f"fadd {on.type} {before}, {one}")
            code.lines.append(f"  store {on.type} {after}, ptr {sums}")
        total = Element(on.total(code.add(f"load {on.type}, ptr {sums}")), self.dtype)
        divisor = arithmetic.where("oeq", total, 0.0, 1.0, total)
        inverse = on.splat(arithmetic.div(1.0, divisor).name)
        with code.loop("0", "%end", self.lanes) as first:
            at = code.moved("%scores", (first, str(self.item)))
            on.store(code.add(f"fmul {on.type} {on.load(at)}, {inverse}"), at)
        return code

    def _score(self, on: Vectors, first: str, scale: str, lowest: str) -> str:
        """Scaled, with what the mask adds; what is not seen is as low as can be. It is kept."""
        code = on.code
        seen = on.below(code.add(f"sub i64 %count, {first}"))
        at = code.moved("%scores", (first, str(self.item)))
        score = code.add(f"fmul {on.type} {on.load(at)}, {scale}")
        if self.has_mask:
            added = on.load(code.moved("%mask", (first, str(self.item))), seen)
            score = code.add(f"fadd {on.type} {score}, {added}")
        score = code.add(f"select {on.bits} {seen}, {on.type} {score}, {on.type} {lowest}")
        on.store(score, at)
        return score

    def _shift(self, on: Vectors, tops: str) -> Element:
        """The largest score, or 0 where nothing is seen."""
        code, function = on.code, f"@llvm.vector.reduce.fmax.{on.suffix}"
        code.intrinsics.add(f"declare {on.element} {function}({on.type})")
        top = Element(code.add(f"call {on.element} {function}({on.type} {tops})"), self.dtype)
        return Arithmetic(code, self.dtype).where("oeq", top, _NEGATIVE_INFINITY, 0.0, top)

    # -- Blocks of queries ---------------------------------------------------------------------

    def blocks(self) -> LoopText:
        """Blocks from `begin` to `end`, of all heads; `numbers` is room for the scores of one."""
        code = LoopText()
        queries, keys, features, values, blocks, is_causal, _ = (
            code.word("%layout", each) for each in Word
        )
        scale = code.room(self.type)
        given = Element(code.word("%layout", Word.SCALE, "double"), DOUBLE)
        code.store(code.cast(given, self.dtype), scale)
        causal = code.add(f"icmp ne i64 {is_causal}, 0")
        item = str(self.item)
        line = code.add(f"mul i64 {self._whole(code, keys)}, {item}")
        of_keys = code.add(f"mul i64 {keys}, {item}")
        product = _ProductCall(code)
        with code.loop("%begin", "%end") as number:
            head = code.add(f"udiv i64 {number}, {blocks}")
            block = code.add(f"urem i64 {number}, {blocks}")
            first = code.add(f"mul i64 {block}, {ROWS}")
            count = _least(code, code.add(f"sub i64 {queries}, {first}"), str(ROWS))
            limit = _seen(code, causal, code.add(f"add i64 {first}, {count}"), keys)
            query, output, mask = (
                self._rows(code, each, head, first)
                for each in (Pointer.QUERY, Pointer.OUTPUT, Pointer.MASK)
            )
            packed = self._packed(code, head), of_keys, item
            scores = "%numbers", line, item
            product.write((count, limit, features), (scores, query, packed))
            end = self._whole(code, limit)
            following = code.add(f"add i64 {first}, 1")
            with code.loop("0", count) as row:
                seen = _seen(code, causal, code.add(f"add i64 {following}, {row}"), keys)
                places = code.moved("%numbers", (row, line)), code.moved(mask[0], (row, mask[1]))
                of_row = [*(f"ptr {each}" for each in places), f"i64 {seen}", f"i64 {end}"]
                code.call("softmax", [*of_row, f"ptr {scale}"])
            value = self._rows(code, Pointer.VALUE, head, "0")
            product.write((count, values, limit), (output, scores, value))
        return code

    def _rows(self, code: LoopText, array: Pointer, head: str, first: str) -> _Matrix:
        """Of a head, from the first on."""
        by_row, by_column = self._steps(code, array)
        return code.moved(self._of_head(code, array, head), (first, by_row)), by_row, by_column

    def _whole(self, code: LoopText, count: str) -> str:
        """The same up to the end of a vector."""
        more = code.add(f"add i64 {count}, {self.lanes - 1}")
        return code.add(f"and i64 {more}, {-self.lanes}")


class _ProductCall:
    """Tables for a call of `product`, on matrices that are no stacks."""

    def __init__(self, code: LoopText) -> None:
        self._code = code
        self._layout = code.room(f"[{EXTENTS + 4 * 3} x i64]")
        self._pointers = code.room("[3 x ptr]")

    def write(self, extents: Sequence[str], matrices: Sequence[_Matrix]) -> None:
        """Rows, columns and terms; result, left and right matrix."""
        layout = ["1", "1", *extents]
        for place, (base, *steps) in enumerate(matrices):
            self._keep(self._pointers, place, "ptr", base)
            layout += ["0", "0", *steps]
        for place, word in enumerate(layout):
            self._keep(self._layout, place, "i64", word)
        given = [f"ptr {self._pointers}", f"ptr {self._layout}", "i64 0", "i64 1", "ptr null"]
        self._code.call("product", given)

    def _keep(self, table: str, place: int, type: str, value: str) -> None:
        at = self._code.add(f"getelementptr i64, ptr {table}, i64 {place}")
        self._code.lines.append(f"  store {type} {value}, ptr {at}")


def _least(code: LoopText, a: str, b: str) -> str:
    return code.add(f"select i1 {code.add(f'icmp slt i64 {a}, {b}')}, i64 {a}, i64 {b}")


def _seen(code: LoopText, causal: str, first: str, keys: str) -> str:
    """How many keys are seen: all, or the first ones."""
    return code.add(f"select i1 {causal}, i64 {_least(code, first, keys)}, i64 {keys}")
