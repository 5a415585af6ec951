"""Transcendental functions of single elements, without branches, so that LLVM makes vectors of them.

Float32 functions are within 2 units in the last place, float64 ones within 1. Arguments are reduced to a small
interval, where a polynomial interpolates the function in Chebyshev's points.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from tsc.runtime.arrays.dtypes import DOUBLE, FLOAT
from tsc.runtime.native.instructions import Element, Instructions, NotLowered, constant

_INFINITY: Final = float("inf")
_NAN: Final = float("nan")
_LOG2_E: Final = 1.4426950408889634
_LN2: Final = {
    FLOAT: (0.693145751953125, 1.4286068203094172e-06),
    DOUBLE: (0.6931471803691238, 1.9082149292705877e-10),
}
"""The logarithm of 2 in two parts, of which the first has few digits."""


def _number(value: float, like: Element) -> Element:
    return constant(value, like.dtype)


def polynomial(code: Instructions, x: Element, coefficients: Sequence[float]) -> Element:
    """Coefficients from the constant one on."""
    result = _number(coefficients[-1], x)
    for each in reversed(coefficients[:-1]):
        result = code.fused(result, x, _number(each, x))
    return result


def _clamped(code: Instructions, x: Element, low: float, high: float) -> Element:
    """NaN stays what it is."""
    below = code.compare("fcmp olt", x, _number(low, x))
    x = code.select(below, _number(low, x), x)
    return code.select(code.compare("fcmp ogt", x, _number(high, x)), _number(high, x), x)


# -- The exponential function ----------------------------------------------------------------

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
_EXP_BOUNDS: Final = {FLOAT: (-104.0, 89.0), DOUBLE: (-746.0, 710.0)}
"""Beyond them the result is 0 or infinite."""
_TO_INTEGER: Final = {FLOAT: 1.5 * 2**23, DOUBLE: 1.5 * 2**52}
"""Added to a number, it leaves the nearest integer in the last digits."""
_BITS: Final = {FLOAT: ("i32", 127, 23), DOUBLE: ("i64", 1023, 52)}


def exp(code: Instructions, x: Element) -> Element:
    y, shifted = _reduced(code, _clamped(code, x, *_EXP_BOUNDS[x.dtype]))
    return _scaled(code, code.binary("fadd", y, _number(1.0, y)), shifted)


def expm1(code: Instructions, x: Element) -> Element:
    if x.dtype != FLOAT:
        raise NotLowered
    y, shifted = _reduced(code, _clamped(code, x, -20.0, 20.0))
    power = _scaled(code, _number(1.0, x), shifted)
    y = code.fused(power, y, code.binary("fsub", power, _number(1.0, x)))
    is_large = code.compare("fcmp ogt", x, _number(20.0, x))
    return code.intrinsic("copysign", code.select(is_large, exp(code, x), y), x)


def _reduced(code: Instructions, x: Element) -> tuple[Element, Element]:
    """exp(r) - 1 for what is left of x without multiples of the logarithm of 2, and their count, shifted."""
    shift = _number(_TO_INTEGER[x.dtype], x)
    shifted = code.fused(x, _number(_LOG2_E, x), shift)
    count = code.binary("fsub", shifted, shift)
    for part in _LN2[x.dtype]:
        x = code.fused(count, _number(-part, x), x)
    square = code.binary("fmul", x, x)
    return code.fused(square, polynomial(code, x, _EXP[x.dtype]), x), shifted


def _scaled(code: Instructions, y: Element, shifted: Element) -> Element:
    """Times two to a power, in two steps: the power alone may be out of range."""
    type, bias, place = _BITS[y.dtype]
    float_type = "float" if y.dtype == FLOAT else "double"
    bits = code.add(f"bitcast {float_type} {shifted.name} to {type}")
    zero = code.add(f"bitcast {float_type} {_number(_TO_INTEGER[y.dtype], y).name} to {type}")
    count = code.add(f"sub {type} {bits}, {zero}")
    half = code.add(f"ashr {type} {count}, 1")
    for part in (half, code.add(f"sub {type} {count}, {half}")):
        exponent = code.add(f"shl {type} {code.add(f'add {type} {part}, {bias}')}, {place}")
        power = code.element(f"bitcast {type} {exponent} to {float_type}", y.dtype)
        y = code.binary("fmul", y, power)
    return y


# -- The hyperbolic tangent --------------------------------------------------------------------

_TANH: Final = (
    *(-0.33333333149374506, 0.13333300146188914, -0.0539584616274522),
    *(0.021762502907359264, -0.008323187058278775, 0.002269501684162354),
)
"""(tanh(x) / x - 1) / x² by x², up to 0.4."""


def tanh(code: Instructions, x: Element) -> Element:
    if x.dtype != FLOAT:
        raise NotLowered
    a = code.intrinsic("fabs", x)
    square = code.binary("fmul", a, a)
    cubic = code.binary("fmul", square, a)
    small = code.fused(cubic, polynomial(code, square, _TANH), a)
    e = exp(code, _clamped(code, code.binary("fadd", a, a), 0.0, 40.0))
    one = _number(1.0, x)
    quotient = code.binary("fdiv", _number(2.0, x), code.binary("fadd", e, one))
    large = code.binary("fsub", one, quotient)
    is_small = code.compare("fcmp olt", a, _number(0.625, x))
    return code.intrinsic("copysign", code.select(is_small, small, large), x)


# -- Logarithms --------------------------------------------------------------------------------

_LOG: Final = (
    *(0.33333331180030046, -0.24999996957950882, 0.200007157488921, -0.16667802319501254),
    *(0.1424905764569748, -0.12425687331451106, 0.1168541992348674, -0.11479733846637635),
    0.06971611471451178,
)
"""(log(1 + f) - f + f² / 2) / f³ for 1 + f between the roots of 1/2 and 2."""


def log(code: Instructions, x: Element) -> Element:
    if x.dtype != FLOAT:
        raise NotLowered
    tiny = code.compare("fcmp olt", x, _number(2.0**-126, x))
    grown = code.select(tiny, code.binary("fmul", x, _number(2.0**23, x)), x)
    f, count = _mantissa(code, grown)
    less = code.binary("fsub", count, _number(23.0, x))
    count = code.select(tiny, less, count)
    return _at_the_ends(code, x, _log_of_mantissa(code, f, count, _number(0.0, x)))


def _mantissa(code: Instructions, x: Element) -> tuple[Element, Element]:
    """f and n, where x is (1 + f) · 2ⁿ and 1 + f between the roots of 1/2 and 2."""
    bits = code.add(f"bitcast float {x.name} to i32")
    offset = code.add(f"sub i32 {bits}, 1060439283")  # of the root of 1/2
    power = code.add(f"ashr i32 {offset}, 23")
    mantissa = code.add(f"sub i32 {bits}, {code.add(f'shl i32 {power}, 23')}")
    near_one = code.element(f"bitcast i32 {mantissa} to float", FLOAT)
    count = code.element(f"sitofp i32 {power} to float", FLOAT)
    return code.binary("fsub", near_one, _number(1.0, x)), count


def _log_of_mantissa(code: Instructions, f: Element, count: Element, more: Element) -> Element:
    """log(1 + f) + count · log(2), and a little more."""
    high, low = _LN2[FLOAT]
    square = code.binary("fmul", f, f)
    rest = code.fused(polynomial(code, f, _LOG), code.binary("fmul", square, f), more)
    rest = code.fused(count, _number(low, f), rest)
    rest = code.fused(square, _number(-0.5, f), rest)
    return code.fused(count, _number(high, f), code.binary("fadd", f, rest))


def _at_the_ends(code: Instructions, x: Element, y: Element) -> Element:
    """-inf of zero, NaN of what is less, and of infinity itself; NaN stays."""
    not_finite = code.compare("fcmp ueq", x, _number(_INFINITY, x))
    y = code.select(not_finite, x, y)
    y = code.select(code.compare("fcmp olt", x, _number(0.0, x)), _number(_NAN, x), y)
    return code.select(code.compare("fcmp oeq", x, _number(0.0, x)), _number(-_INFINITY, x), y)


def log1p(code: Instructions, x: Element) -> Element:
    """log(1 + x); what the sum loses is added to the logarithm."""
    if x.dtype != FLOAT:
        raise NotLowered
    one = _number(1.0, x)
    u = code.binary("fadd", x, one)
    lost = code.binary("fsub", x, code.binary("fsub", u, one))
    f, count = _mantissa(code, u)
    y = _log_of_mantissa(code, f, count, code.binary("fdiv", lost, u))
    y = code.select(code.compare("fcmp oeq", x, _number(0.0, x)), x, y)
    y = code.select(code.compare("fcmp ueq", x, _number(_INFINITY, x)), x, y)
    y = code.select(code.compare("fcmp olt", x, _number(-1.0, x)), _number(_NAN, x), y)
    return code.select(code.compare("fcmp oeq", x, _number(-1.0, x)), _number(-_INFINITY, x), y)


# -- The error function --------------------------------------------------------------------------

_ERF: Final = (
    *(0.1283791658483509, -0.37612626666720334, 0.11283594715160218, -0.026854212010626412),
    *(0.005189087423433974, -0.000801686428716587, 7.875875062685488e-05),
)
"""erf(x) / x - 1 by x², up to 1."""
_ERFCX: Final = (
    *(0.2108063640611436, -0.11152100511306101, 0.05611048818984676, -0.027005716870634796),
    *(0.01248952041745665, -0.005567380322584669, 0.002402487431083445, -0.0010170089408470175),
    *(0.0004129869220693504, -0.00014405779233076188, 5.6303576556181324e-05),
    *(-3.6888910916590526e-05, 1.3365835857927637e-05),
)
"""(1 - erf(x)) · exp(x²) for x from 1 to 4, by (x - 2.5) / 1.5."""


def erf(code: Instructions, x: Element) -> Element:
    if x.dtype != FLOAT:
        raise NotLowered
    a = _clamped(code, code.intrinsic("fabs", x), 0.0, 4.0)
    square = code.binary("fmul", a, a)
    small = code.fused(a, polynomial(code, square, _ERF), a)
    place = code.fused(a, _number(1 / 1.5, a), _number(-2.5 / 1.5, a))
    decay = exp(code, code.binary("fsub", _number(0.0, a), square))
    rest = code.binary("fmul", decay, polynomial(code, place, _ERFCX))
    large = code.binary("fsub", _number(1.0, a), rest)
    is_small = code.compare("fcmp olt", a, _number(1.0, a))
    return code.intrinsic("copysign", code.select(is_small, small, large), x)


FloatFunction = Callable[[Instructions, Element], Element]

FUNCTIONS: Final[dict[str, FloatFunction]] = {
    "exp": exp,
    "tanh": tanh,
    "log": log,
    "log1p": log1p,
    "expm1": expm1,
    "erf": erf,
}
"""By the names of the operators."""
