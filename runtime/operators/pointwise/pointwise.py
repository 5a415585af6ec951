"""Pointwise functions of one tensor.

The functions of one tensor stand in two tables, name beside NumPy function; each is declared in
two forms: ``aten::sqrt`` and ``aten::sqrt_``.
"""

from __future__ import annotations

import ml_dtypes
import numpy as np

from tsc.compiler.schema import Layout
from tsc.runtime.arrays.array import Array
from tsc.runtime.arrays.dtypes import (
    BFLOAT16,
    BOOL,
    FLOAT,
    HALF,
    LONG,
)
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.numerics.special.logistic import sigmoid
from tsc.runtime.operators.elementwise import (
    BOOL_AND_COMPLEX,
    COMPLEX_DTYPES,
    FLOATING_DTYPES,
    NONE,
    NOT_REAL_FLOATING,
    ArrayFunction,
    composed,
    not_implemented,
    unary,
    unary_floating,
    unary_in_place,
    widened,
)
from tsc.runtime.operators.out_variants import CASTABLE, SAME_FOUND, out_forms, same
from tsc.runtime.operators.registration import operator
from tsc.runtime.operators.variants import in_place_form, in_place_forms, second_name, store
from tsc.runtime.values.tensor import Tensor, wrap


def _rsqrt(a: np.ndarray) -> np.ndarray:
    return np.reciprocal(np.sqrt(a))


def _scaled_by(factor: float) -> ArrayFunction:
    return lambda a: np.multiply(a, np.array(factor, a.dtype))


FLOATING_FUNCTIONS: dict[str, ArrayFunction] = {
    "exp": np.exp,
    "exp2": np.exp2,
    "expm1": np.expm1,
    "log": np.log,
    "log2": np.log2,
    "log10": np.log10,
    "log1p": np.log1p,
    "sqrt": np.sqrt,
    "rsqrt": widened(_rsqrt),
    "reciprocal": np.reciprocal,
    "sin": np.sin,
    "cos": np.cos,
    "tan": np.tan,
    "asin": np.arcsin,
    "acos": np.arccos,
    "atan": np.arctan,
    "sinh": np.sinh,
    "cosh": np.cosh,
    "tanh": np.tanh,
    "asinh": np.arcsinh,
    "acosh": np.arccosh,
    "atanh": np.arctanh,
    "sigmoid": widened(sigmoid),
    "deg2rad": _scaled_by(np.pi / 180),
    "rad2deg": _scaled_by(180 / np.pi),
}
"""Functions with a floating-point result: integers are taken to the default dtype first."""


COMPOSED = {
    "rsqrt": "1 / torch.sqrt(self)",
    "reciprocal": "1 / self",
    "deg2rad": f"self * {np.pi / 180}",
    "rad2deg": f"self * {180 / np.pi}",
    "neg": "-self",
    "sign": "torch.where(self > 0, 1, torch.where(self < 0, -1, 0))",
    "square": "self * self",
    "frac": "self - torch.trunc(self)",
}
"""Functions in terms of basic operators; the others are such, or have operators of their own."""


def _keeping_integers(function: ArrayFunction) -> ArrayFunction:
    """A rounding function: integers are their own result."""
    return lambda a: function(a) if a.dtype in FLOATING_DTYPES else a.copy()


def _negative(a: np.ndarray) -> np.ndarray:
    if a.dtype is BOOL:
        raise ScriptError(
            "RuntimeError",
            "Negation, the `-` operator, on a bool tensor is not supported. "
            "If you are trying to invert a mask, use the `~` or `logical_not()` operator instead.",
        )
    return np.negative(a)


def _sign(a: np.ndarray) -> np.ndarray:
    if a.dtype in COMPLEX_DTYPES:
        raise ScriptError(
            "NotImplementedError",
            "torch.sign is not intended to support complex numbers: use torch.sgn",
        )
    return _sgn(a)


def _sgn(a: np.ndarray) -> np.ndarray:
    if a.dtype is BOOL:
        return a.copy()
    if a.dtype in COMPLEX_DTYPES:
        magnitude = np.abs(a)
        return np.where(np.equal(magnitude, 0), np.zeros((), a.dtype), a / magnitude)
    if a.dtype in (HALF, BFLOAT16, FLOAT, np.dtype(np.float64)):
        return np.where(np.isnan(a) | np.equal(a, 0), np.zeros((), a.dtype), np.sign(a))
    return np.sign(a)


SAME_DTYPE_FUNCTIONS: dict[str, ArrayFunction] = {
    "abs": np.abs,
    "neg": _negative,
    "sign": _sign,
    "sgn": _sgn,
    "square": lambda a: np.multiply(a, a) if a.dtype is not BOOL else a.astype(LONG),
    "floor": _keeping_integers(np.floor),
    "ceil": _keeping_integers(np.ceil),
    "trunc": _keeping_integers(np.trunc),
    "frac": lambda a: np.subtract(a, np.trunc(a)),
}
"""Functions whose result has the dtype of the argument."""


REFUSED = {
    **dict.fromkeys(("deg2rad", "rad2deg"), COMPLEX_DTYPES),
    **dict.fromkeys(("floor", "ceil", "trunc", "round"), BOOL_AND_COMPLEX),
    "frac": NOT_REAL_FLOATING,
    "abs": frozenset({BOOL}),
}
"""Dtypes PyTorch has no kernel for."""


