"""Arithmetic, comparisons, conversions and special functions, element by element."""

from __future__ import annotations

import math
from typing import Any, Final

import ml_dtypes
import numpy as np

from tsc.runtime.exporting.decomposition.calls import Calls, dtype_of
from tsc.runtime.exporting.decomposition.rules.forms import (
    CPU,
    FLOAT64,
    INT64,
    chosen,
    converted,
    full,
    scalar,
)
from tsc.runtime.exporting.decomposition.table import decomposes

_SAME: Final = {
    "true_divide.Tensor": "div.Tensor",
    "true_divide.Scalar": "div.Tensor",
    "divide.Tensor": "div.Tensor",
    "multiply.Tensor": "mul.Tensor",
    "subtract.Tensor": "sub.Tensor",
    "__and__.Tensor": "bitwise_and.Tensor",
    "__and__.Scalar": "bitwise_and.Scalar",
    "__or__.Tensor": "bitwise_or.Tensor",
    "__or__.Scalar": "bitwise_or.Scalar",
    "__xor__.Tensor": "bitwise_xor.Tensor",
    "__xor__.Scalar": "bitwise_xor.Scalar",
    "max.other": "maximum",
    "min.other": "minimum",
    "clip": "clamp",
    "clip.Tensor": "clamp.Tensor",
    "special_expit": "sigmoid",
    "special_expm1": "expm1",
    "special_exp2": "exp2",
    "special_log1p": "log1p",
    "special_erf": "erf",
    "special_erfc": "erfc",
    "special_erfinv": "erfinv",
    "special_gammaln": "lgamma",
    "special_digamma": "digamma",
    "special_xlogy": "xlogy",
    "special_logit": "logit",
    "special_sinc": "sinc",
    "special_round": "round",
    "fix": "trunc",
    "absolute": "abs",
    "negative": "neg",
    "arccos": "acos",
    "arcsin": "asin",
    "arctan": "atan",
    "arctan2": "atan2",
    "arccosh": "acosh",
    "arcsinh": "asinh",
    "arctanh": "atanh",
    "not_equal.Tensor": "ne.Tensor",
    "not_equal.Scalar": "ne.Scalar",
    "greater.Tensor": "gt.Tensor",
    "greater.Scalar": "gt.Scalar",
    "greater_equal.Tensor": "ge.Tensor",
    "greater_equal.Scalar": "ge.Scalar",
    "less.Tensor": "lt.Tensor",
    "less.Scalar": "lt.Scalar",
    "less_equal.Tensor": "le.Tensor",
    "less_equal.Scalar": "le.Scalar",
}
"""Operators that have two names."""


def _as(name: str) -> Any:
    def rule(call: Calls, *values: Any) -> Any:
        return call(name, *values)

    return rule


for _name, _other in _SAME.items():
    decomposes(_name)(_as(_other))


@decomposes("rsub.Tensor", "rsub.Scalar")
def rsub(call: Calls, x: Any, other: Any, alpha: Any) -> Any:
    return call("sub.Tensor", other, x, alpha=alpha)


@decomposes("floor_divide", "floor_divide.Scalar")
def floor_divide(call: Calls, x: Any, other: Any) -> Any:
    return call("div.Tensor_mode", x, other, rounding_mode="floor")


@decomposes("square")
def square(call: Calls, x: Any) -> Any:
    return call("pow.Tensor_Scalar", x, 2)


@decomposes("clamp_min")
def clamp_min(call: Calls, x: Any, least: Any) -> Any:
    return call("clamp", x, least)


@decomposes("clamp_max")
def clamp_max(call: Calls, x: Any, most: Any) -> Any:
    return call("clamp", x, None, most)


@decomposes("clamp_min.Tensor")
def clamp_min_tensor(call: Calls, x: Any, least: Any) -> Any:
    return call("clamp.Tensor", x, least)


@decomposes("clamp_max.Tensor")
def clamp_max_tensor(call: Calls, x: Any, most: Any) -> Any:
    return call("clamp.Tensor", x, None, most)


@decomposes("addcmul")
def addcmul(call: Calls, x: Any, first: Any, second: Any, value: Any) -> Any:
    scaled = first if value == 1 else call("mul.Tensor", first, value)
    return call("add.Tensor", x, call("mul.Tensor", scaled, second))


