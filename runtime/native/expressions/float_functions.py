"""Transcendental functions of single elements, without branches, so that LLVM makes vectors of them.

Float32 functions are within 2 units in the last place, float64 ones within 1. Arguments are reduced to a small
interval, where a polynomial interpolates the function in Chebyshev's points.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from tsc.runtime.native.expressions.error_functions import erf, erfc, erfinv
from tsc.runtime.native.expressions.exponentials import exp, exp2, expm1, sigmoid, tanh
from tsc.runtime.native.expressions.instructions import Element, Instructions
from tsc.runtime.native.expressions.inverse_trigonometry import acos, asin, atan, atan2
from tsc.runtime.native.expressions.logarithms import log, log1p, log2, log10
from tsc.runtime.native.expressions.trigonometry import cos, sin, tan

FloatFunction = Callable[[Instructions, Element], Element]

FUNCTIONS: Final[dict[str, FloatFunction]] = {
    **{each.__name__: each for each in (exp, exp2, expm1, sigmoid, tanh)},
    **{each.__name__: each for each in (erf, erfc, erfinv)},
    **{each.__name__: each for each in (log, log1p, log2, log10)},
    **dict(zip(("sin", "cos", "tan"), (sin, cos, tan))),
    **{each.__name__: each for each in (asin, acos, atan)},
}
"""By the names of the operators."""
PAIRED: Final[dict[str, Callable[[Instructions, Element, Element], Element]]] = {"atan2": atan2}
"""The same of two elements."""
