"""The text of normal float32 numbers, made of 32-bit draws as PyTorch does it: `runtime/random/cephes.py` in vectors.

Where PyTorch rounds a product and a sum once, so is done here.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from typing import Final

import numpy as np

from tsc.runtime.arrays.dtypes import FLOAT
from tsc.runtime.native.expressions.instructions import constant
from tsc.runtime.native.expressions.loop_text import LoopText
from tsc.runtime.native.expressions.vectors import Vectors
from tsc.runtime.native.large_arrays.array_text import NAME
from tsc.runtime.random import cephes

BLOCK: Final = 16
"""Draws that make as many numbers: the first half of them radii, the other angles."""
_LANES: Final = BLOCK // 2
_HEAD: Final = (
    f"define void @{NAME}(ptr %pointers, ptr %layout, i64 %begin, i64 %end, ptr %numbers) nounwind"
)
_BITS_OF_UNIT: Final = 24
_EXPONENT: Final = 23
"""The place of the exponent among the bits of a number, and below what it is of numbers in [0.5, 1)."""
_BIAS: Final = 126
_WORDS: Final = f"<{_LANES} x i32>"


@functools.cache
def normals_text() -> str:
    """Blocks from `begin` to `end`: pointers to draws, of uint32, and to numbers."""
    code = LoopText()
    number = _Numbers(code)
    draws, made = (code.word("%pointers", place, "ptr") for place in range(2))
    half = str(_LANES * FLOAT.itemsize)
    with code.loop("%begin", "%end") as block:
        at = code.moved(draws, (block, str(BLOCK * FLOAT.itemsize)))
        to = code.moved(made, (block, str(BLOCK * FLOAT.itemsize)))
        radii, angles = (number.uniform(each) for each in (at, code.moved(at, ("1", half))))
        radius = number.radius(radii)
        sine, cosine = number.sine_and_cosine(number.times(angles, 2 * math.pi))
        number.on.store(number.op("fmul", cosine, radius), to)
        number.on.store(number.op("fmul", sine, radius), code.moved(to, ("1", half)))
    return "\n".join([*code.function(_HEAD), *sorted(code.intrinsics)])


class _Numbers:
    """Vectors of numbers."""

    def __init__(self, code: LoopText) -> None:
        self.code = code
        self.on = Vectors(code, FLOAT, _LANES)

    def op(self, verb: str, a: str, b: str) -> str:
        return self.code.add(f"{verb} {self.on.type} {a}, {b}")

    def word_op(self, verb: str, a: str, number: int) -> str:
        return self.code.add(f"{verb} {_WORDS} {a}, splat (i32 {number})")

    def all(self, number: float | np.float32) -> str:
        return f"splat (float {constant(float(np.float32(number)), FLOAT).name})"

    def times(self, a: str, number: float | np.float32) -> str:
        return self.op("fmul", a, self.all(number))

    def fused(self, a: str, b: str, c: str) -> str:
        type = self.on.type
        self.code.intrinsics.add(
            f"declare {type} @llvm.fma.{self.on.suffix}({type}, {type}, {type})"
        )
        given = f"{type} {a}, {type} {b}, {type} {c}"
        return self.code.add(f"call {type} @llvm.fma.{self.on.suffix}({given})")

    def polynomial(self, x: str, coefficients: Sequence[float]) -> str:
        value = self.all(coefficients[0])
        for each in coefficients[1:]:
            value = self.fused(value, x, self.all(each))
        return value

    def choose(self, condition: str, a: str, b: str) -> str:
        type = self.on.type
        return self.code.add(f"select {self.on.bits} {condition}, {type} {a}, {type} {b}")

    def uniform(self, place: str) -> str:
        """Numbers in [0, 1) of draws."""
        draws = self.code.add(f"load {_WORDS}, ptr {place}, align 1")
        low = self.word_op("and", draws, (1 << _BITS_OF_UNIT) - 1)
        number = self.code.add(f"sitofp {_WORDS} {low} to {self.on.type}")
        return self.times(number, 2.0**-_BITS_OF_UNIT)

    def radius(self, uniform: str) -> str:
        twice = self.times(self.logarithm(self.op("fsub", self.all(1.0), uniform)), -2.0)
        name = f"@llvm.sqrt.{self.on.suffix}"
        self.code.intrinsics.add(f"declare {self.on.type} {name}({self.on.type})")
        return self.code.add(f"call {self.on.type} {name}({self.on.type} {twice})")

    def logarithm(self, numbers: str) -> str:
        """Of positive normal numbers."""
        code = self.code
        bits = code.add(f"bitcast {self.on.type} {numbers} to {_WORDS}")
        exponent = self.word_op("sub", self.word_op("lshr", bits, _EXPONENT), _BIAS)
        of_fraction = self.word_op("and", bits, (1 << _EXPONENT) - 1)
        of_fraction = self.word_op("or", of_fraction, _BIAS << _EXPONENT)
        fraction = code.add(f"bitcast {_WORDS} {of_fraction} to {self.on.type}")
        small = code.add(f"fcmp olt {self.on.type} {fraction}, {self.all(cephes.HALF_ROOT)}")
        one = code.add(f"zext {self.on.bits} {small} to {_WORDS}")
        exponent = code.add(f"sub {_WORDS} {exponent}, {one}")
        turns = code.add(f"sitofp {_WORDS} {exponent} to {self.on.type}")
        doubled = self.op("fadd", fraction, fraction)
        x = self.op("fsub", self.choose(small, doubled, fraction), self.all(1.0))
        square = self.op("fmul", x, x)
        cubic = self.op("fmul", self.polynomial(x, cephes.LOGARITHM), x)
        rest = self.fused(cubic, square, self.times(turns, cephes.LN2[1]))
        rest = self.fused(code.add(f"fneg {self.on.type} {square}"), self.all(0.5), rest)
        return self.fused(turns, self.all(cephes.LN2[0]), self.op("fadd", x, rest))

    def sine_and_cosine(self, angles: str) -> tuple[str, str]:
        """Of angles from zero on."""
        code = self.code
        octants = code.add(f"fptosi {self.on.type} {self.times(angles, 4 / math.pi)} to {_WORDS}")
        octants = code.add(f"add {_WORDS} {octants}, {self.word_op('and', octants, 1)}")
        turns = code.add(f"sitofp {_WORDS} {octants} to {self.on.type}")
        x = angles
        for part in cephes.QUARTER_PI:
            x = self.fused(turns, self.all(-part), x)
        square = self.op("fmul", x, x)
        cosine = self.op("fmul", self.polynomial(square, cephes.COSINE), square)
        half = code.add(f"fneg {self.on.type} {self.times(square, 0.5)}")
        cosine = self.op("fadd", self.fused(cosine, square, half), self.all(1.0))
        sine = self.op("fmul", self.polynomial(square, cephes.SINE), square)
        sine = self.fused(sine, x, x)
        swapped = self._has(octants, 2)
        first, second = self.choose(swapped, cosine, sine), self.choose(swapped, sine, cosine)
        moved = self.word_op("add", octants, 2)
        return self._negated(first, octants), self._negated(second, moved)

    def _has(self, octants: str, bit: int) -> str:
        found = self.word_op("and", octants, bit)
        return self.code.add(f"icmp ne {_WORDS} {found}, zeroinitializer")

    def _negated(self, numbers: str, octants: str) -> str:
        """In the second half of a turn."""
        negative = self.code.add(f"fneg {self.on.type} {numbers}")
        return self.choose(self._has(octants, 4), negative, numbers)
