"""Sines, cosines and tangents of single elements.

x is taken apart into quarter turns and a rest of at most an eighth. Float32 is computed in float64; of float64 the rest
has two parts. Large numbers take a function of their own.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np

from tsc.runtime.arrays.dtypes import BOOL, DOUBLE, FLOAT
from tsc.runtime.native.expressions.arithmetic import Arithmetic
from tsc.runtime.native.expressions.exponentials import nearest, power_of_two
from tsc.runtime.native.expressions.instructions import Element, Instructions
from tsc.runtime.native.expressions.rare_arguments import RareFunction

_QUARTERS: Final = 0.6366197723675814
"""Quarter turns in a radian."""
_QUARTER: Final = (1.5707963267948966, 6.123233995736766e-17, -1.4973849048591698e-33)
"""Radians of a quarter turn, in three parts."""
_SINE: Final = {
    FLOAT: (
        *(-0.16666666663832763, 0.008333331865959415, -0.00019840082012765537),
        2.7249314054698804e-06,
    ),
    DOUBLE: (
        *(-0.16666666666666666, 0.008333333333333331, -0.00019841269841265017),
        *(2.755731921930192e-06, -2.5052106219521895e-08, 1.6058529572267877e-10),
        -7.586576588171073e-13,
    ),
}
"""(sin(r) / r - 1) / r² by r², for |r| up to an eighth of a turn."""
_COSINE: Final = {
    FLOAT: (
        *(0.0416666666643024, -0.0013888887664713619),
        *(2.4800596435621998e-05, -2.7300448619488353e-07),
    ),
    DOUBLE: (
        *(0.041666666666666664, -0.0013888888888887382, 2.480158729874307e-05),
        *(-2.7557317260008837e-07, 2.0876143827993133e-09, -1.1382456778061306e-11),
    ),
}
"""(cos(r) - 1 + r² / 2) / r⁴ by r²."""
_LARGE: Final = 2.0**27
"""From here on quarter turns are counted with more digits."""

Parts = tuple[Element, Element]


class _Turned:
    """A rest in two parts after `quarters`, an integer in a register; `dtype` is that of results."""

    __slots__ = ("dtype", "lost", "on", "quarters", "rest", "square")

    def __init__(self, on: Arithmetic, dtype: np.dtype, rest: Parts, quarters: str) -> None:
        self.on, self.dtype, self.quarters = on, dtype, quarters
        self.rest, self.lost = rest
        self.square = on.mul(self.rest, self.rest)

    def sine(self) -> Parts:
        """Of the rest, in two parts."""
        on, square = self.on, self.square
        power = on.mul(self.rest, on.mul(square, on.polynomial(square, _SINE[self.dtype])))
        if self.dtype == FLOAT:
            return self.rest, power
        return self.rest, on.fused(self.lost, on.fused(square, -0.5, 1.0), power)

    def cosine(self) -> Parts:
        on, square = self.on, self.square
        power = on.mul(on.mul(square, square), on.polynomial(square, _COSINE[self.dtype]))
        if self.dtype == FLOAT:
            return on.fused(square, -0.5, 1.0), power
        first, missing = on.sum_of(1.0, on.mul(square, -0.5))
        of_square = on.fused(self.rest, self.rest, on.negative(square))
        missing = on.fused(of_square, -0.5, missing)
        return first, on.add(missing, on.fused(self.rest, on.negative(self.lost), power))

    def has_bit(self, bit: int, ahead: int = 0) -> Element:
        """Of the quarters and some more."""
        on = self.on
        found = on.on_integers("and", on.on_integers("add", self.quarters, ahead), bit)
        return on.code.element(f"icmp ne {on.integer} {found}, 0", BOOL)


def _sine(turned: _Turned, ahead: int = 0) -> Element:
    """After some more quarters."""
    on = turned.on
    sine, cosine = on.add(*turned.sine()), on.add(*turned.cosine())
    y = on.select(turned.has_bit(1, ahead), cosine, sine)
    return on.select(turned.has_bit(2, ahead), on.negative(y), y)


def _cosine(turned: _Turned) -> Element:
    return _sine(turned, 1)


def _tangent(turned: _Turned) -> Element:
    on, is_odd = turned.on, turned.has_bit(1)
    pairs = list(zip(on.sum_of(*turned.sine()), on.sum_of(*turned.cosine())))
    above, missing = (on.select(is_odd, on.negative(cosine), sine) for sine, cosine in pairs)
    below, missing_below = (on.select(is_odd, sine, cosine) for sine, cosine in pairs)
    return on.quotient((above, missing), (below, missing_below))


def _turned(on: Arithmetic, dtype: np.dtype, x: Element) -> _Turned:
    """A number that is not large."""
    count, quarters = nearest(on, x, _QUARTERS)
    rest = on.fused(count, -_QUARTER[0], x)
    if dtype == FLOAT:
        rest = on.fused(count, -_QUARTER[1], rest)
        return _Turned(on, dtype, (rest, on.element(0.0)), quarters)
    product = on.mul(count, _QUARTER[1])
    error = on.fused(count, _QUARTER[1], on.negative(product))
    first = on.sub(rest, product)
    taken = on.sub(rest, first)
    lost = on.add(on.sub(rest, on.add(first, taken)), on.sub(taken, product))
    lost = on.sub(lost, on.fused(count, _QUARTER[2], error))
    return _Turned(on, dtype, on.sum_of(first, lost), quarters)


# -- Large numbers -----------------------------------------------------------------------------

_PI_DIGITS: Final = 1280
_WORD: Final = _PI_DIGITS + 64
_KEPT: Final = 192
"""Binary digits that quarter turns are counted with, two of them before the point."""


def _two_over_pi() -> int:
    """The quarter turns in a radian, times a power of two: 1 over twice Machin's sum of inverse tangents."""
    one = 1 << (_PI_DIGITS + 64)

    def inverse_tangent(divisor: int) -> int:
        term, total, sign, n = one // divisor, 0, 1, 1
        while term:
            total, term, sign, n = total + sign * term // n, term // divisor**2, -sign, n + 2
        return total

    half_pi = 8 * inverse_tangent(5) - 2 * inverse_tangent(239)
    return (one << _PI_DIGITS) // half_pi


