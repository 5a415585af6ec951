"""Complex numbers in native code, as Python computes with them."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Final

from llvmlite import ir

from tsc.runtime.native.regions.forms import PAIR, Native, NotNative
from tsc.runtime.native.regions.llvm_types import DOUBLE, INT32, WORD
from tsc.runtime.native.regions.numbers import Numbers

_KEEPS_INFINITIES: Final = sys.version_info >= (3, 14)
"""Whether Python computes as C does since 1999: a real operand has no imaginary part, and infinity times a number is
infinity.
"""


class Pairs(Numbers):
    """Emits operations on complex numbers."""

    def pair_of(self, real: Native, imaginary: Native) -> Native:
        """Of parts that may be ints, which go through 32 bits, or truth values."""
        return self._pair(self._through_32_bits(real), self._through_32_bits(imaginary))

    def _through_32_bits(self, value: Native) -> Native:
        return self.real(self.builder.trunc(value, INT32) if value.type == WORD else value)

    def _pair(self, real: Native, imaginary: Native) -> Native:
        return self.aggregate(PAIR, [real, imaginary])

    def _parts(self, value: Native) -> list[Native] | None:
        """The parts of a complex number; a real one has none."""
        if not isinstance(value.type, ir.LiteralStructType):
            return None
        return [self.builder.extract_value(value, place) for place in range(2)]

    def sum_of_pairs(self, a: Native, b: Native) -> Native:
        return self._added(self.builder.fadd, a, b)

    def _added(self, operation: Callable[[Native, Native], Native], a: Native, b: Native) -> Native:
        parts = [self._parts(each) or self._as_parts(each) for each in (a, b)]
        (one, first), (other, second) = parts
        if first is None or second is None:
            return self._pair(operation(one, other), first or second)
        return self._pair(operation(one, other), operation(first, second))

    def _as_parts(self, value: Native) -> list[Native | None]:
        """Those of a real number."""
        zero = None if _KEEPS_INFINITIES else ir.Constant(DOUBLE, 0.0)
        return [self.real(value), zero]

    def difference_of_pairs(self, a: Native, b: Native) -> Native:
        """The imaginary part next to a real operand stays as it is, or is negated."""
        builder, one, other = self.builder, self._parts(a), self._parts(b)
        if one and other:
            return self._added(builder.fsub, a, b)
        if one:
            return self._pair(builder.fsub(one[0], self.real(b)), one[1])
        assert other is not None
        return self._pair(builder.fsub(self.real(a), other[0]), builder.fneg(other[1]))

    def product_of_pairs(self, a: Native, b: Native) -> Native:
        builder, one, other = self.builder, self._parts(a), self._parts(b)
        if one is None or other is None:
            number, parts = (a, other) if one is None else (b, one)
            assert parts is not None
            return self._pair(*(builder.fmul(each, self.real(number)) for each in parts))
        if _KEEPS_INFINITIES:
            raise NotNative(
                "this Python treats infinities in products of complex numbers by itself"
            )
        products = [[builder.fmul(x, y) for y in other] for x in one]
        return self._pair(
            builder.fsub(products[0][0], products[1][1]),
            builder.fadd(products[0][1], products[1][0]),
        )

    def quotient_of_pairs(self, a: Native, b: Native) -> Native:
        """By the ratio of the divisor's parts, the smaller over the larger, as NumPy does (R. L. Smith, 1962)."""
        builder, one, other = self.builder, self._parts(a), self._parts(b)
        assert one is not None and other is not None
        sizes = [self.math("fabs", each) for each in other]
        is_real = self.compare(">=", *sizes)
        large, small = (builder.select(is_real, *each) for each in (other, other[::-1]))
        ratio = builder.fdiv(small, large)
        scale = builder.fdiv(self.float_of(1.0), builder.fadd(large, builder.fmul(small, ratio)))
        turned = [builder.fmul(each, ratio) for each in one]
        first = builder.select(
            is_real, builder.fadd(one[0], turned[1]), builder.fadd(turned[0], one[1])
        )
        second = builder.select(
            is_real, builder.fsub(one[1], turned[0]), builder.fsub(turned[1], one[0])
        )
        is_zero = builder.and_(is_real, self.compare("==", sizes[0], self.float_of(0.0)))
        by_zero = [builder.fdiv(each, sizes[0]) for each in one]
        scaled = [builder.fmul(each, scale) for each in (first, second)]
        return self._pair(*(builder.select(is_zero, *each) for each in zip(by_zero, scaled)))

    def opposite_of_pair(self, a: Native) -> Native:
        return self._pair(*map(self.builder.fneg, self._parts(a) or ()))

    def size_of_pair(self, a: Native) -> Native:
        """The distance from zero."""
        return self.math("hypot", *(self._parts(a) or ()))
