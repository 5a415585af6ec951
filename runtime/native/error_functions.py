"""The error function of single elements."""

from __future__ import annotations

from typing import Final

from tsc.runtime.arrays.dtypes import DOUBLE, FLOAT
from tsc.runtime.native.arithmetic import Arithmetic
from tsc.runtime.native.exponentials import exp
from tsc.runtime.native.instructions import Element, Instructions

_ERF: Final = {
    FLOAT: (
        *(0.1283791658483509, -0.37612626666720334, 0.11283594715160218, -0.026854212010626412),
        *(0.005189087423433974, -0.000801686428716587, 7.875875062685488e-05),
    ),
    DOUBLE: (
        *(0.1283791670955126, -0.3761263890318373, 0.11283791670954209),
        *(-0.02686617064498058, 0.005223977624149488, -0.0008548326956926665),
        *(0.00012055330760279799, -1.4925599893253706e-05, 1.6461312961700254e-06),
        *(-1.635683699479465e-07, 1.473560215188159e-08, -1.1894502173635332e-09),
        *(7.950926967407615e-11, -3.275693198242207e-12),
    ),
}
"""erf(x) / x - 1 by x², up to the middle."""
_ERFCX: Final = {
    FLOAT: (
        *(0.2108063640611436, -0.11152100511306101, 0.05611048818984676, -0.027005716870634796),
        *(0.01248952041745665, -0.005567380322584669, 0.002402487431083445),
        *(-0.0010170089408470175, 0.0004129869220693504, -0.00014405779233076188),
        *(5.6303576556181324e-05, -3.6888910916590526e-05, 1.3365835857927637e-05),
    ),
    DOUBLE: (
        *(0.1502897224825322, -0.09209936287531167, 0.05481001097663405),
        *(-0.03174537910875233, 0.01792740037928717, -0.00988718904377535),
        *(0.005337815216685438, -0.0027977578408657586, 0.001474775589492587),
        *(-0.0008342398695996739, 4.547401780199028e-06, -0.0007104304862385913),
        *(5.54385940826029e-05, 0.001174001291513282, 0.0023445384770973705),
        *(0.0023231040551304925, 0.0014096766501952348, 0.00048680431506612214),
        *(7.854112174067336e-05,),
    ),
}
"""(1 - erf(x)) · exp(x²) for x from the middle to the end, by what goes from -1 to 1 there."""
_MIDDLE: Final = {FLOAT: 1.0, DOUBLE: 1.25}
_END: Final = {FLOAT: 4.0, DOUBLE: 6.0}
"""From here on, the function is 1."""


def erf(code: Instructions, x: Element) -> Element:
    on, middle, end = Arithmetic(code, x.dtype), _MIDDLE[x.dtype], _END[x.dtype]
    a = on.clamped(on.magnitude(x), 0.0, end)
    square = on.mul(a, a)
    small = on.fused(a, on.polynomial(square, _ERF[x.dtype]), a)
    place = on.fused(a, 2 / (end - middle), -(end + middle) / (end - middle))
    rest = on.mul(exp(code, on.negative(square)), on.polynomial(place, _ERFCX[x.dtype]))
    large = on.sub(1.0, rest)
    return on.with_sign_of(on.where("olt", a, middle, small, large), x)