@decomposes("addcdiv")
def addcdiv(call: Calls, x: Any, first: Any, second: Any, value: Any) -> Any:
    scaled = first if value == 1 else call("mul.Tensor", first, value)
    return call("add.Tensor", x, call("div.Tensor", scaled, second))


@decomposes("lerp.Scalar")
def lerp_scalar(call: Calls, x: Any, end: Any, weight: Any) -> Any:
    return lerp(call, x, end, full(call, [], weight, x.code))


@decomposes("lerp.Tensor")
def lerp(call: Calls, x: Any, end: Any, weight: Any) -> Any:
    """From the nearer end, so that both ends are exact."""
    far = call("ge.Scalar", call("abs", weight), 0.5)
    step = call("where.self", far, call("sub.Tensor", weight, 1), weight)
    base = call("where.self", far, end, x)
    return call("add.Tensor", call("mul.Tensor", step, call("sub.Tensor", end, x)), base)


@decomposes("frac")
def frac(call: Calls, x: Any) -> Any:
    return call("sub.Tensor", x, call("trunc", x))


@decomposes("sgn")
def sgn(call: Calls, x: Any) -> Any:
    if not x.value.dtype.is_complex:
        return call("sign", x)
    size = call("abs", x)
    return call(
        "where.self",
        call("eq.Scalar", size, 0),
        full(call, [], 0, x.code),
        call("div.Tensor", x, size),
    )


@decomposes("deg2rad")
def deg2rad(call: Calls, x: Any) -> Any:
    return call("mul.Tensor", x, math.pi / 180)


@decomposes("rad2deg")
def rad2deg(call: Calls, x: Any) -> Any:
    return call("mul.Tensor", x, 180 / math.pi)


@decomposes("logit")
def logit(call: Calls, x: Any, eps: float | None) -> Any:
    if eps is not None and eps >= 0:
        below, above = call("lt.Scalar", x, eps), call("gt.Scalar", x, 1.0 - eps)
        x = chosen(call, below, eps, chosen(call, above, 1.0 - eps, x))
    return call("log", call("div.Tensor", x, call("sub.Tensor", 1, x)))


@decomposes("sinc")
def sinc(call: Calls, x: Any) -> Any:
    angle = call("mul.Tensor", x, math.pi)
    at_zero = call("eq.Scalar", angle, 0)
    return chosen(call, at_zero, 1, call("div.Tensor", call("sin", angle), angle))


@decomposes("nan_to_num")
def nan_to_num(call: Calls, x: Any, nan: Any, posinf: Any, neginf: Any) -> Any:
    if not x.is_floating:
        return call("clone", x)
    limits = np.finfo(np.float32) if x.code not in (FLOAT64,) else np.finfo(np.float64)
    if dtype_of(x.code).itemsize == 2:
        limits = ml_dtypes.finfo(dtype_of(x.code))
    found = chosen(call, call("isnan", x), 0.0 if nan is None else nan, x)
    least = float(limits.min) if neginf is None else neginf
    most = float(limits.max) if posinf is None else posinf
    found = chosen(call, call("eq.Scalar", x, -math.inf), least, found)
    return chosen(call, call("eq.Scalar", x, math.inf), most, found)


@decomposes("isfinite")
def isfinite(call: Calls, x: Any) -> Any:
    bounded = call("ne.Scalar", call("abs", x), math.inf)
    return call("mul.Tensor", call("eq.Tensor", x, x), bounded)


@decomposes("isposinf")
def isposinf(call: Calls, x: Any) -> Any:
    return call("eq.Scalar", x, math.inf)


@decomposes("isneginf")
def isneginf(call: Calls, x: Any) -> Any:
    return call("eq.Scalar", x, -math.inf)


