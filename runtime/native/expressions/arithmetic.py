"""Arithmetic on elements of one floating-point dtype, as instructions; numbers stand for constants."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tsc.runtime.arrays.dtypes import FLOAT
from tsc.runtime.native.expressions.instructions import Element, Instructions, constant

Operand = Element | float


class Arithmetic:
    """Appends to the instructions. Nothing is rounded otherwise than its order says."""

    __slots__ = ("code", "dtype")

    def __init__(self, code: Instructions, dtype: np.dtype) -> None:
        self.code, self.dtype = code, dtype

    def element(self, value: Operand) -> Element:
        return value if isinstance(value, Element) else constant(value, self.dtype)

    def add(self, a: Operand, b: Operand) -> Element:
        return self.code.binary("fadd", self.element(a), self.element(b))

    def sub(self, a: Operand, b: Operand) -> Element:
        return self.code.binary("fsub", self.element(a), self.element(b))

    def mul(self, a: Operand, b: Operand) -> Element:
        return self.code.binary("fmul", self.element(a), self.element(b))

    def div(self, a: Operand, b: Operand) -> Element:
        return self.code.binary("fdiv", self.element(a), self.element(b))

    def fused(self, a: Operand, b: Operand, c: Operand) -> Element:
        """a * b + c, rounded once."""
        return self.code.fused(*map(self.element, (a, b, c)))

    def negative(self, a: Element) -> Element:
        return self.code.element(f"fneg {self._float} {a.name}", self.dtype)

    def magnitude(self, a: Element) -> Element:
        return self.code.intrinsic("fabs", a)

    def with_sign_of(self, magnitude: Element, sign: Element) -> Element:
        return self.code.intrinsic("copysign", magnitude, sign)

    # -- Choices -------------------------------------------------------------------------------

    def compare(self, comparison: str, a: Operand, b: Operand) -> Element:
        """``olt``, ``ueq`` and the like: the first letter says what is if one is NaN."""
        return self.code.compare(f"fcmp {comparison}", self.element(a), self.element(b))

    def select(self, condition: Element, a: Operand, b: Operand) -> Element:
        return self.code.select(condition, self.element(a), self.element(b))

    def where(
        self, comparison: str, a: Element, b: Operand, chosen: Operand, other: Operand
    ) -> Element:
        """`chosen` where the comparison of `a` with `b` holds."""
        return self.select(self.compare(comparison, a, b), chosen, other)

    def clamped(self, x: Element, low: float, high: float) -> Element:
        """NaN stays what it is."""
        x = self.where("olt", x, low, low, x)
        return self.where("ogt", x, high, high, x)

    # -- More digits than a dtype has ------------------------------------------------------------

    def polynomial(self, x: Element, coefficients: Sequence[float]) -> Element:
        """Coefficients from the constant one on."""
        result: Operand = coefficients[-1]
        for each in reversed(coefficients[:-1]):
            result = self.fused(result, x, each)
        return self.element(result)

    def sum_of(self, larger: Operand, smaller: Operand) -> tuple[Element, Element]:
        """A sum, and what it loses; the first is the larger one, or zero."""
        total = self.add(larger, smaller)
        return total, self.sub(smaller, self.sub(total, larger))

    def quotient(self, a: tuple[Element, Operand], b: tuple[Element, Operand]) -> Element:
        """Of two numbers of two parts each, rounded almost once."""
        inverse = self.div(1.0, b[0])
        first = self.mul(a[0], inverse)
        rest = self.fused(self.negative(first), b[0], a[0])
        rest = self.add(rest, self.fused(self.negative(first), b[1], a[1]))
        return self.fused(rest, inverse, first)

    # -- Digits ----------------------------------------------------------------------------------

    @property
    def integer(self) -> str:
        """The type of integers as long as the floats."""
        return "i32" if self.dtype == FLOAT else "i64"

    @property
    def _float(self) -> str:
        return "float" if self.dtype == FLOAT else "double"

    def bits(self, x: Operand) -> str:
        return self.code.add(f"bitcast {self._float} {self.element(x).name} to {self.integer}")

    def of_bits(self, bits: str) -> Element:
        return self.code.element(f"bitcast {self.integer} {bits} to {self._float}", self.dtype)

    def of_integer(self, integer: str) -> Element:
        return self.code.element(f"sitofp {self.integer} {integer} to {self._float}", self.dtype)

    def on_integers(self, instruction: str, a: str, b: str | int) -> str:
        return self.code.add(f"{instruction} {self.integer} {a}, {b}")
