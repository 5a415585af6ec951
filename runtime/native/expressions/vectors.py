"""Vectors of floats in the text of a function: loads and stores of all or of some lanes, sums of products."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tsc.runtime.native.expressions.instructions import register_type
from tsc.runtime.native.expressions.loop_text import LoopText


class Vectors:
    """Instructions on vectors of `lanes` float32 or float64."""

    def __init__(self, code: LoopText, dtype: np.dtype, lanes: int) -> None:
        self.code, self.lanes = code, lanes
        self.element = register_type(dtype)
        self.type = f"<{lanes} x {self.element}>"
        self.bits = f"<{lanes} x i1>"
        self.bytes = dtype.itemsize
        """Of an element."""
        self.suffix = f"v{lanes}f{dtype.itemsize * 8}"

    def splat(self, element: str) -> str:
        """The same element in all lanes."""
        return splat(self.code, self.element, element, self.lanes)

    def spread(self, place: str) -> str:
        """An element of memory in all lanes."""
        return self.splat(self.code.add(f"load {self.element}, ptr {place}, align 1"))

    def below(self, count: str, first: int = 0) -> str:
        """Which lanes, counted from `first` on, are less than `count`."""
        rest = self.code.add(f"trunc i64 {self.code.add(f'sub i64 {count}, {first}')} to i32")
        numbers = ", ".join(f"i32 {lane}" for lane in range(self.lanes))
        wanted = splat(self.code, "i32", rest, self.lanes)
        return self.code.add(f"icmp slt <{self.lanes} x i32> <{numbers}>, {wanted}")

    def load(self, place: str, mask: str | None = None, fill: str = "0.0") -> str:
        """All lanes, or those of a mask, and `fill` in the others."""
        if mask is None:
            return self.code.add(f"load {self.type}, ptr {place}, align 1")
        others = f"{self.type} splat ({self.element} {fill})"
        given = f"ptr {place}, i32 1, {self.bits} {mask}, {others}"
        parameters = f"ptr, i32, {self.bits}, {self.type}"
        return self._called(f"masked.load.{self.suffix}.p0", parameters, given)

    def store(self, value: str, place: str, mask: str | None = None) -> None:
        """All lanes, or those of a mask."""
        if mask is None:
            self.code.lines.append(f"  store {self.type} {value}, ptr {place}, align 1")
            return
        function = f"llvm.masked.store.{self.suffix}.p0"
        self.code.intrinsics.add(f"declare void @{function}({self.type}, ptr, i32, {self.bits})")
        given = [f"{self.type} {value}", f"ptr {place}", "i32 1", f"{self.bits} {mask}"]
        self.code.call(function, given)

    def add_product(self, slot: str, a: str, b: str) -> None:
        """Adds a product to a variable, rounded once."""
        type = self.type
        before = self.code.add(f"load {type}, ptr {slot}")
        given = f"{type} {a}, {type} {b}, {type} {before}"
        after = self._called(f"fma.{self.suffix}", f"{type}, {type}, {type}", given)
        self.code.lines.append(f"  store {type} {after}, ptr {slot}")

    def compressed(self, value: str, mask: str) -> str:
        """The lanes of a mask, side by side."""
        given = f"{self.type} {value}, {self.bits} {mask}, {self.type} poison"
        parameters = f"{self.type}, {self.bits}, {self.type}"
        return self._called(f"experimental.vector.compress.{self.suffix}", parameters, given)

    def total(self, value: str) -> str:
        """The sum of all lanes, in an order of its own."""
        function, element = f"@llvm.vector.reduce.fadd.{self.suffix}", self.element
        self.code.intrinsics.add(f"declare {element} {function}({element}, {self.type})")
        given = f"{element} 0.0, {self.type} {value}"
        return self.code.add(f"call reassoc {element} {function}({given})")

    def _called(self, function: str, parameters: str, given: str) -> str:
        self.code.intrinsics.add(f"declare {self.type} @llvm.{function}({parameters})")
        return self.code.add(f"call {self.type} @llvm.{function}({given})")


def splat(code: LoopText, type: str, element: str, lanes: int) -> str:
    """An element in all lanes of a vector of any type."""
    vector = f"<{lanes} x {type}>"
    one = code.add(f"insertelement {vector} poison, {type} {element}, i32 0")
    zeros = f"<{lanes} x i32> zeroinitializer"
    return code.add(f"shufflevector {vector} {one}, {vector} poison, {zeros}")


def turned(on: Vectors, vectors: Sequence[str]) -> list[str]:
    """Vectors as the columns of squares, for those as their rows: ever larger blocks beside diagonals are exchanged.

    There are as many vectors as a square has rows, and as many squares beside each other as fit into one.
    """
    made, distance = list(vectors), 1
    while distance < len(made):
        for k in (k for k in range(len(made)) if not k & distance):
            pair = made[k], made[k + distance]
            for upper in (0, 1):
                made[k + upper * distance] = _exchanged(on, pair, distance, upper)
        distance *= 2
    return made


def _exchanged(on: Vectors, pair: tuple[str, str], distance: int, upper: int) -> str:
    """The upper or the lower one of two vectors, after their blocks of so many lanes were exchanged."""
    lanes = [
        (lane | distance if upper else lane & ~distance) + (on.lanes if lane & distance else 0)
        for lane in range(on.lanes)
    ]
    chosen = ", ".join(f"i32 {each}" for each in lanes)
    first, second = pair
    others = f"{on.type} {second}, <{on.lanes} x i32> <{chosen}>"
    return on.code.add(f"shufflevector {on.type} {first}, {others}")
