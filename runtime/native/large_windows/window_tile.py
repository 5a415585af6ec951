"""The text of the innermost part of kernels over windows: a tile of results, summed up in registers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from tsc.runtime.arrays.dtypes import FLOAT
from tsc.runtime.native.expressions.loop_text import LoopText
from tsc.runtime.native.expressions.vector_instructions import Finish
from tsc.runtime.native.large_windows.window_words import (
    MAXIMUM,
    MEAN,
    PRODUCT,
    VECTOR_WORDS,
    Tile,
    Word,
)

_HEAD: Final = (
    "define internal void @tile(ptr %b, ptr %a, ptr %d, ptr noalias %c, ptr %layout, ptr %terms, ptr %vectors)"
    ' noinline nounwind "min-legal-vector-width"="512"'
)
"""Planes, weights, what is added, results. LLVM is to keep vectors whole where it prefers halves."""


class MaskedVectors:
    """Loads and stores of some lanes of vectors."""

    def __init__(self, type: str, item: int, lanes: int) -> None:
        self.type, self.bits, self.lanes = type, item * 8, lanes

    def load(self, code: LoopText, place: str, mask: str, fill: str, lanes: int) -> str:
        """A vector of so many lanes, with `fill` in those that are not loaded."""
        vector, function = f"<{lanes} x {self.type}>", f"@llvm.masked.load.v{lanes}f{self.bits}.p0"
        code.intrinsics.add(f"declare {vector} {function}(ptr, i32, <{lanes} x i1>, {vector})")
        given = f"ptr {place}, i32 1, <{lanes} x i1> {mask}, {vector} splat ({self.type} {fill})"
        return code.add(f"call {vector} {function}({given})")

    def store(self, code: LoopText, value: str, place: str, mask: str) -> None:
        vector, bits = f"<{self.lanes} x {self.type}>", f"<{self.lanes} x i1>"
        function = f"llvm.masked.store.v{self.lanes}f{self.bits}.p0"
        code.intrinsics.add(f"declare void @{function}({vector}, ptr, i32, {bits})")
        code.call(function, [f"{vector} {value}", f"ptr {place}", "i32 1", f"{bits} {mask}"])


class TileText:
    """The function `tile` of a kind of windows; what its vectors compute in lanes that are no results is not stored."""

    def __init__(self, kind: str, dtype: np.dtype, tile: Tile, finish: Finish | None) -> None:
        self.kind, self.tile, self.finish = kind, tile, finish
        self.item, self.lanes = dtype.itemsize, tile.lanes
        self.type = "float" if dtype == FLOAT else "double"
        self.vector = f"<{self.lanes} x {self.type}>"
        self.bits = f"<{self.lanes} x i1>"
        self.suffix = f"v{self.lanes}f{dtype.itemsize * 8}"
        self.code = LoopText()

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
        self._fetch_wholes()
        self.sum_up(starts, sums)
        self.store(sums)
        return "\n".join(code.function(_HEAD))

    def sum_up(self, starts: Sequence[str], sums: Sequence[Sequence[str]]) -> None:
        """Adds all terms to the sums, vectors of each row."""
        code, rows = self.code, range(self.tile.rows)
        terms = code.word("%layout", Word.TERM_COUNT)
        row_step = code.add(f"mul i64 {terms}, {self.item}")
        weights = [code.moved("%a", (str(row), row_step)) for row in rows]
        with code.loop("0", terms) as term:
            offset = code.moved("%terms", (term, "8"))
            reach = code.add(f"load i64, ptr {offset}")
            values = [self._load(self._at(start, reach)) for start in starts]
            for row in rows:
                factor = self._everywhere(weights[row], term) if self.kind == PRODUCT else ""
                for slot, value in zip(sums[row], values):
                    self._take(slot, value, factor)

    def store(self, sums: Sequence[Sequence[str]]) -> None:
        """Stores the results, of all sums."""
        for place in range(self.tile.vectors):
            self._store_vector(place, [each[place] for each in sums])

    def _fetch_wholes(self) -> None:
        """Has the processor fetch what the results will meet, while it sums up."""
        code, plane = self.code, self.code.word("%layout", Word.RESULT_PLANE)
        for number in range(0 if self.finish is None else self.finish.wholes):
            distance = code.word("%layout", len(Word) + number)
            for place in range(self.tile.vectors):
                target = code.word("%vectors", VECTOR_WORDS * place + 1)
                for row in range(self.tile.rows):
                    address = code.moved("%c", (target, "1"), (str(row), plane))
                    function = "llvm.prefetch.p0"
                    code.intrinsics.add(f"declare void @{function}(ptr, i32, i32, i32)")
                    given = f"ptr {self._same_place(address, distance)}"
                    code.call(function, [given, "i32 0", "i32 3", "i32 1"])

    def _begun_sums(self, row: int) -> list[str]:
        """Slots for the vectors of a row, with what is added to all their results."""
        begin = f"splat ({self.type} {self.fill})"
        if self.kind == PRODUCT:
            begin = self._everywhere("%d", str(row))
        return [self.code.slot(self.vector, begin) for _ in range(self.tile.vectors)]

    def _everywhere(self, base: str, index: str) -> str:
        """An element of an array in all lanes."""
        code = self.code
        place = code.add(f"getelementptr {self.type}, ptr {base}, i64 {index}")
        one = code.add(f"load {self.type}, ptr {place}, align 1")
        lane = code.add(f"insertelement {self.vector} poison, {self.type} {one}, i32 0")
        zeros = f"<{self.lanes} x i32> zeroinitializer"
        return code.add(f"shufflevector {self.vector} {lane}, {self.vector} poison, {zeros}")

    def _take(self, slot: str, value: str, factor: str) -> None:
        """One more term; a NaN is more than any other maximum."""
        code, type = self.code, self.vector
        before = code.add(f"load {type}, ptr {slot}")
        if self.kind == PRODUCT:
            function = f"@llvm.fma.{self.suffix}"
            code.intrinsics.add(f"declare {type} {function}({type}, {type}, {type})")
            given = ", ".join(f"{type} {each}" for each in (factor, value, before))
            after = code.add(f"call {type} {function}({given})")
        elif self.kind == MEAN:
            after = code.add(f"fadd {type} {before}, {value}")
        else:
            more = code.add(f"fcmp ogt {type} {value}, {before}")
            missing = code.add(f"fcmp uno {type} {value}, {value}")
            chosen = code.add(f"or {self.bits} {more}, {missing}")
            after = code.add(f"select {self.bits} {chosen}, {type} {value}, {type} {before}")
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
            for row, (value, address) in enumerate(zip(values, targets)):
                value = self._finished(value, row, address, "")
                code.lines.append(f"  store {self.vector} {value}, ptr {address}, align 1")
        with code.when(code.add(f"xor i1 {is_whole}, true")):
            for row, (value, address) in enumerate(zip(values, targets)):
                self._store_part(value, row, address, self._mask(lanes), self._mask(kept))

    def _total(self, place: int, slot: str) -> str:
        value = self.code.add(f"load {self.vector}, ptr {slot}")
        if self.kind != MEAN:
            return value
        sizes = self._load(self._at("%d", str(place * self.lanes * self.item)))
        return self.code.add(f"fdiv {self.vector} {value}, {sizes}")

    def _store_part(self, value: str, row: int, address: str, lanes: str, kept: str) -> None:
        code, vector, bits = self.code, self.vector, self.bits
        compress = f"@llvm.experimental.vector.compress.{self.suffix}"
        code.intrinsics.add(f"declare {vector} {compress}({vector}, {bits}, {vector})")
        given = f"{vector} {value}, {bits} {lanes}, {vector} poison"
        dense = code.add(f"call {vector} {compress}({given})")
        dense = self._finished(dense, row, address, kept)
        MaskedVectors(self.type, self.item, self.lanes).store(code, dense, address, kept)

    def _finished(self, value: str, row: int, address: str, kept: str) -> str:
        """What is stored of sums that are side by side: of all lanes, or of those that are `kept`."""
        if self.finish is None:
            return value
        code, operands = self.code, [value]
        step = code.word("%layout", Word.ADDED_STEP)
        for number in range(1, self.finish.channels + 1):
            operands.append(self._everywhere(code.moved("%d", (str(number), step)), str(row)))
        for number in range(self.finish.wholes):
            place = self._same_place(address, code.word("%layout", len(Word) + number))
            operands.append(self._load_part(place, kept) if kept else self._load(place))
        given = ", ".join(f"{self.vector} {each}" for each in operands)
        return code.add(f"call {self.vector} @finish({given})")

    def _same_place(self, address: str, distance: str) -> str:
        """The address of an element of another array, so many bytes away from that of the result."""
        number = self.code.add(f"ptrtoint ptr {address} to i64")
        return self.code.add(
            f"inttoptr i64 {self.code.add(f'add i64 {number}, {distance}')} to ptr"
        )

    def _load_part(self, place: str, kept: str) -> str:
        vectors = MaskedVectors(self.type, self.item, self.lanes)
        return vectors.load(self.code, place, kept, "0.0", self.lanes)

    def _mask(self, word: str) -> str:
        """A vector of bits, from a word of them."""
        narrow = self.code.add(f"trunc i64 {word} to i{self.lanes}")
        return self.code.add(f"bitcast i{self.lanes} {narrow} to {self.bits}")

    def _load(self, place: str) -> str:
        return self.code.add(f"load {self.vector}, ptr {place}, align 1")

    def _at(self, base: str, offset: str) -> str:
        return self.code.add(f"getelementptr i8, ptr {base}, i64 {offset}")