def _large_turned(on: Arithmetic, dtype: np.dtype, x: Element) -> _Turned:
    """Digits of 2 / pi that make whole turns of this number are left out; the others are multiplied exactly."""
    code, bits = on.code, on.bits(on.magnitude(x))
    exponent = code.add(f"lshr i64 {bits}, 52")
    mantissa = code.add(f"or i64 {code.add(f'and i64 {bits}, {2**52 - 1}')}, {2**52}")
    shift = code.add(f"zext i64 {code.add(f'sub i64 {exponent}, 1013')} to i{_WORD}")
    moved = code.add(f"shl i{_WORD} {_two_over_pi()}, {shift}")
    moved = code.add(f"lshr i{_WORD} {moved}, {_WORD - _KEPT}")
    digits = code.add(f"trunc i{_WORD} {moved} to i{_KEPT}")
    wide = code.add(f"zext i64 {mantissa} to i{_KEPT}")
    turns = code.add(f"mul i{_KEPT} {digits}, {wide}")
    rounded = code.add(f"add i{_KEPT} {turns}, {1 << (_KEPT - 3)}")
    whole = code.add(f"trunc i{_KEPT} {code.add(f'lshr i{_KEPT} {rounded}, {_KEPT - 2}')} to i64")
    high, low = _fraction(on, code.add(f"shl i{_KEPT} {turns}, 2"))
    radians = on.mul(high, _QUARTER[0])
    lost = on.fused(high, _QUARTER[0], on.negative(radians))
    lost = on.fused(low, _QUARTER[0], on.fused(high, _QUARTER[1], lost))
    is_negative = on.compare("olt", x, 0.0)
    rest = [on.select(is_negative, on.negative(a), a) for a in on.sum_of(radians, lost)]
    opposite = code.add(f"sub i64 0, {whole}")
    quarters = code.add(f"select i1 {is_negative.name}, i64 {opposite}, i64 {whole}")
    return _Turned(on, dtype, (rest[0], rest[1]), quarters)


def _fraction(on: Arithmetic, digits: str) -> Parts:
    """A signed number of so many digits after the point, in two parts."""
    code, type = on.code, f"i{_KEPT}"
    is_negative = code.add(f"icmp slt {type} {digits}, 0")
    opposite = code.add(f"sub {type} 0, {digits}")
    size = code.add(f"select i1 {is_negative}, {type} {opposite}, {type} {digits}")
    code.intrinsics.add(f"declare {type} @llvm.ctlz.{type}({type}, i1)")
    zeros = code.add(f"call {type} @llvm.ctlz.{type}({type} {size}, i1 false)")
    size = code.add(f"shl {type} {size}, {zeros}")
    scale = code.add(f"sub i64 0, {code.add(f'trunc {type} {zeros} to i64')}")
    parts: list[Element] = []
    for place in (53, 106):
        part = code.add(f"trunc {type} {code.add(f'lshr {type} {size}, {_KEPT - place}')} to i64")
        part = code.add(f"and i64 {part}, {2**53 - 1}")
        power = power_of_two(on, code.add(f"sub i64 {scale}, {place}"))
        parts.append(on.mul(on.of_integer(part), power))
    high, low = (on.select(Element(is_negative, BOOL), on.negative(a), a) for a in parts)
    return high, low


# -- The functions -----------------------------------------------------------------------------


def _function(
    name: str, made: Callable[[_Turned], Element]
) -> Callable[[Instructions, Element], Element]:
    """Zero, of which sines are zero, keeps its sign."""

    def of_large(dtype: np.dtype) -> RareFunction:
        def write(code: Instructions, x: Element) -> Element:
            on = Arithmetic(code, DOUBLE)
            y = made(_large_turned(on, dtype, x))
            return on.where("one", on.magnitude(x), float("inf"), y, on.sub(x, x))

        return RareFunction(f"large.{name}.{dtype}", _LARGE, write)

    rare = {dtype: of_large(dtype) for dtype in (FLOAT, DOUBLE)}

    def of(code: Instructions, x: Element) -> Element:
        on, wide = Arithmetic(code, DOUBLE), code.cast(x, DOUBLE)
        y = made(_turned(on, x.dtype, wide))
        if made is not _cosine:
            y = on.where("oeq", wide, 0.0, wide, y)
        return code.cast(rare[x.dtype].in_place_of(on, y, wide), x.dtype)

    return of


sin = _function("sin", _sine)
cos = _function("cos", _cosine)
tan = _function("tan", _tangent)
