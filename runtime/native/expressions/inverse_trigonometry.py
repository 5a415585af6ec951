"""Inverse sines, cosines and tangents of single elements: angles of points.

Of a point, the smaller coordinate over the larger one is the tangent of an angle of at most an eighth of a turn, which
is counted from the nearest axis or diagonal. Float32 is computed in float64; of float64 quotients and roots have two
parts.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from tsc.runtime.arrays.dtypes import BOOL, DOUBLE, FLOAT
from tsc.runtime.native.expressions.arithmetic import Arithmetic
from tsc.runtime.native.expressions.instructions import Element, Instructions, constant

_ARCTANGENT: Final = {
    FLOAT: (
        *(-0.3333333327919426, 0.1999997723777395, -0.1428415006563401),
        *(0.11071344117900768, -0.08624520273456275, 0.05047736342027177),
    ),
    DOUBLE: (
        *(-0.3333333333333333, 0.19999999999999804, -0.14285714285659729),
        *(0.11111111105145725, -0.09090908753017178, 0.07692296361048218),
        *(-0.06666424634599337, 0.05878926110528101, -0.052304330074828924),
        *(0.0455149623743949, -0.034568068014968874, 0.016282993238924487),
    ),
}
"""(atan(q) / q - 1) / q² by q², for |q| up to the tangent of a sixteenth of a turn."""
_TANGENT: Final = 0.41421356237309503
_EIGHTH: Final = (0.7853981633974483, 3.061616997868383e-17)
"""Radians of an eighth of a turn, in two parts."""
_HUGE: Final = 2.0**1000
_TINY: Final = 2.0**-500
_SCALE: Final = 2.0**600
"""Coordinates that are huge or tiny are divided or multiplied by it."""

Parts = tuple[Element, Element]


def _angle(on: Arithmetic, dtype: np.dtype, y: Parts, x: Parts) -> Element:
    """The angle of a point, of coordinates in two parts."""
    (height, low_height), (width, low_width) = _magnitude(on, y), _magnitude(on, x)
    is_steep = on.compare("ogt", height, width)
    above = on.select(is_steep, width, height), on.select(is_steep, low_width, low_height)
    below = on.select(is_steep, height, width), on.select(is_steep, low_height, low_width)
    above, below = _within_range(on, above, below)
    is_wide = on.compare("ogt", above[0], on.mul(below[0], _TANGENT))
    difference, lost = on.sum_of(below[0], on.negative(above[0]))
    total, missing = on.sum_of(below[0], above[0])
    lost = on.add(lost, on.sub(below[1], above[1]))
    missing = on.add(missing, on.add(below[1], above[1]))
    q, low = _quotient(
        on,
        (
            on.select(is_wide, on.negative(difference), above[0]),
            on.select(is_wide, on.negative(lost), above[1]),
        ),
        (on.select(is_wide, total, below[0]), on.select(is_wide, missing, below[1])),
    )
    square = on.mul(q, q)
    low = on.fused(on.mul(q, square), on.polynomial(square, _ARCTANGENT[dtype]), low)
    eighths = on.select(is_wide, 1.0, 0.0)
    eighths = on.select(is_steep, on.sub(2.0, eighths), eighths)
    is_left = on.compare("olt", on.code.intrinsic("copysign", on.element(1.0), x[0]), 0.0)
    eighths = on.select(is_left, on.sub(4.0, eighths), eighths)
    is_back = Element(on.code.add(f"xor i1 {is_steep.name}, {is_left.name}"), BOOL)
    q, low = (on.select(is_back, on.negative(each), each) for each in (q, low))
    first = on.mul(eighths, _EIGHTH[0])
    error = on.fused(eighths, _EIGHTH[1], on.fused(eighths, _EIGHTH[0], on.negative(first)))
    angle, lost = on.sum_of(first, q)
    angle = on.add(angle, on.add(lost, on.add(error, low)))
    known = on.select(on.compare("uno", y[0], x[0]), float("nan"), angle)
    return on.with_sign_of(known, y[0])


def _magnitude(on: Arithmetic, a: Parts) -> Parts:
    return on.magnitude(a[0]), on.select(on.compare("olt", a[0], 0.0), on.negative(a[1]), a[1])


def _within_range(on: Arithmetic, above: Parts, below: Parts) -> tuple[Parts, Parts]:
    """Coordinates of the same quotient, the larger one neither 0 nor infinite."""
    is_endless = on.compare("oeq", below[0], float("inf"))
    end = on.where("oeq", above[0], float("inf"), 1.0, 0.0)
    larger = on.where("oeq", below[0], 0.0, 1.0, below[0])
    larger, smaller = on.select(is_endless, 1.0, larger), on.select(is_endless, end, above[0])
    scale = on.where("olt", larger, _TINY, _SCALE, 1.0)
    scale = on.where("ogt", larger, _HUGE, 1 / _SCALE, scale)
    return (
        (on.mul(smaller, scale), on.mul(above[1], scale)),
        (on.mul(larger, scale), on.mul(below[1], scale)),
    )


def _quotient(on: Arithmetic, a: Parts, b: Parts) -> Parts:
    q = on.div(a[0], b[0])
    rest = on.fused(on.negative(q), b[0], a[0])
    return q, on.div(on.add(rest, on.fused(on.negative(q), b[1], a[1])), b[0])


def _other_side(on: Arithmetic, x: Element) -> Parts:
    """The root of 1 - x²; NaN beyond 1."""
    square = on.mul(x, x)
    error = on.fused(x, x, on.negative(square))
    rest, lost = on.sum_of(1.0, on.negative(square))
    root = on.code.intrinsic("sqrt", rest)
    missing = on.add(on.fused(on.negative(root), root, rest), on.sub(lost, error))
    return root, on.where("oeq", root, 0.0, 0.0, on.div(missing, on.add(root, root)))


def _in_parts(on: Arithmetic, x: Element | float) -> Parts:
    return on.element(x), on.element(0.0)


def atan2(code: Instructions, y: Element, x: Element) -> Element:
    on = Arithmetic(code, DOUBLE)
    parts = (_in_parts(on, code.cast(each, DOUBLE)) for each in (y, x))
    return code.cast(_angle(on, x.dtype, *parts), x.dtype)


def atan(code: Instructions, x: Element) -> Element:
    return atan2(code, x, constant(1.0, x.dtype))


def asin(code: Instructions, x: Element) -> Element:
    on, wide = Arithmetic(code, DOUBLE), code.cast(x, DOUBLE)
    angle = _angle(on, x.dtype, _in_parts(on, wide), _other_side(on, wide))
    return code.cast(angle, x.dtype)


def acos(code: Instructions, x: Element) -> Element:
    on, wide = Arithmetic(code, DOUBLE), code.cast(x, DOUBLE)
    angle = _angle(on, x.dtype, _other_side(on, wide), _in_parts(on, wide))
    return code.cast(angle, x.dtype)