def _absolute_in_place(self: Tensor) -> Tensor:
    if self.array.dtype in COMPLEX_DTYPES:
        message = "In-place abs is not supported for complex numbers: the result is real, use abs()"
        raise ScriptError("RuntimeError", message)
    return store(self, absolute(self).array)


def _declare_unary(name: str, kernel, in_place=None) -> None:
    operator(f"aten::{name}(Tensor self) -> Tensor")(kernel)
    if in_place is None:
        in_place_forms(name)
    else:
        in_place_form(name)(in_place)


KERNELS = {}
for _name, _function in FLOATING_FUNCTIONS.items():
    KERNELS[_name] = unary_floating(
        _function, f"{_name}_cpu", REFUSED.get(_name, NONE), COMPOSED.get(_name, "")
    )
    _declare_unary(
        _name,
        KERNELS[_name],
        unary_in_place(_function) if isinstance(_function, np.ufunc) else None,
    )
for _name, _function in SAME_DTYPE_FUNCTIONS.items():
    KERNELS[_name] = unary(
        _function, f"{_name}_cpu", REFUSED.get(_name, NONE), COMPOSED.get(_name, "")
    )
    _declare_unary(_name, KERNELS[_name], _absolute_in_place if _function is np.abs else None)

exp, log, sqrt, tanh = (KERNELS[name] for name in ("exp", "log", "sqrt", "tanh"))
neg, absolute = KERNELS["neg"], KERNELS["abs"]

round_ = operator("aten::round(Tensor self) -> Tensor")(
    unary(_keeping_integers(np.rint), "round_vml_cpu", BOOL_AND_COMPLEX)
)


@operator(
    "aten::round.decimals(Tensor self, *, int decimals) -> Tensor",
    expression=composed(
        "torch.round(self / 10.0 ** -decimals) * 10.0 ** -decimals if decimals < 0 else "
        "torch.round(self * 10.0 ** decimals) / 10.0 ** decimals"
    ),
)
def round_decimals(self: Tensor, decimals: int) -> Tensor:
    a = self.array
    if a.dtype in NOT_REAL_FLOATING:
        raise not_implemented("round_cpu" if decimals else "round_vml_cpu", a.dtype)
    scale = np.array(10.0 ** abs(decimals), a.dtype)
    if decimals < 0:
        return wrap(np.multiply(np.rint(np.divide(a, scale)), scale))
    return wrap(np.divide(np.rint(np.multiply(a, scale)), scale))


@operator("aten::signbit(Tensor self) -> Tensor")
def signbit(self: Tensor) -> Tensor:
    a = self.array
    if a.dtype in COMPLEX_DTYPES:
        raise not_implemented("signbit_cpu", a.dtype)
    return wrap(np.signbit(a) if a.dtype in FLOATING_DTYPES else np.less(a, 0))


@operator(
    "aten::nan_to_num(Tensor self, float? nan=None, float? posinf=None, float? neginf=None)"
    " -> Tensor",
    layout=Layout.AS_FIRST,
)
def nan_to_num(
    self: Tensor,
    nan: float | None = None,
    posinf: float | None = None,
    neginf: float | None = None,
) -> Tensor:
    """Numbers in place of NaN and infinities; by default 0 and the extremes of the dtype."""
    a = self.array
    if a.dtype not in FLOATING_DTYPES:
        return Tensor(a.copy())
    result: Array = np.atleast_1d(a.copy())
    parts = (result.real, result.imag) if a.dtype in COMPLEX_DTYPES else (result,)
    largest = float(ml_dtypes.finfo(parts[0].dtype).max)
    for part in parts:
        is_nan, above, below = np.isnan(part), np.isposinf(part), np.isneginf(part)
        part[is_nan] = 0.0 if nan is None else nan
        part[above] = largest if posinf is None else posinf
        part[below] = -largest if neginf is None else neginf
    return Tensor(result.reshape(a.shape))


in_place_forms("round round.decimals nan_to_num")


@operator("prim::abs(Tensor x) -> Tensor")
def abs_of_tensor(x: Tensor) -> Tensor:
    return absolute(x)


@operator("aten::positive(Tensor(a) self) -> Tensor(a)")
def positive(self: Tensor) -> Tensor:
    if self.array.dtype is BOOL:
        message = "The `+` operator is not supported for a bool tensor"
        raise ScriptError("RuntimeError", message)
    return self


out_forms(
    CASTABLE,
    """
    acos acosh asin asinh atan atanh cos cosh deg2rad exp exp2 expm1 log log10 log1p log2 rad2deg
    reciprocal rsqrt sigmoid sin sinh sqrt square tan tanh
    """,
)
out_forms(SAME_FOUND, "abs ceil floor frac neg round.decimals round sgn sign trunc")
out_forms(same("nan_to_num: dtype of out: {out} should be same as input: {result}"), "nan_to_num")
out_forms(same("signbit does not support outputs of dtype {out}, only of Bool"), "signbit")

SECOND_NAMES = {
    "absolute": "abs",
    "arccos": "acos",
    "arccosh": "acosh",
    "arcsin": "asin",
    "arcsinh": "asinh",
    "arctan": "atan",
    "arctanh": "atanh",
    "fix": "trunc",
    "negative": "neg",
}
for _name, _first in SECOND_NAMES.items():
    second_name(_name, _first, "- out")
    second_name(f"{_name}_", f"{_first}_")
