"""The innermost part of kernels over windows of one channel: a tile of several rows of results.

A row of the plane is read once for all rows of results that it is in the windows of. The elements of the kernel that
are above each other are a column; columns whose elements read rows at the same distances have one loop.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from tsc.runtime.native.large_windows.window_tile import TileText
from tsc.runtime.native.large_windows.window_words import (
    PRODUCT,
    VECTOR_WORDS,
    Columns,
    Tile,
    Word,
)

_OFFSET: Final = 1
"""Words of a column before those of its elements."""


class ChannelTileText(TileText):
    """The function `tile` for convolutions with one channel in a group."""

    def __init__(self, dtype: np.dtype, tile: Tile, columns: Columns) -> None:
        super().__init__(PRODUCT, dtype, tile)
        self.columns = columns

    def sum_up(self, starts: Sequence[str], sums: Sequence[Sequence[str]]) -> None:
        """Adds the products of all columns to the sums."""
        code, at = self.code, 0
        line = code.word("%layout", Word.LINE)
        for rows, count in self.columns:
            words = _OFFSET + len(rows)
            with code.loop(str(at), str(at + count * words), words) as place:
                column = code.moved("%terms", (place, "8"))
                offset = code.word(column, 0)
                factors = [
                    self.factor("%a", code.word(column, _OFFSET + k)) for k in range(len(rows))
                ]
                begins = [self._at(start, offset) for start in starts]
                self._take_column(begins, line, factors, rows, sums)
            at += count * words

    def _take_column(
        self,
        begins: Sequence[str],
        line: str,
        factors: Sequence[str],
        rows: Sequence[int],
        sums: Sequence[Sequence[str]],
    ) -> None:
        """Each row of the plane, for the rows of results that it matters to."""
        for at in range(rows[-1] + len(sums)):
            takers = [(at - row, factor) for row, factor in zip(rows, factors)]
            takers = [each for each in takers if 0 <= each[0] < len(sums)]
            if not takers:
                continue
            values = [self.on.load(self.code.moved(each, (str(at), line))) for each in begins]
            for taker, factor in takers:
                for slot, value in zip(sums[taker], values):
                    self._take(slot, value, factor)

    def store(self, sums: Sequence[Sequence[str]]) -> None:
        """The vectors of a row begin where it does: what is left out is at their ends."""
        code = self.code
        line = code.word("%layout", Word.RESULT_LINE)
        for place in range(self.tile.vectors):
            target, lanes = (code.word("%vectors", VECTOR_WORDS * place + k) for k in (1, 2))
            is_whole = code.add(f"icmp eq i64 {lanes}, {(1 << self.lanes) - 1}")
            addresses = [
                code.moved("%c", (target, "1"), (str(row), line)) for row in range(len(sums))
            ]
            values = [code.add(f"load {self.on.type}, ptr {each[place]}") for each in sums]
            with code.when(is_whole):
                for value, address in zip(values, addresses):
                    self.on.store(value, address)
            with code.when(code.add(f"xor i1 {is_whole}, true")):
                for value, address in zip(values, addresses):
                    self.on.store(value, address, self._mask(lanes))
