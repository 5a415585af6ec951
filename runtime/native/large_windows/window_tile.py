"""The text of the innermost part of kernels over windows: a tile of results, summed up in registers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from tsc.runtime.native.expressions.loop_text import LoopText
from tsc.runtime.native.expressions.vectors import Vectors
from tsc.runtime.native.large_windows.window_words import (
    MAXIMUM,
    MEAN,
    PRODUCT,
    TERM_WORDS,
    VECTOR_WORDS,
    Tile,
    Word,
)

_HEAD: Final = (
    "define internal void @tile(ptr %b, ptr %a, ptr %d, ptr noalias %c, ptr %layout, ptr %terms, ptr %vectors)"
    ' noinline nounwind "min-legal-vector-width"="512"'
)
"""Planes, weights, what is added, results. LLVM is to keep vectors whole where it prefers halves."""


class TileText:
    """The function `tile` of a kind of windows; what its vectors compute in lanes that are no results is not stored."""

    def __init__(self, kind: str, dtype: np.dtype, tile: Tile) -> None:
        self.kind, self.tile = kind, tile
        self.dtype, self.item, self.lanes = dtype, dtype.itemsize, tile.lanes
        self.code = LoopText()
        self.on = Vectors(self.code, dtype, tile.lanes)

    @property
    def fill(self) -> str:
        """What margins hold."""
        return "0xFFF0000000000000" if self.kind == MAXIMUM else "0.0"

    def text(self) -> str:
        code, vectors = self.code, range(self.tile.vectors)
        starts = [self._at("%b", code.word("%vectors", VECTOR_WORDS * k)) for k in vectors]
        sums = [
            self._begun_sums(row) for row in range(self.tile.rows) for _ in range(self.tile.lines)
        ]
        self.sum_up(starts, sums)
        self.store(sums)
        return "\n".join(code.function(_HEAD))

    def sum_up(self, starts: Sequence[str], sums: Sequence[Sequence[str]]) -> None:
        """Adds all terms to the sums, vectors of each row."""
        code, rows = self.code, range(self.tile.rows)
        terms = code.word("%layout", Word.TERM_COUNT)
        row_step = code.word("%layout", Word.WEIGHT_STEP)
        weights = [code.moved("%a", (str(row), row_step)) for row in rows]
        with code.loop("0", terms) as term:
            entry = code.moved("%terms", (term, str(8 * TERM_WORDS)))
            reach, weight = (code.word(entry, k) for k in range(TERM_WORDS))
            values = [self.on.load(self._at(start, reach)) for start in starts]
            for row in rows:
                factor = self.factor(weights[row], weight) if self.kind == PRODUCT else ""
                for slot, value in zip(sums[row], values):
                    self._take(slot, value, factor)

    def store(self, sums: Sequence[Sequence[str]]) -> None:
        """Stores the results, of all sums."""
        for place in range(self.tile.vectors):
            self._store_vector(place, [each[place] for each in sums])

    def _begun_sums(self, row: int) -> list[str]:
        """Slots for the vectors of a row, with what is added to all their results."""
        begin = f"splat ({self.on.element} {self.fill})"
        if self.kind == PRODUCT:
            begin = self.factor("%d", str(row * self.item))
        return [self.code.slot(self.on.type, begin) for _ in range(self.tile.vectors)]

    def factor(self, base: str, offset: str) -> str:
        """A weight, so many bytes from the first one, in all lanes."""
        return self.on.spread(self._at(base, offset))

    def _take(self, slot: str, value: str, factor: str) -> None:
        """One more term; a NaN is more than any other maximum."""
        if self.kind == PRODUCT:
            self.on.add_product(slot, factor, value)
            return
        code, type, bits = self.code, self.on.type, self.on.bits
        before = code.add(f"load {type}, ptr {slot}")
        if self.kind == MEAN:
            after = code.add(f"fadd {type} {before}, {value}")
        else:
            more = code.add(f"fcmp ogt {type} {value}, {before}")
            missing = code.add(f"fcmp uno {type} {value}, {value}")
            chosen = code.add(f"or {bits} {more}, {missing}")
            after = code.add(f"select {bits} {chosen}, {type} {value}, {type} {before}")
        code.lines.append(f"  store {type} {after}, ptr {slot}")

    def _store_vector(self, place: int, slots: list[str]) -> None:
        """One vector of each row: its results, side by side."""
        code = self.code
        target, lanes, kept = (code.word("%vectors", VECTOR_WORDS * place + k) for k in (1, 2, 3))
        plane = code.word("%layout", Word.RESULT_PLANE)
        values = [self._total(place, each) for each in slots]
        targets = [code.moved("%c", (target, "1"), (str(row), plane)) for row in range(len(slots))]
        is_whole = code.add(f"icmp eq i64 {lanes}, {(1 << self.lanes) - 1}")
        with code.when(is_whole):
            for value, address in zip(values, targets):
                self.on.store(value, address)
        with code.when(code.add(f"xor i1 {is_whole}, true")):
            for value, address in zip(values, targets):
                dense = self.on.compressed(value, self._mask(lanes))
                self.on.store(dense, address, self._mask(kept))

    def _total(self, place: int, slot: str) -> str:
        value = self.code.add(f"load {self.on.type}, ptr {slot}")
        if self.kind != MEAN:
            return value
        sizes = self.on.load(self._at("%d", str(place * self.lanes * self.item)))
        return self.code.add(f"fdiv {self.on.type} {value}, {sizes}")

    def _mask(self, word: str) -> str:
        """A vector of bits, from a word of them."""
        narrow = self.code.add(f"trunc i64 {word} to i{self.lanes}")
        return self.code.add(f"bitcast i{self.lanes} {narrow} to {self.on.bits}")

    def _at(self, base: str, offset: str) -> str:
        return self.code.add(f"getelementptr i8, ptr {base}, i64 {offset}")
