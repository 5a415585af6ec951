"""Exponentials and what is made of them, of single elements.

x is taken apart into a multiple of the logarithm of 2 and a rest r. exp(r) - 1 is known to more digits than a number
has, in two parts; times a power of two and beside 1 they make exp, expm1, tanh and the logistic function.
"""

from __future__ import annotations

from typing import Final

from tsc.runtime.arrays.dtypes import DOUBLE, FLOAT
from tsc.runtime.native.expressions.arithmetic import Arithmetic
from tsc.runtime.native.expressions.instructions import Element, Instructions

_LOG2_E: Final = 1.4426950408889634
LN2: Final = {
    FLOAT: (0.693145751953125, 1.4286068203094172e-06),
    DOUBLE: (0.6931471803691238, 1.9082149292705877e-10),
}
"""The logarithm of 2 in two parts, of which the first has few digits."""
_WHOLE_LN2: Final = 0.6931471805599453

_EXP: Final = {
    FLOAT: (
        *(0.500000001346581, 0.16666666681623232, 0.041666464925285904),
        *(0.0083333109254809, 0.0013933649996309251, 0.00019890990824673654),
    ),
    DOUBLE: (
        *(0.5, 0.1666666666666667, 0.04166666666666667, 0.008333333333326136),
        *(0.0013888888888883748, 0.00019841269874820627, 2.4801587325547743e-05),
        *(2.7557255400206422e-06, 2.75572736431103e-07, 2.5105217004720745e-08),
        2.0914686968086876e-09,
    ),
}
"""(exp(r) - 1 - r) / r² for |r| up to half the logarithm of 2."""
_BOUNDS: Final = {FLOAT: (-104.0, 89.0), DOUBLE: (-746.0, 710.0)}
"""Beyond them the exponential is 0 or infinite."""
_BOUNDS_OF_TWO: Final = {FLOAT: (-151.0, 129.0), DOUBLE: (-1076.0, 1025.0)}
"""The same of powers of two."""
_ENOUGH: Final = {FLOAT: 20.0, DOUBLE: 40.0}
"""From here on, 1 is lost beside the exponential."""
_TO_INTEGER: Final = {FLOAT: 1.5 * 2**23, DOUBLE: 1.5 * 2**52}
"""Added to a number, it leaves the nearest integer in the last digits."""
_DIGITS: Final = {FLOAT: (127, 23), DOUBLE: (1023, 52)}
"""What exponents are counted from, and where they stand."""


class _Reduced:
    """exp(x) as (1 + `high` + `low`) · 2 to the power of `count`, an integer in a register."""

    __slots__ = ("count", "high", "low", "on")

    def __init__(self, on: Arithmetic, x: Element) -> None:
        """Of numbers within the bounds."""
        rounded, self.count = nearest(on, x, _LOG2_E)
        first, second = LN2[on.dtype]
        x = on.fused(rounded, -first, x)
        r = on.fused(rounded, -second, x)
        lost = on.fused(rounded, -second, on.sub(x, r))
        rest = on.mul(on.mul(r, r), on.polynomial(r, _EXP[on.dtype]))
        self.high, low = on.sum_of(r, rest)
        self.low, self.on = on.add(low, lost), on

    def power(self, least: int) -> Element:
        """2 to the power of the count, or of `least`."""
        on = self.on
        is_less = on.code.add(f"icmp slt {on.integer} {self.count}, {least}")
        count = on.code.add(f"select i1 {is_less}, {on.integer} {least}, {on.integer} {self.count}")
        return power_of_two(on, count)


def nearest(on: Arithmetic, x: Element, factor: float) -> tuple[Element, str]:
    """The integer next to a multiple of x, as a float and as an integer."""
    shift = _TO_INTEGER[on.dtype]
    shifted = on.fused(x, factor, shift)
    return on.sub(shifted, shift), on.on_integers("sub", on.bits(shifted), on.bits(shift))


def power_of_two(on: Arithmetic, count: str) -> Element:
    bias, place = _DIGITS[on.dtype]
    return on.of_bits(on.on_integers("shl", on.on_integers("add", count, bias), place))


def _scaled(on: Arithmetic, y: Element, count: str) -> Element:
    """Times two to a power, in two steps: the power alone may be out of range."""
    half = on.on_integers("ashr", count, 1)
    for part in (half, on.on_integers("sub", count, half)):
        y = on.mul(y, power_of_two(on, part))
    return y


def exp(code: Instructions, x: Element) -> Element:
    on = Arithmetic(code, x.dtype)
    rounded, count = nearest(on, x := on.clamped(x, *_BOUNDS[x.dtype]), _LOG2_E)
    for part in LN2[x.dtype]:
        x = on.fused(rounded, -part, x)
    return _exponential(on, x, count)


