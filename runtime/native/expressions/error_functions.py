"""The error function of single elements, what it lacks of 1, and its inverse."""

from __future__ import annotations

from typing import Final

from tsc.runtime.arrays.dtypes import DOUBLE, FLOAT
from tsc.runtime.native.expressions.arithmetic import Arithmetic
from tsc.runtime.native.expressions.exponentials import exp, nearest, power_of_two, rounded_exp
from tsc.runtime.native.expressions.instructions import Element, Instructions, NotLowered
from tsc.runtime.native.expressions.logarithms import log

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
_SCALED: Final = (
    *(0.2820997399380224, 0.2819426498262813, 0.24889984672559212, 0.15991340935643622),
    *(0.1681957644474369, -0.3008020650293667, 0.6639034708805377, -1.2538259111266983),
    *(1.299094496203783, -0.7554188453694727, 0.23809468653331273, -0.032097242452572054),
)
"""erfc(x) · exp(x²) / t by t = 1 / (1 + x / 2), for x from 0 on, as precise as float32."""
_ENOUGH: Final = 10.25
"""From here on, erfc is 0 in float32."""
_MIDDLE: Final = 3.25
_INVERSE: Final = (
    *(1.6835786578550347, 0.23861647957174767, -0.006294203902609775, -0.0006495373079626399),
    *(0.00017776612065855294, -1.4784108065111971e-05, -1.00830062715513e-06),
    *(3.967444066116698e-07, -3.29833212131085e-08, -3.5877791727054096e-09),
    *(9.713950543784651e-10, -7.85465151996946e-12, -1.031898652013909e-11),
)
"""erfinv(x) / x by w - 3.25, where w = -log(1 - x²) is from 0 to 6.5."""
_INVERSE_FAR: Final = (
    *(3.0838856059231405, 1.0052589684577558, 0.0053713212093162935, -0.0037512768086153166),
    *(0.002485620195022507, -0.0016872723525769616, 0.000982682595474375),
    *(-0.00036038249087117137, -3.7471700003254784e-05, 8.074691057693325e-05),
)
"""The same by √w - 3.25, for w from 6.25 to 16, which is as far as float32 goes."""


def erf(code: Instructions, x: Element) -> Element:
    on = Arithmetic(code, x.dtype)
    a = on.magnitude(x)
    square = on.mul(a, a)
    small = on.fused(a, on.polynomial(square, _ERF[x.dtype]), a)
    middle, rest = (1.0, _float_rest(on, a)) if x.dtype == FLOAT else (0.875, _double_rest(on, a))
    return on.with_sign_of(on.where("olt", a, middle, small, on.sub(1.0, rest)), x)


def erfc(code: Instructions, x: Element) -> Element:
    """Of float32, computed in float64. Raises NotLowered for float64."""
    if x.dtype != FLOAT:
        raise NotLowered
    on, wide = Arithmetic(code, DOUBLE), code.cast(x, DOUBLE)
    a = on.clamped(on.magnitude(wide), 0.0, _ENOUGH)
    t = on.div(1.0, on.fused(a, 0.5, 1.0))
    decay = exp(code, on.negative(on.mul(a, a)))
    y = on.mul(on.mul(t, on.polynomial(t, _SCALED)), decay)
    return code.cast(on.where("olt", wide, 0.0, on.sub(2.0, y), y), x.dtype)


def erfinv(code: Instructions, x: Element) -> Element:
    """Of float32, computed in float64. Raises NotLowered for float64."""
    if x.dtype != FLOAT:
        raise NotLowered
    on, wide = Arithmetic(code, DOUBLE), code.cast(x, DOUBLE)
    w = on.negative(log(code, on.fused(on.negative(wide), wide, 1.0)))
    near = on.polynomial(on.sub(w, _MIDDLE), _INVERSE)
    far = on.polynomial(on.sub(code.intrinsic("sqrt", w), _MIDDLE), _INVERSE_FAR)
    slope = on.where("olt", w, 2 * _MIDDLE, near, far)
    return code.cast(on.mul(wide, slope), x.dtype)


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
