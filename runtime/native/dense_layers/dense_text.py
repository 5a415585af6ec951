"""The text of products of rows with the rows of weights, plus a number for each of the latter.

BLAS puts the larger matrix into an order of its own before each product, which for few rows takes as long as a part of
the product itself. Here weights stay where they lie: one element of theirs meets a vector of as many rows as there are
lanes. For that rows are put into *strips*, in which the terms of that many rows lie side by side. A tile of results has
them in its vectors, so it is turned around in registers before it is stored.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from enum import IntEnum
from typing import Final

import numpy as np

from tsc.runtime.native.expressions.loop_text import LoopText
from tsc.runtime.native.expressions.vectors import Vectors, turned

_TABLES: Final = "ptr %pointers, ptr %layout, i64 %begin, i64 %end, ptr %strips"
_TILE: Final = "ptr %strips, ptr %weight, ptr %bias, ptr %result, ptr %layout, i64 %left"
_WIDE: Final = 'noinline nounwind "min-legal-vector-width"="512"'
_STRIPS_OF_TILE: Final = 2

Pointer = IntEnum("Pointer", "SOURCE WEIGHT BIAS RESULT", start=0)
"""The arrays."""
Word = IntEnum(
    "Word",
    "ROWS OUTPUTS TERMS ROW_STEP TERM_STEP WEIGHT_STEP RESULT_STEP AT_ONCE",
    start=0,
)
"""The layout: how many rows, outputs and terms there are, bytes from one to the next, and how many strips are made
before they are multiplied.
"""


@functools.cache
def dense_text(dtype: np.dtype, lanes: int, outputs: int, *, is_turned: bool) -> str:
    """The functions `strips` and `blocks`: of these strips all outputs, and of these blocks of `outputs` all strips.

    Terms of a row are neighbours; with `is_turned`, rows of a term are. The memory that a function is given has room
    for as many strips as are made at once.
    """
    kernels = _Kernels(dtype, lanes, outputs)
    packing = kernels.columns if is_turned else kernels.rows
    tables = f"({_TABLES}) nounwind"
    texts = [(packing(), f"define internal void @pack({_TABLES}) {_WIDE}")]
    for count in range(1, _STRIPS_OF_TILE + 1):
        texts += [(kernels.tile(count), f"define internal void @tile{count}({_TILE}) {_WIDE}")]
    inner = f"define internal void @part({_TABLES}, i64 %low, i64 %high) {_WIDE}"
    texts += [(kernels.part(), inner)]
    texts += [(kernels.strips(), f"define void @strips{tables}")]
    texts += [(kernels.blocks(), f"define void @blocks{tables}")]
    lines: list[str] = []
    intrinsics: set[str] = set()
    for code, head in texts:
        lines += code.function(head)
        intrinsics |= code.intrinsics
    return "\n".join([*lines, *sorted(intrinsics)])


class _Kernels:
    """Blocks of `outputs` outputs, a power of two that is at most `lanes`, by strips of `lanes` rows."""

    def __init__(self, dtype: np.dtype, lanes: int, outputs: int) -> None:
        self.dtype, self.lanes, self.outputs = dtype, lanes, outputs
        self.item = dtype.itemsize
        self.vector = lanes * self.item

    # -- Strips ------------------------------------------------------------------------------

    def rows(self) -> LoopText:
        """Strips from `begin` to `end`, of rows whose terms are neighbours: squares of them are turned around.

        Where there are no more rows, the last one is taken again.
        """
        code = LoopText()
        on = Vectors(code, self.dtype, self.lanes)
        source, terms = code.word("%pointers", Pointer.SOURCE, "ptr"), self._word(code, Word.TERMS)
        step = self._word(code, Word.ROW_STEP)
        last = code.add(f"sub i64 {self._word(code, Word.ROWS)}, 1")
        whole = code.add(f"sub i64 {terms}, {code.add(f'srem i64 {terms}, {self.lanes}')}")
        size = code.add(f"mul i64 {terms}, {self.vector}")
        with code.loop("%begin", "%end") as strip:
            first = code.add(f"mul i64 {strip}, {self.lanes}")
            numbers = [code.add(f"add i64 {first}, {lane}") for lane in range(self.lanes)]
            rows = [code.moved(source, (self._least(code, each, last), step)) for each in numbers]
            made = code.moved("%strips", (code.add(f"sub i64 {strip}, %begin"), size))
            with code.loop("0", whole, self.lanes) as term:
                at = [code.moved(each, (term, str(self.item))) for each in rows]
                for place, vector in enumerate(turned(on, [on.load(each) for each in at])):
                    number = code.add(f"add i64 {term}, {place}")
                    on.store(vector, code.moved(made, (number, str(self.vector))))
            with code.loop(whole, terms) as term:
                target = code.moved(made, (term, str(self.vector)))
                for lane, row in enumerate(rows):
                    place = code.moved(row, (term, str(self.item)))
                    value = code.add(f"load {on.element}, ptr {place}, align 1")
                    to = code.moved(target, (str(lane), str(self.item)))
                    code.lines.append(f"  store {on.element} {value}, ptr {to}, align 1")
        return code

    def columns(self) -> LoopText:
        """Strips from `begin` to `end`, of terms whose rows are neighbours."""
        code = LoopText()
        on = Vectors(code, self.dtype, self.lanes)
        source, terms = code.word("%pointers", Pointer.SOURCE, "ptr"), self._word(code, Word.TERMS)
        step, count = self._word(code, Word.TERM_STEP), self._word(code, Word.ROWS)
        size = code.add(f"mul i64 {terms}, {self.vector}")
        with code.loop("%begin", "%end") as strip:
            first = code.add(f"mul i64 {strip}, {self.lanes}")
            mask = on.below(code.add(f"sub i64 {count}, {first}"))
            begin = code.moved(source, (first, str(self.item)))
            made = code.moved("%strips", (code.add(f"sub i64 {strip}, %begin"), size))
            with code.loop("0", terms) as term:
                vector = on.load(code.moved(begin, (term, step)), mask)
                on.store(vector, code.moved(made, (term, str(self.vector))))
        return code

    # -- Tiles -------------------------------------------------------------------------------

    def tile(self, strips: int) -> LoopText:
        """A block of outputs by some strips, of which so many rows are left."""
        code = LoopText()
        on = Vectors(code, self.dtype, self.lanes)
        terms, step = self._word(code, Word.TERMS), self._word(code, Word.WEIGHT_STEP)
        size = code.add(f"mul i64 {terms}, {self.vector}")
        begins = [code.moved("%strips", (str(each), size)) for each in range(strips)]
        weights = [code.moved("%weight", (str(each), step)) for each in range(self.outputs)]
        sums: list[list[str]] = []
        for output in range(self.outputs):
            begun = on.spread(code.moved("%bias", (str(output), str(self.item))))
            sums.append([code.slot(on.type, begun) for _ in begins])
        with code.loop("0", terms) as term:
            values = [on.load(code.moved(each, (term, str(self.vector)))) for each in begins]
            for slots, weight in zip(sums, weights):
                factor = on.spread(code.moved(weight, (term, str(self.item))))
                for slot, value in zip(slots, values):
                    on.add_product(slot, factor, value)
        for strip in range(strips):
            left = code.add(f"sub i64 %left, {strip * self.lanes}")
            slots = [each[strip] for each in sums]
            totals = [code.add(f"load {on.type}, ptr {each}") for each in slots]
            self._store(on, totals, strip * self.lanes, left)
        return code

    def _store(self, on: Vectors, totals: Sequence[str], first: int, left: str) -> None:
        """The outputs of each row side by side, for as many rows as are left."""
        code, step = on.code, self._word(on.code, Word.RESULT_STEP)
        few = Vectors(code, self.dtype, self.outputs)
        columns = turned(on, totals)
        for lane in range(self.lanes):
            group, place = divmod(lane, self.outputs)
            chosen = range(group * self.outputs, (group + 1) * self.outputs)
            lanes = ", ".join(f"i32 {each}" for each in chosen)
            others = f"{on.type} poison, <{self.outputs} x i32> <{lanes}>"
            with code.when(code.add(f"icmp sgt i64 {left}, {lane}")):
                part = code.add(f"shufflevector {on.type} {columns[place]}, {others}")
                few.store(part, code.moved("%result", (str(first + lane), step)))

    # -- Parts -------------------------------------------------------------------------------

    def part(self) -> LoopText:
        """Strips from `begin` to `end`, blocks of outputs from `low` to `high`."""
        code = LoopText()
        at_once, terms = self._word(code, Word.AT_ONCE), self._word(code, Word.TERMS)
        size = code.add(f"mul i64 {terms}, {self.vector}")
        tables = "ptr %pointers, ptr %layout"
        with code.loop("%begin", "%end", at_once) as first:
            reached = self._least(code, code.add(f"add i64 {first}, {at_once}"), "%end")
            code.call("pack", [tables, f"i64 {first}", f"i64 {reached}", "ptr %strips"])
            odd = code.add(f"srem i64 {code.add(f'sub i64 {reached}, {first}')}, {_STRIPS_OF_TILE}")
            even = code.add(f"sub i64 {reached}, {odd}")
            with code.loop("%low", "%high") as block:
                for begin, end, count in ((first, even, _STRIPS_OF_TILE), (even, reached, 1)):
                    with code.loop(begin, end, count) as strip:
                        of_first = code.add(f"sub i64 {strip}, {first}")
                        self._call_tile(code, count, block, strip, (of_first, size))
        return code

    def _call_tile(
        self, code: LoopText, count: int, block: str, strip: str, made: tuple[str, str]
    ) -> None:
        """Where the last outputs are no whole block, it is the one that ends with them."""
        last = code.add(f"sub i64 {self._word(code, Word.OUTPUTS)}, {self.outputs}")
        output = self._least(code, code.add(f"mul i64 {block}, {self.outputs}"), last)
        row = code.add(f"mul i64 {strip}, {self.lanes}")
        weight, bias, result = (
            code.word("%pointers", place, "ptr")
            for place in (Pointer.WEIGHT, Pointer.BIAS, Pointer.RESULT)
        )
        result = code.moved(result, (row, self._word(code, Word.RESULT_STEP)))
        given = [
            code.moved("%strips", made),
            code.moved(weight, (output, self._word(code, Word.WEIGHT_STEP))),
            code.moved(bias, (output, str(self.item))),
            code.moved(result, (output, str(self.item))),
            "%layout",
        ]
        left = code.add(f"sub i64 {self._word(code, Word.ROWS)}, {row}")
        code.call(f"tile{count}", [*(f"ptr {each}" for each in given), f"i64 {left}"])

    def strips(self) -> LoopText:
        """Strips from `begin` to `end`, with all outputs."""
        code = LoopText()
        more = code.add(f"add i64 {self._word(code, Word.OUTPUTS)}, {self.outputs - 1}")
        blocks = code.add(f"sdiv i64 {more}, {self.outputs}")
        code.call("part", [_TABLES, "i64 0", f"i64 {blocks}"])
        return code

    def blocks(self) -> LoopText:
        """Blocks of outputs from `begin` to `end`, of all strips."""
        code = LoopText()
        more = code.add(f"add i64 {self._word(code, Word.ROWS)}, {self.lanes - 1}")
        strips = code.add(f"sdiv i64 {more}, {self.lanes}")
        tables = f"ptr %pointers, ptr %layout, i64 0, i64 {strips}, ptr %strips"
        code.call("part", [tables, "i64 %begin", "i64 %end"])
        return code

    def _word(self, code: LoopText, place: Word) -> str:
        return code.word("%layout", place)

    def _least(self, code: LoopText, a: str, b: str) -> str:
        code.intrinsics.add("declare i64 @llvm.smin.i64(i64, i64)")
        return code.add(f"call i64 @llvm.smin.i64(i64 {a}, i64 {b})")