def rounded_exp(code: Instructions, x: Element) -> Element:
    """The same, rounded almost once, for what needs all its digits."""
    on = Arithmetic(code, x.dtype)
    parts = _Reduced(on, on.clamped(x, *_BOUNDS[x.dtype]))
    total, lost = on.sum_of(1.0, parts.high)
    return _scaled(on, on.add(total, on.add(lost, parts.low)), parts.count)


def exp2(code: Instructions, x: Element) -> Element:
    on = Arithmetic(code, x.dtype)
    rounded, count = nearest(on, x := on.clamped(x, *_BOUNDS_OF_TWO[x.dtype]), 1.0)
    return _exponential(on, on.mul(on.sub(x, rounded), _WHOLE_LN2), count)


def _exponential(on: Arithmetic, rest: Element, count: str) -> Element:
    power = on.polynomial(rest, _EXP[on.dtype])
    y = on.fused(on.mul(rest, rest), power, rest)
    return _scaled(on, on.add(y, 1.0), count)


def expm1(code: Instructions, x: Element) -> Element:
    on = Arithmetic(code, x.dtype)
    parts = _Reduced(on, on.clamped(x, -_ENOUGH[x.dtype], _BOUNDS[x.dtype][1]))
    one = on.sub(1.0, _inverse_power(parts))
    total, lost = on.sum_of(one, parts.high)
    y = _scaled(on, on.add(total, on.add(lost, parts.low)), parts.count)
    return on.with_sign_of(on.where("oeq", x, 0.0, x, y), x)


def _inverse_power(parts: _Reduced) -> Element:
    """1 over the power of two: next to nothing where that is large."""
    on = parts.on
    opposite = on.on_integers("sub", "0", parts.count)
    least = on.code.add(f"icmp slt {on.integer} {opposite}, -100")
    count = on.code.add(f"select i1 {least}, {on.integer} -100, {on.integer} {opposite}")
    return power_of_two(on, count)


def sigmoid(code: Instructions, x: Element) -> Element:
    """Of numbers below 0, the exponential over 1 and itself."""
    on = Arithmetic(code, x.dtype)
    negative = on.negative(on.magnitude(on.clamped(x, *_BOUNDS[x.dtype])))
    parts = _Reduced(on, negative)
    high, low = on.sum_of(1.0, parts.high)
    low = on.add(low, parts.low)
    power = parts.power(-100)
    total, lost = on.sum_of(1.0, on.mul(power, high))
    is_below = on.compare("olt", x, 0.0)
    numerator = on.select(is_below, high, 1.0), on.select(is_below, low, 0.0)
    result = on.quotient(numerator, (total, on.fused(power, low, lost)))
    count = code.add(f"select i1 {is_below.name}, {on.integer} {parts.count}, {on.integer} 0")
    return _scaled(on, result, count)


# -- The hyperbolic tangent --------------------------------------------------------------------

_TANH: Final = (
    *(-0.33333333149374506, 0.13333300146188914, -0.0539584616274522),
    *(0.021762502907359264, -0.008323187058278775, 0.002269501684162354),
)
"""(tanh(x) / x - 1) / x² by x², up to 0.4."""


def tanh(code: Instructions, x: Element) -> Element:
    on = Arithmetic(code, x.dtype)
    a = on.magnitude(x)
    double = on.clamped(on.add(a, a), 0.0, _ENOUGH[x.dtype])
    large = _of_doubled(on, double) if x.dtype == DOUBLE else _near_one(on, double)
    if x.dtype == DOUBLE:
        return on.with_sign_of(large, x)
    square = on.mul(a, a)
    small = on.fused(on.mul(square, a), on.polynomial(square, _TANH), a)
    return on.with_sign_of(on.where("olt", a, 0.625, small, large), x)


def _near_one(on: Arithmetic, double: Element) -> Element:
    """1 - 2 / (exp(2x) + 1), which has all its digits from about 1/2 on."""
    return on.sub(1.0, on.div(2.0, on.add(exp(on.code, double), 1.0)))


def _of_doubled(on: Arithmetic, double: Element) -> Element:
    """(exp(2x) - 1) / (exp(2x) + 1), in two parts."""
    parts = _Reduced(on, double)
    power = parts.power(0)
    high, low = on.mul(power, parts.high), on.mul(power, parts.low)
    return on.quotient(*(_with_one(on, power, one, high, low) for one in (-1.0, 1.0)))


def _with_one(
    on: Arithmetic, power: Element, one: float, high: Element, low: Element
) -> tuple[Element, Element]:
    """A power of two that is 1 or more, plus or minus 1, plus two parts of a number."""
    first, lost = on.sum_of(power, one)
    total, lost_too = on.sum_of(first, high)
    return total, on.add(lost, on.add(lost_too, low))
