"""Logarithms and powers of single elements.

x is taken apart into a power of two and 1 + f near 1. The logarithm of 1 + f is a series in s = f / (2 + f); what
else is than its first terms is small, so that two parts of a number hold it to more digits than one.
"""

from __future__ import annotations

from typing import Final

from tsc.runtime.arrays.dtypes import DOUBLE, FLOAT
from tsc.runtime.native.expressions.arithmetic import Arithmetic
from tsc.runtime.native.expressions.exponentials import LN2, exp2
from tsc.runtime.native.expressions.instructions import Element, Instructions, NotLowered

_INFINITY: Final = float("inf")
_NAN: Final = float("nan")

_SERIES: Final = {
    FLOAT: (0.6666666655404201, 0.4000012221181065, 0.28550778633191964, 0.23331614471843498),
    DOUBLE: (
        *(0.6666666666666666, 0.40000000000000885, 0.28571428570799784, 0.22222222392581045),
        *(0.18181795547521137, 0.15386244737621665, 0.13268638369266825, 0.13088034850927555),
    ),
}
"""(log((1 + s) / (1 - s)) - 2s) / s³ by s²."""
_OFFSET: Final = {FLOAT: 0x3F3504F3, DOUBLE: 0x3FE6A09E667F3BCD}
"""The bits of the root of 1/2."""
_PLACE: Final = {FLOAT: 23, DOUBLE: 52}
_SMALLEST: Final = {FLOAT: 2.0**-126, DOUBLE: 2.0**-1022}
"""The least number that has all its digits."""
_LOGARITHMS: Final = {
    2: (1.4426950408889634, 2.0355273740931033e-17),
    10: (0.4342944819032518, 1.098319650216765e-17),
}
"""1 over the logarithms of the bases, in two parts."""
_LOG10_2: Final = (0.30102999566383914, 1.42050232272661e-13)
"""The logarithm of 2 to base 10, the first part of which has few digits."""


class _Taken:
    """x as (1 + f) · 2 to the power of `count`, and the logarithm of 1 + f as f - half + rest."""

    __slots__ = ("count", "f", "half", "on", "rest")

    def __init__(self, on: Arithmetic, f: Element, count: Element) -> None:
        self.on, self.f, self.count = on, f, count
        s = on.div(f, on.add(f, 2.0))
        square = on.mul(s, s)
        self.half = on.mul(on.mul(f, 0.5), f)
        series = on.mul(square, on.polynomial(square, _SERIES[on.dtype]))
        self.rest = on.mul(s, on.add(self.half, series))

    def natural(self, more: Element | float = 0.0) -> Element:
        """The logarithm, and a little more."""
        on = self.on
        first, second = LN2[on.dtype]
        small = on.add(self.rest, on.fused(self.count, second, on.element(more)))
        return on.fused(self.count, first, on.sub(self.f, on.sub(self.half, small)))

    def to_base(self, base: int) -> tuple[Element, Element]:
        """The logarithm to another base, in two parts."""
        on = self.on
        factor, missing = _LOGARITHMS[base]
        high = on.sub(self.f, self.half)
        low = on.add(on.sub(on.sub(self.f, high), self.half), self.rest)
        product = on.mul(high, factor)
        error = on.fused(high, factor, on.negative(product))
        error = on.add(error, on.fused(low, factor, on.mul(high, missing)))
        if base == 2:
            total, lost = on.sum_of(self.count, product)
        else:
            first, second = _LOG10_2
            total, lost = on.sum_of(on.mul(self.count, first), product)
            lost = on.fused(self.count, second, lost)
        return total, on.add(lost, error)


def _taken(on: Arithmetic, x: Element) -> _Taken:
    """Of a number with all its digits or fewer."""
    digits = _PLACE[on.dtype]
    is_tiny = on.compare("olt", x, _SMALLEST[on.dtype])
    f, count = _mantissa(on, on.select(is_tiny, on.mul(x, 2.0**digits), x))
    return _Taken(on, f, on.select(is_tiny, on.sub(count, float(digits)), count))


def _mantissa(on: Arithmetic, x: Element) -> tuple[Element, Element]:
    """f and n, where x is (1 + f) · 2ⁿ and 1 + f between the roots of 1/2 and 2."""
    bits, digits = on.bits(x), _PLACE[on.dtype]
    power = on.on_integers("ashr", on.on_integers("sub", bits, _OFFSET[on.dtype]), digits)
    mantissa = on.on_integers("sub", bits, on.on_integers("shl", power, digits))
    return on.sub(on.of_bits(mantissa), 1.0), on.of_integer(power)


def _at_the_ends(on: Arithmetic, x: Element, y: Element, zero: float = 0.0) -> Element:
    """-inf where x is `zero`, NaN where it is less, and infinity of itself; NaN stays."""
    y = on.where("ueq", x, _INFINITY, x, y)
    y = on.where("olt", x, zero, _NAN, y)
    return on.where("oeq", x, zero, -_INFINITY, y)


def log(code: Instructions, x: Element) -> Element:
    on = Arithmetic(code, x.dtype)
    return _at_the_ends(on, x, _taken(on, x).natural())


def log1p(code: Instructions, x: Element) -> Element:
    """log(1 + x); what the sum loses is added to the logarithm."""
    on = Arithmetic(code, x.dtype)
    u = on.add(x, 1.0)
    lost = on.div(on.sub(x, on.sub(u, 1.0)), u)
    f, count = _mantissa(on, u)
    is_near = on.compare("oeq", count, 0.0)
    taken = _Taken(on, on.select(is_near, x, f), count)
    y = taken.natural(on.select(is_near, 0.0, lost))
    return _at_the_ends(on, x, on.where("oeq", x, 0.0, x, y), -1.0)


def log2(code: Instructions, x: Element) -> Element:
    return _to_base(code, x, 2)


def log10(code: Instructions, x: Element) -> Element:
    return _to_base(code, x, 10)


def _to_base(code: Instructions, x: Element, base: int) -> Element:
    """In float64, as all that is not done in float32 itself."""
    on = Arithmetic(code, DOUBLE)
    wide = code.cast(x, DOUBLE)
    y = _at_the_ends(on, wide, on.add(*_taken(on, wide).to_base(base)))
    return code.cast(y, x.dtype)


def power(code: Instructions, x: Element, y: Element) -> Element:
    """x to the power of y, of float32, with what C says of 0, 1, infinity and NaN. Raises NotLowered."""
    if x.dtype != FLOAT:
        raise NotLowered
    on = Arithmetic(code, DOUBLE)
    base, exponent = code.cast(x, DOUBLE), code.cast(y, DOUBLE)
    size = on.magnitude(base)
    logarithm = on.add(*_taken(on, size).to_base(2))
    result = exp2(code, on.mul(exponent, _at_the_ends(on, size, logarithm)))
    result = on.where("oeq", size, 1.0, 1.0, result)
    result = on.where("oeq", exponent, 0.0, 1.0, result)
    half = on.mul(exponent, 0.5)
    is_whole = on.compare("oeq", exponent, code.intrinsic("trunc", exponent))
    is_even = on.compare("oeq", half, code.intrinsic("trunc", half))
    turned = on.select(is_even, result, on.with_sign_of(result, base))
    result = on.select(is_whole, turned, result)
    is_finite = on.compare("ogt", base, -_INFINITY)
    no_root = on.select(is_whole, result, on.select(is_finite, _NAN, result))
    result = on.where("olt", base, 0.0, no_root, result)
    result = on.where("oeq", base, 1.0, 1.0, result)
    return code.cast(on.where("oeq", exponent, 0.0, 1.0, result), x.dtype)
