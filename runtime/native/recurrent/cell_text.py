"""What cells of recurrent layers compute of their gates, element by element, in loops that LLVM makes vectors of."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np

from tsc.runtime.native.expressions.arithmetic import Arithmetic
from tsc.runtime.native.expressions.exponentials import sigmoid, tanh
from tsc.runtime.native.expressions.instructions import Element, constant, memory_type
from tsc.runtime.native.expressions.loop_text import LoopText

_HEAD: Final = (
    "define internal void @cells(ptr noalias %gates, ptr noalias %sums, ptr noalias %hidden,"
    " ptr noalias %cell, ptr noalias %output, i64 %size) noinline nounwind"
)
"""Of a row: gates of the input, what the hidden state gives, the states, and where the output goes."""


class CellText:
    """The function `cells` of a kind of layers."""

    def __init__(self, kind: str, dtype: np.dtype) -> None:
        self.gates, compute = CELLS[kind]
        self.dtype, self.type = dtype, memory_type(dtype)
        self.code = LoopText()
        self.on = Arithmetic(self.code, dtype)
        with self.code.loop("0", "%size") as index:
            self._index = index
            self.code.store(compute(self), self._place("%output"))

    def lines(self) -> list[str]:
        return self.code.function(_HEAD)

    def _place(self, base: str, gate: int = 0) -> str:
        offset = self.code.add(f"mul i64 %size, {gate}")
        place = self.code.add(f"add i64 {offset}, {self._index}")
        return self.code.add(f"getelementptr {self.type}, ptr {base}, i64 {place}")

    def of(self, base: str, gate: int = 0) -> Element:
        """The element of a state, or of one of the gates."""
        return self.code.load(self._place(base, gate), self.dtype)

    def total(self, gate: int) -> Element:
        """Of input and hidden state."""
        return self.on.add(self.of("%gates", gate), self.of("%sums", gate))

    def sigmoid(self, value: Element) -> Element:
        return sigmoid(self.code, value)

    def tanh(self, value: Element) -> Element:
        return tanh(self.code, value)

    def keep(self, value: Element) -> Element:
        """The new cell."""
        self.code.store(value, self._place("%cell"))
        return value


def _lstm(cell: CellText) -> Element:
    on = cell.on
    kept = on.mul(cell.sigmoid(cell.total(1)), cell.of("%cell"))
    new = on.mul(cell.sigmoid(cell.total(0)), cell.tanh(cell.total(2)))
    state = cell.keep(on.add(kept, new))
    return on.mul(cell.sigmoid(cell.total(3)), cell.tanh(state))


def _gru(cell: CellText) -> Element:
    on = cell.on
    recurrent = on.mul(cell.sigmoid(cell.total(0)), cell.of("%sums", 2))
    new = cell.tanh(on.add(cell.of("%gates", 2), recurrent))
    rest = on.sub(cell.of("%hidden"), new)
    return on.add(on.mul(rest, cell.sigmoid(cell.total(1))), new)


def _tanh(cell: CellText) -> Element:
    return cell.tanh(cell.total(0))


def _relu(cell: CellText) -> Element:
    total, zero = cell.total(0), constant(0.0, cell.dtype)
    is_less = cell.code.compare("fcmp olt", total, zero)
    return cell.code.select(is_less, zero, total)


CELLS: Final[dict[str, tuple[int, Callable[[CellText], Element]]]] = {
    "lstm": (4, _lstm),
    "gru": (3, _gru),
    "rnn_tanh": (1, _tanh),
    "rnn_relu": (1, _relu),
}
"""By the names of operators: how many gates there are, and what becomes of them."""