@decomposes("isclose")
def isclose(call: Calls, x: Any, other: Any, rtol: float, atol: float, equal_nan: bool) -> Any:
    close = call("eq.Tensor", x, other)
    if equal_nan:
        both = call("bitwise_and.Tensor", call("isnan", x), call("isnan", other))
        close = call("bitwise_or.Tensor", close, both)
    allowed = call("add.Scalar", call("abs", call("mul.Scalar", other, rtol)), atol)
    error = call("abs", call("sub.Tensor", x, other))
    within = call("bitwise_and.Tensor", isfinite(call, error), call("le.Tensor", error, allowed))
    return call("bitwise_or.Tensor", close, within)


@decomposes("xlogy.Tensor")
def xlogy(call: Calls, x: Any, other: Any) -> Any:
    return _times_function(call, x, other, "log")


@decomposes("special_xlog1py")
def xlog1py(call: Calls, x: Any, other: Any) -> Any:
    return _times_function(call, x, other, "log1p")


def _times_function(call: Calls, x: Any, other: Any, name: str) -> Any:
    at_zero = call("eq.Scalar", x, 0)
    found = chosen(call, at_zero, 0, call("mul.Tensor", x, call(name, other)))
    return chosen(call, call("isnan", other), math.nan, found)


@decomposes("special_entr")
def entr(call: Calls, x: Any) -> Any:
    is_nan, above = call("isnan", x), call("gt.Scalar", x, 0)
    found = call("mul.Tensor", call("neg", x), call("log", x))
    at_zero = call("eq.Scalar", x, 0)
    below = scalar(call, -math.inf, x.code)
    edge = call("where.self", at_zero, scalar(call, 0, x.code), below)
    return call("where.self", is_nan, x, call("where.self", above, found, edge))


@decomposes("logaddexp")
def logaddexp(call: Calls, x: Any, other: Any) -> Any:
    larger, smaller = _ordered(call, x, other)
    infinite = call("logical_not", isfinite(call, x))
    same = call("logical_and", infinite, call("eq.Tensor", x, other))
    step = call("log1p", call("exp", call("sub.Tensor", smaller, larger)))
    return call("where.self", same, x, call("add.Tensor", larger, step))


@decomposes("logaddexp2")
def logaddexp2(call: Calls, x: Any, other: Any) -> Any:
    larger, smaller = _ordered(call, x, other)
    same = call("logical_and", call("isinf", x), call("eq.Tensor", x, other))
    step = call("log1p", call("exp2", call("sub.Tensor", smaller, larger)))
    scaled = call("mul.Tensor", step, 1.0 / math.log(2))
    return call("where.self", same, x, call("add.Tensor", larger, scaled))


def _ordered(call: Calls, x: Any, other: Any) -> tuple[Any, Any]:
    at_least = call("ge.Tensor", x, other)
    return call("where.self", at_least, x, other), call("where.self", at_least, other, x)


@decomposes("heaviside")
def heaviside(call: Calls, x: Any, values: Any) -> Any:
    at_zero = call("eq.Scalar", x, 0)
    low = call("logical_or", call("lt.Scalar", x, 0), call("isnan", x))
    one = scalar(call, 1, INT64)
    step = call("where.self", low, scalar(call, 0, INT64), one)
    return call("where.self", at_zero, values, step)


@decomposes("mvlgamma")
def mvlgamma(call: Calls, x: Any, p: int) -> Any:
    steps = call("arange.start_step", 1 - p, 1, dtype=x.code, device=CPU, pin_memory=False)
    halves = call("mul.Tensor", steps, 0.5)
    terms = call("lgamma", call("add.Tensor", call("unsqueeze", x, -1), halves))
    constant = p * (p - 1) / 4 * math.log(math.pi)
    return call("add.Tensor", call("sum.dim_IntList", terms, [-1]), constant * 1.0)


@decomposes("float_power.Tensor_Scalar")
def float_power(call: Calls, x: Any, exponent: Any) -> Any:
    return call("pow.Tensor_Scalar", converted(call, x, FLOAT64), float(exponent))


@decomposes("isin.Tensor_Tensor")
def isin(call: Calls, elements: Any, others: Any, assume_unique: bool, invert: bool) -> Any:
    sizes = [*elements.sizes, *([1] * others.dim)]
    same = call("eq.Tensor", call("view", elements, sizes), others)
    found = call("any.dims", same, list(range(-1, -others.dim - 1, -1)))
    return call("logical_not", found) if invert else found
