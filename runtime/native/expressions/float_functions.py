"""Transcendental functions of single elements, without branches, so that LLVM makes vectors of them.

Float32 functions are within 2 units in the last place, float64 ones within 1. Arguments are reduced to a small
interval, where a polynomial interpolates the function in Chebyshev's points.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from tsc.runtime.native.expressions.error_functions import erf
from tsc.runtime.native.expressions.exponentials import exp, exp2, expm1, sigmoid, tanh
from tsc.runtime.native.expressions.instructions import Element, Instructions
from tsc.runtime.native.expressions.logarithms import log, log1p, log2, log10

FloatFunction = Callable[[Instructions, Element], Element]

FUNCTIONS: Final[dict[str, FloatFunction]] = {
    each.__name__: each for each in (exp, exp2, expm1, sigmoid, tanh, log, log1p, log2, log10, erf)
}
"""By the names of the operators."""
