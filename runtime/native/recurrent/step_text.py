"""The text of kernels of recurrent layers: steps of a product with packed weights, and of what cells make of it.

Weights are packed once a call: columns of `VECTORS` vectors beside each other, one term below the other, so that a
step reads them in one go. Tiles of the product begin with the bias and are summed up in registers.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from enum import IntEnum
from typing import Final

import numpy as np

from tsc.runtime.native.expressions.loop_text import LoopText
from tsc.runtime.native.expressions.vectors import Vectors, turned
from tsc.runtime.native.recurrent.cell_text import CellText

VECTORS: Final = 4
TILES: Final = ((8, 2), (4, VECTORS), (1, VECTORS))
"""Rows and vectors of tiles: 16 sums, which wide registers hold twice, where there are so many rows. All rows of a
tile share what is read of the weights.
"""
_BYTES_OF_VECTOR: Final = 64

Pointer = IntEnum("Pointer", "GATES WEIGHT BIAS HIDDEN CELL OUTPUT SPANS PACKED SUMS", start=0)
"""The arrays; spans are the first row and the number of rows of each step."""
Word = IntEnum("Word", "SIZE COLUMNS STEPS", start=0)
"""The layout: numbers of a hidden state, and of all its gates, and how many steps there are."""


def lanes_of(dtype: np.dtype) -> int:
    return _BYTES_OF_VECTOR // dtype.itemsize


@functools.cache
def recurrent_text(kind: str, dtype: np.dtype) -> str:
    """The function `steps`, of float32 or float64, and `pack`, which comes before it."""
    cell = CellText(kind, dtype)
    lines, intrinsics = cell.lines(), set(cell.code.intrinsics)
    steps = _Steps(cell)
    texts = [(steps.tile(*each), _TILE.format(rows=each[0])) for each in TILES]
    tables = "(ptr %pointers, ptr %layout, i64 %begin, i64 %end, ptr %numbers) nounwind"
    texts += [(steps.packing(), f"define void @pack{tables}")]
    texts += [(steps.steps(), f"define void @steps{tables}")]
    for code, head in texts:
        lines += code.function(head)
        intrinsics |= code.intrinsics
    return "\n".join([*lines, *sorted(intrinsics)])


_TILE: Final = (
    "define internal void @tile{rows}(ptr noalias %sums, ptr %hidden, ptr %packed, ptr %bias,"
    ' i64 %size, i64 %columns, i64 %left) noinline nounwind "min-legal-vector-width"="512"'
)


class _Steps:
    def __init__(self, cell: CellText) -> None:
        self.dtype, self.type, self.item = cell.dtype, cell.type, cell.dtype.itemsize
        self.gates, self.lanes = cell.gates, lanes_of(cell.dtype)
        self.panel = VECTORS * self.lanes

    # -- A tile of the product -----------------------------------------------------------------

    def tile(self, rows: int, vectors: int) -> LoopText:
        """Rows of hidden states with vectors of a panel of weights; what is no column is not stored."""
        code = LoopText()
        on = Vectors(code, self.dtype, self.lanes)
        masks = [on.below("%left", place * self.lanes) for place in range(vectors)]
        begun = [
            on.load(self._after(code, "%bias", place), mask) for place, mask in enumerate(masks)
        ]
        sums = [[code.slot(on.type, each) for each in begun] for _ in range(rows)]
        with code.loop("0", "%size") as term:
            self._take_term(on, term, sums)
        row_step = code.add(f"mul i64 %columns, {self.item}")
        for k, slots in enumerate(sums):
            target = code.moved("%sums", (str(k), row_step))
            for place, mask in enumerate(masks):
                total = code.add(f"load {on.type}, ptr {slots[place]}")
                on.store(total, self._after(code, target, place), mask)
        return code

    def _take_term(self, on: Vectors, term: str, sums: Sequence[Sequence[str]]) -> None:
        """One number of each hidden state times a row of the panel."""
        code = on.code
        row_step = code.add(f"mul i64 %size, {self.item}")
        row = code.moved("%packed", (term, str(self.panel * self.item)))
        weights = [on.load(self._after(code, row, place)) for place in range(len(sums[0]))]
        for k, slots in enumerate(sums):
            factor = on.spread(code.moved("%hidden", (str(k), row_step), (term, str(self.item))))
            for slot, weight in zip(slots, weights, strict=True):
                on.add_product(slot, factor, weight)

    def _after(self, code: LoopText, base: str, vectors: int) -> str:
        return code.add(f"getelementptr i8, ptr {base}, i64 {vectors * _BYTES_OF_VECTOR}")

    # -- What is called ------------------------------------------------------------------------

    def packing(self) -> LoopText:
        """Panels from `begin` to `end`: the terms of so many columns beside each other, and the last one again for
        those missing. Squares of terms and columns are turned around in registers.
        """
        code = LoopText()
        on = Vectors(code, self.dtype, self.lanes)
        size, columns, _ = (code.word("%layout", each) for each in Word)
        weight, packed = (
            code.word("%pointers", each, "ptr") for each in (Pointer.WEIGHT, Pointer.PACKED)
        )
        row_step = code.add(f"mul i64 {size}, {self.item}")
        last = code.add(f"sub i64 {columns}, 1")
        odd = code.add(f"urem i64 {size}, {self.lanes}")
        whole = code.add(f"sub i64 {size}, {odd}")
        line = str(self.panel * self.item)
        with code.loop("%begin", "%end") as panel, code.loop("0", str(VECTORS)) as block:
            first = code.add(f"mul i64 {panel}, {self.panel}")
            first = code.add(f"add i64 {first}, {code.add(f'mul i64 {block}, {self.lanes}')}")
            numbers = [code.add(f"add i64 {first}, {lane}") for lane in range(self.lanes)]
            rows = [
                code.moved(weight, (self._least(code, each, last), row_step)) for each in numbers
            ]
            target = code.moved(packed, (panel, code.add(f"mul i64 {row_step}, {self.panel}")))
            target = code.moved(target, (block, str(_BYTES_OF_VECTOR)))
            with code.loop("0", whole, self.lanes) as term:
                at = [code.moved(each, (term, str(self.item))) for each in rows]
                for place, vector in enumerate(turned(on, [on.load(each) for each in at])):
                    number = code.add(f"add i64 {term}, {place}")
                    on.store(vector, code.moved(target, (number, line)))
            with code.loop(whole, size) as term:
                for lane, row in enumerate(rows):
                    place = code.moved(row, (term, str(self.item)))
                    value = code.add(f"load {self.type}, ptr {place}, align 1")
                    to = code.moved(target, (term, line), (str(lane), str(self.item)))
                    code.lines.append(f"  store {self.type} {value}, ptr {to}, align 1")
        return code

    def steps(self) -> LoopText:
        """All steps of the rows from `begin` to `end` of the batch, whose states they move."""
        code = LoopText()
        size, columns, steps = (code.word("%layout", each) for each in Word)
        gates, _, bias, *states, output, spans, packed, sums = (
            code.word("%pointers", each, "ptr") for each in Pointer
        )
        row_step = code.add(f"mul i64 {size}, {self.item}")
        gate_step = code.add(f"mul i64 {columns}, {self.item}")
        hidden, cell = (code.moved(each, ("%begin", row_step)) for each in states)
        sums = code.moved(sums, ("%begin", gate_step))
        with code.loop("0", steps) as step:
            span = code.moved(spans, (step, "16"))
            first = code.add(f"add i64 {code.word(span, 0)}, %begin")
            end = self._least(code, code.word(span, 1), "%end")
            count = code.add(f"sub i64 {end}, %begin")
            with code.when(code.add(f"icmp sgt i64 {count}, 0")):
                self._products(code, (hidden, packed, bias, sums), (size, columns), count)
                with code.loop("0", count) as row:
                    whole = code.add(f"add i64 {first}, {row}")
                    own = [
                        code.moved(gates, (whole, gate_step)),
                        code.moved(sums, (row, gate_step)),
                    ]
                    own += [code.moved(each, (row, row_step)) for each in (hidden, cell)]
                    own.append(code.moved(output, (whole, row_step)))
                    code.call("cells", [*(f"ptr {each}" for each in own), f"i64 {size}"])
                moved = code.moved(output, (first, row_step))
                self._copy(code, hidden, moved, code.add(f"mul i64 {count}, {row_step}"))
        return code

    def _products(
        self, code: LoopText, arrays: Sequence[str], sizes: tuple[str, str], count: str
    ) -> None:
        """Of so many hidden states with all panels, one panel after the other."""
        hidden, packed, bias, sums = arrays
        size, columns = sizes
        row_step = code.add(f"mul i64 {size}, {self.item}")
        gate_step = code.add(f"mul i64 {columns}, {self.item}")
        with code.loop("0", columns, self.panel) as column:
            panel = code.moved(packed, (column, row_step))
            left = code.add(f"sub i64 {columns}, {column}")
            at = code.moved(bias, (column, str(self.item)))
            of_column = code.moved(sums, (column, str(self.item)))
            for (rows, vectors), begin, end in self._tiled(code, count):
                with code.loop(begin, end, rows) as row:
                    made = code.moved(of_column, (row, gate_step))
                    states = code.moved(hidden, (row, row_step))
                    for first in range(0, VECTORS, vectors):
                        moved = [self._after(code, each, first) for each in (made, panel, at)]
                        given = [f"ptr {each}" for each in (moved[0], states, *moved[1:])]
                        rest = code.add(f"sub i64 {left}, {first * self.lanes}")
                        given += [f"i64 {each}" for each in (size, columns, rest)]
                        code.call(f"tile{rows}", given)

    def _tiled(self, code: LoopText, count: str) -> Iterator[tuple[tuple[int, int], str, str]]:
        """Tiles, and the rows that they go through: as many as there are whole ones of those with most rows first."""
        begin = "0"
        for tile in TILES:
            left = code.add(f"sub i64 {count}, {begin}")
            end = code.add(f"sub i64 {count}, {code.add(f'urem i64 {left}, {tile[0]}')}")
            yield tile, begin, end
            begin = end

    def _copy(self, code: LoopText, target: str, source: str, bytes: str) -> None:
        function = "llvm.memcpy.p0.p0.i64"
        code.intrinsics.add(f"declare void @{function}(ptr, ptr, i64, i1)")
        code.call(function, [f"ptr {target}", f"ptr {source}", f"i64 {bytes}", "i1 false"])

    def _least(self, code: LoopText, a: str, b: str) -> str:
        return code.add(f"select i1 {code.add(f'icmp slt i64 {a}, {b}')}, i64 {a}, i64 {b}")
