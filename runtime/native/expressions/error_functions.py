"""The error function of single elements."""

from __future__ import annotations

from typing import Final

from tsc.runtime.arrays.dtypes import DOUBLE, FLOAT
from tsc.runtime.native.expressions.arithmetic import Arithmetic
from tsc.runtime.native.expressions.exponentials import nearest, power_of_two, rounded_exp
from tsc.runtime.native.expressions.instructions import Element, Instructions

_ERF: Final = {
    FLOAT: (
        *(0.1283791658483509, -0.37612626666720334, 0.11283594715160218, -0.026854212010626412),
        *(0.005189087423433974, -0.000801686428716587, 7.875875062685488e-05),
    ),
    DOUBLE: (
        *(0.1283791670955126, -0.3761263890318375, 0.11283791670954879),
        *(-0.026866170645076792, 0.0052239776248180145, -0.000854832698083379),
        *(0.0001205533111164271, -1.4925595266831182e-05, 1.6461000484121368e-06),
        *(-1.6350312701054695e-07, 1.4659775274047436e-08, -1.1372848856791674e-09),
        *(5.957176147748911e-11,),
    ),
}
"""erf(x) / x - 1 by x², up to 1."""
_ERFCX: Final = (
    *(0.427583576155807, -0.2732120147838988, 0.1543715613719075),
    *(-0.07922696894124868, 0.03757229621513644, -0.016661869096736757),
    *(0.006970142416391856, -0.0027690647479745585, 0.001050268025820313),
    *(-0.0003819469048846807, 0.00013363903697402905, -4.5092867337438187e-05),
    *(1.4673719365235759e-05, -4.581672106668471e-06, 1.353499086631279e-06),
    *(-3.687912126024929e-07, 8.942433816217578e-08, -1.8490304973208742e-08),
    *(3.10812756972591e-09, -4.016874971692913e-10, 3.70366761794275e-11),
    *(-2.1517731992292717e-12, 5.886761483808341e-14),
)
"""(1 - erf(x)) · exp(x²) by x - 1, for x from 7/8 to 6."""
_EXPONENT: Final = (
    *(-0.0004933473770130925, -1.6260456005697572, -0.9206450005320161),
    *(-0.14875838714486847, 0.031510922540008625, -0.004254429697261869),
    *(0.00026913722630795997,),
)
"""The logarithm of 1 - erf(x) to base 2, for x from 1 to 4, where that matters less and less."""
_TWO: Final = (
    *(1.0000000754548972, 0.6931471880262288, 0.2402210748530834),
    *(0.05550357114219078, 0.009676031918322054, 0.0013390863364671234),
)
"""2 to the power of r, for |r| up to 1/2: that is enough for what is taken from 1."""


def erf(code: Instructions, x: Element) -> Element:
    on = Arithmetic(code, x.dtype)
    a = on.magnitude(x)
    square = on.mul(a, a)
    small = on.fused(a, on.polynomial(square, _ERF[x.dtype]), a)
    middle, rest = (1.0, _float_rest(on, a)) if x.dtype == FLOAT else (0.875, _double_rest(on, a))
    return on.with_sign_of(on.where("olt", a, middle, small, on.sub(1.0, rest)), x)


def _double_rest(on: Arithmetic, a: Element) -> Element:
    """What is missing from 1; from 6 on, nothing is."""
    a = on.clamped(a, 0.0, 6.0)
    decay = rounded_exp(on.code, on.negative(on.mul(a, a)))
    return on.mul(decay, on.polynomial(on.sub(a, 1.0), _ERFCX))


def _float_rest(on: Arithmetic, a: Element) -> Element:
    """The same, from 4 on."""
    a = on.where("ogt", a, 4.0, 4.0, a)
    exponent = on.polynomial(a, _EXPONENT)
    rounded, count = nearest(on, exponent, 1.0)
    rest = on.sub(exponent, rounded)
    return on.mul(on.polynomial(rest, _TWO), power_of_two(on, count))
