"""The logarithm of the gamma function and its derivative, computed in 64 bits."""

from __future__ import annotations

import math
from typing import Final

import numpy as np
import onnx_ir as ir

from tsc.runtime.onnx.calls import Call, converts

_LANCZOS: Final = (
    *(676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059),
    *(12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7),
)
"""Coefficients of the approximation of Lanczos with g = 7 (Godfrey)."""
_BERNOULLI: Final = (1 / 12, -1 / 120, 1 / 252, -1 / 240, 1 / 132, -691 / 32760)
"""B(2k) / 2k, of the series of the digamma function for large arguments."""
_STEPS: Final = 8
"""By which arguments are moved up before the series is taken."""


def _number(call: Call, value: object) -> ir.Value:
    return call.number(value, "float64")


@converts("aten::lgamma", "aten::special_gammaln")
def log_gamma(call: Call) -> ir.Value:
    """Below a half by reflection: log(π / |sin πx|) - log Γ(1 - x)."""
    x = call.value(dtype="float64")
    is_low = call.op("Less", x, _number(call, 0.5))
    reflected = call.op("Where", is_low, call.op("Sub", _number(call, 1.0), x), x)
    found = _log_gamma_above(call, reflected)
    sine = call.op("Abs", call.op("Sin", _turned(call, x)))
    log = call.op("Log", call.op("Div", _number(call, math.pi), sine))
    result = call.op("Where", is_low, call.op("Sub", log, found), found)
    infinite = call.op("IsInf", x)
    return call.in_result(call.op("Where", infinite, _number(call, math.inf), result))


def _turned(call: Call, x: ir.Value) -> ir.Value:
    """π times what is left of a number beside the nearest integer."""
    rest = call.op("Sub", x, call.op("Round", x))
    return call.op("Mul", rest, _number(call, math.pi))


def _log_gamma_above(call: Call, x: ir.Value) -> ir.Value:
    """For arguments of a half and more."""
    below = call.op("Sub", x, _number(call, 1.0))
    column = call.op("Unsqueeze", below, call.ints([-1]))
    places = np.arange(1, len(_LANCZOS) + 1, dtype=np.float64)
    terms = call.op(
        "Div", _number(call, list(_LANCZOS)), call.op("Add", column, _number(call, places))
    )
    total = call.op("ReduceSum", terms, call.ints([-1]), keepdims=0)
    total = call.op("Add", total, _number(call, 0.99999999999980993))
    base = call.op("Add", below, _number(call, 7.5))
    power = call.op("Mul", call.op("Add", below, _number(call, 0.5)), call.op("Log", base))
    found = call.op("Add", call.op("Sub", power, base), call.op("Log", total))
    return call.op("Add", found, _number(call, math.log(2 * math.pi) / 2))


@converts("aten::digamma", "aten::special_digamma", "aten::special_psi")
def digamma(call: Call) -> ir.Value:
    """Up to a half by reflection: ψ(1 - x) - π / tan πx; -∞ at 0, and NaN at the integers below."""
    x, zero = call.value(dtype="float64"), _number(call, 0.0)
    is_low = call.op("Less", x, _number(call, 0.5))
    reflected = call.op("Where", is_low, call.op("Sub", _number(call, 1.0), x), x)
    found = _digamma_above(call, reflected)
    turned = _turned(call, x)
    tangent = call.op("Div", call.op("Sin", turned), call.op("Cos", turned))
    slope = call.op("Div", _number(call, math.pi), tangent)
    result = call.op("Where", is_low, call.op("Sub", found, slope), found)
    is_pole = call.op("And", is_low, call.op("Equal", x, call.op("Round", x)))
    signed = call.op("Div", _number(call, -1.0), x)
    is_zero = call.op("Equal", x, zero)
    at_pole = call.op("Where", is_zero, signed, _number(call, math.nan))
    return call.in_result(call.op("Where", is_pole, at_pole, result))


def _digamma_above(call: Call, x: ir.Value) -> ir.Value:
    """For arguments of a half and more: ψ(x + n) less the reciprocals on the way."""
    column = call.op("Unsqueeze", x, call.ints([-1]))
    steps = call.op("Add", column, _number(call, np.arange(_STEPS, dtype=np.float64)))
    way = call.op("ReduceSum", call.op("Reciprocal", steps), call.ints([-1]), keepdims=0)
    large = call.op("Add", x, _number(call, float(_STEPS)))
    inverse = call.op("Reciprocal", call.op("Mul", large, large))
    series = _number(call, 0.0)
    for each in reversed(_BERNOULLI):
        series = call.op("Mul", call.op("Add", series, _number(call, each)), inverse)
    half = call.op("Div", _number(call, 0.5), large)
    found = call.op("Sub", call.op("Sub", call.op("Log", large), half), series)
    return call.op("Sub", found, way)
