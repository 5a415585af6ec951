"""Pointwise functions of one tensor, and the ones of several that are not arithmetic.

The functions of one tensor stand in two tables, name beside NumPy function; each is declared in
two forms: ``aten::sqrt`` and ``aten::sqrt_``.
"""

from __future__ import annotations

import numpy as np

from runtime.dimensions import check_broadcast
from runtime.dtypes import (
    BFLOAT16,
    BOOL,
    CATEGORY,
    COMPLEX,
    COMPLEX_OF_REAL,
    FLOAT,
    FLOATING,
    HALF,
    LONG,
    scalar_name,
)
from runtime.errors import ScriptError
from runtime.operators.elementwise import (
    BOOL_AND_COMPLEX,
    COMPLEX_DTYPES,
    DIRECT,
    FLOATING_DTYPES,
    NONE,
    NOT_REAL_FLOATING,
    ArrayFunction,
    Elementwise,
    binary,
    binary_number,
    not_implemented,
    np_array,
    unary,
    unary_floating,
    unary_in_place,
    widened,
)
from runtime.operators.registration import operator
from runtime.operators.variants import in_place_variant
from runtime.special.logistic import sigmoid
from runtime.tensor import Tensor, asarray, ndarray, wrap
from runtime.type_promotion import Number, number_array, result_dtype

_DEGREE = np.float64(np.pi / 180)


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
    "arcsin": np.arcsin,
    "arccos": np.arccos,
    "arctan": np.arctan,
    "sinh": np.sinh,
    "cosh": np.cosh,
    "tanh": np.tanh,
    "asinh": np.arcsinh,
    "acosh": np.arccosh,
    "atanh": np.arctanh,
    "arcsinh": np.arcsinh,
    "arccosh": np.arccosh,
    "arctanh": np.arctanh,
    "sigmoid": widened(sigmoid),
    "deg2rad": _scaled_by(np.pi / 180),
    "rad2deg": _scaled_by(180 / np.pi),
}
"""Functions with a floating-point result: integers are taken to the default dtype first."""


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
            "Unlike NumPy, torch.sign is not intended to support complex numbers. Please use "
            "torch.sgn instead.",
        )
    return _sgn(a)


def _sgn(a: np.ndarray) -> np.ndarray:
    if a.dtype is BOOL:
        return a.copy()
    if a.dtype in (HALF, BFLOAT16, FLOAT, np.dtype(np.float64)):
        return np.where(np.isnan(a), np.zeros((), a.dtype), np.sign(a))
    return np.sign(a)


SAME_DTYPE_FUNCTIONS: dict[str, ArrayFunction] = {
    "abs": np.abs,
    "absolute": np.abs,
    "neg": _negative,
    "negative": _negative,
    "sign": _sign,
    "sgn": _sgn,
    "square": lambda a: np.multiply(a, a) if a.dtype is not BOOL else a.astype(LONG),
    "floor": _keeping_integers(np.floor),
    "ceil": _keeping_integers(np.ceil),
    "trunc": _keeping_integers(np.trunc),
    "fix": _keeping_integers(np.trunc),
    "frac": lambda a: np.subtract(a, np.trunc(a)),
}
"""Functions whose result has the dtype of the argument."""


REFUSED = {
    **dict.fromkeys(("deg2rad", "rad2deg"), COMPLEX_DTYPES),
    **dict.fromkeys(("floor", "ceil", "trunc", "fix", "frac", "round"), BOOL_AND_COMPLEX),
    **dict.fromkeys(("abs", "absolute"), frozenset({BOOL})),
}
"""Dtypes PyTorch has no kernel for."""


def _declare_unary(name: str, kernel, in_place=None) -> None:
    operator(f"aten::{name}(Tensor self) -> Tensor")(kernel)
    schema_in_place = f"aten::{name}_(Tensor(a!) self) -> Tensor(a!)"
    if in_place is None:
        in_place_variant(schema_in_place, kernel)
    else:
        operator(schema_in_place)(in_place)


KERNELS = {}
for _name, _function in FLOATING_FUNCTIONS.items():
    KERNELS[_name] = unary_floating(_function, f"{_name}_cpu", REFUSED.get(_name, NONE))
    _declare_unary(
        _name,
        KERNELS[_name],
        unary_in_place(_function) if isinstance(_function, np.ufunc) else None,
    )
for _name, _function in SAME_DTYPE_FUNCTIONS.items():
    KERNELS[_name] = unary(_function, f"{_name}_cpu", REFUSED.get(_name, NONE))
    _declare_unary(_name, KERNELS[_name])

exp, log, sqrt, tanh = (KERNELS[name] for name in ("exp", "log", "sqrt", "tanh"))
neg, absolute = KERNELS["neg"], KERNELS["abs"]

round_ = operator("aten::round(Tensor self) -> Tensor")(
    unary(_keeping_integers(np.rint), "round_vml_cpu", BOOL_AND_COMPLEX)
)


@operator("aten::round.decimals(Tensor self, *, int decimals) -> Tensor")
def round_decimals(self: Tensor, decimals: int) -> Tensor:
    a = self.array
    if a.dtype not in FLOATING_DTYPES:
        message = f"\"round_cpu\" not implemented for '{scalar_name(a.dtype)}'"
        raise ScriptError("NotImplementedError", message)
    scale = np.array(10.0 ** abs(decimals), a.dtype)
    if decimals < 0:
        return wrap(np.multiply(np.rint(np.divide(a, scale)), scale))
    return wrap(np.divide(np.rint(np.multiply(a, scale)), scale))


in_place_variant("aten::round_(Tensor(a!) self) -> Tensor(a!)", round_)
in_place_variant(
    "aten::round_.decimals(Tensor(a!) self, *, int decimals) -> Tensor(a!)", round_decimals
)


@operator("aten::signbit(Tensor self) -> Tensor")
def signbit(self: Tensor) -> Tensor:
    a = self.array
    if a.dtype in COMPLEX_DTYPES:
        raise not_implemented("signbit_cpu", a.dtype)
    return wrap(np.signbit(a) if a.dtype in FLOATING_DTYPES else np.less(a, 0))


@operator(
    "aten::nan_to_num(Tensor self, float? nan=None, float? posinf=None, float? neginf=None)"
    " -> Tensor"
)
def nan_to_num(
    self: Tensor,
    nan: float | None = None,
    posinf: float | None = None,
    neginf: float | None = None,
) -> Tensor:
    a = self.array
    if a.dtype not in FLOATING_DTYPES:
        return Tensor(a.copy())
    return wrap(np.nan_to_num(a, nan=0.0 if nan is None else nan, posinf=posinf, neginf=neginf))


in_place_variant(
    "aten::nan_to_num_(Tensor(a!) self, float? nan=None, float? posinf=None, float? neginf=None)"
    " -> Tensor(a!)",
    nan_to_num,
)


def _clamp(self: Tensor, low: Tensor | Number | None, high: Tensor | Number | None) -> np.ndarray:
    """`self` between two bounds, in the dtype all meet in; the upper bound wins."""
    a = self.array
    if low is None and high is None:
        message = "torch.clamp: At least one of 'min' or 'max' must not be None"
        raise ScriptError("RuntimeError", message)
    bounds = [b.array if type(b) is Tensor else b for b in (low, high)]
    dtype = result_dtype([a, *(b for b in bounds if b is not None)])
    if dtype in COMPLEX_DTYPES:
        raise ScriptError("NotImplementedError", "clamp is not supported for complex types")
    lower, upper = (_bound(b, dtype) for b in bounds)
    result = a.astype(dtype, copy=False)
    try:
        if lower is not None:
            result = np.maximum(result, lower)
        return asarray(result if upper is None else np.minimum(result, upper))
    except ValueError:
        check_broadcast(a, *(b for b in (lower, upper) if b is not None))
        raise


LONG_CLIP = 1000
"""From this many elements on, NumPy's clip is worth its overhead."""

ORDERED_DIRECT = {kind: dtypes - COMPLEX_DTYPES for kind, dtypes in DIRECT.items()}
ORDERED_DIRECT |= {bool: NONE, complex: NONE, type(None): NONE}


def _bound(bound: np.ndarray | Number | None, dtype: np.dtype) -> np.ndarray | None:
    if type(bound) is np.ndarray:
        return bound.astype(dtype, copy=False)
    return None if bound is None else number_array(bound, dtype)


@operator("aten::clamp(Tensor self, Scalar? min=None, Scalar? max=None) -> Tensor")
def clamp(self: Tensor, min: Number | None = None, max: Number | None = None) -> Tensor:
    a = self.array
    dtype = a.dtype
    if dtype in ORDERED_DIRECT[type(min)] and dtype in ORDERED_DIRECT[type(max)]:
        lower, upper = np_array(min, dtype), np_array(max, dtype)
        if a.size >= LONG_CLIP:
            return Tensor(np.clip(a, lower, upper))
        result = np.minimum(np.maximum(a, lower), upper)
        return Tensor(result if type(result) is ndarray else asarray(result))
    return Tensor(_clamp(self, min, max))


@operator("aten::clamp.Tensor(Tensor self, Tensor? min=None, Tensor? max=None) -> Tensor")
def clamp_tensor(self: Tensor, min: Tensor | None = None, max: Tensor | None = None) -> Tensor:
    return Tensor(_clamp(self, min, max))


in_place_variant(
    "aten::clamp_(Tensor(a!) self, Scalar? min=None, Scalar? max=None) -> Tensor(a!)", clamp
)
in_place_variant(
    "aten::clamp_.Tensor(Tensor(a!) self, Tensor? min=None, Tensor? max=None) -> Tensor(a!)",
    clamp_tensor,
)
operator("aten::clip(Tensor self, Scalar? min=None, Scalar? max=None) -> Tensor")(clamp)
operator("aten::clip.Tensor(Tensor self, Tensor? min=None, Tensor? max=None) -> Tensor")(
    clamp_tensor
)


@operator("aten::clamp_min(Tensor self, Scalar min) -> Tensor")
def clamp_min(self: Tensor, min: Number) -> Tensor:
    return Tensor(_clamp(self, min, None))


@operator("aten::clamp_min.Tensor(Tensor self, Tensor min) -> Tensor")
def clamp_min_tensor(self: Tensor, min: Tensor) -> Tensor:
    return Tensor(_clamp(self, min, None))


@operator("aten::clamp_max(Tensor self, Scalar max) -> Tensor")
def clamp_max(self: Tensor, max: Number) -> Tensor:
    return Tensor(_clamp(self, None, max))


@operator("aten::clamp_max.Tensor(Tensor self, Tensor max) -> Tensor")
def clamp_max_tensor(self: Tensor, max: Tensor) -> Tensor:
    return Tensor(_clamp(self, None, max))


in_place_variant("aten::clamp_min_(Tensor(a!) self, Scalar min) -> Tensor(a!)", clamp_min)
in_place_variant("aten::clamp_max_(Tensor(a!) self, Scalar max) -> Tensor(a!)", clamp_max)

maximum = operator("aten::maximum(Tensor self, Tensor other) -> Tensor")(
    binary(Elementwise(np.maximum, "maximum", refused=COMPLEX_DTYPES))
)
minimum = operator("aten::minimum(Tensor self, Tensor other) -> Tensor")(
    binary(Elementwise(np.minimum, "minimum", refused=COMPLEX_DTYPES))
)
operator("aten::max.other(Tensor self, Tensor other) -> Tensor")(maximum)
operator("aten::min.other(Tensor self, Tensor other) -> Tensor")(minimum)
operator("aten::fmax(Tensor self, Tensor other) -> Tensor")(
    binary(Elementwise(np.fmax, "fmax", refused=COMPLEX_DTYPES))
)
operator("aten::fmin(Tensor self, Tensor other) -> Tensor")(
    binary(Elementwise(np.fmin, "fmin", refused=COMPLEX_DTYPES))
)
hypot = operator("aten::hypot(Tensor self, Tensor other) -> Tensor")(
    binary(Elementwise(np.hypot, "hypot_cpu", refused=COMPLEX_DTYPES))
)
gcd = operator("aten::gcd(Tensor self, Tensor other) -> Tensor")(
    binary(Elementwise(np.gcd, "gcd_cpu", refused=FLOATING_DTYPES | {BOOL}))
)
lcm = operator("aten::lcm(Tensor self, Tensor other) -> Tensor")(
    binary(Elementwise(np.lcm, "lcm_cpu", refused=FLOATING_DTYPES | {BOOL}))
)
operator("aten::logaddexp(Tensor self, Tensor other) -> Tensor")(
    binary(Elementwise(np.logaddexp, "logaddexp_cpu", refused=NOT_REAL_FLOATING))
)
operator("aten::logaddexp2(Tensor self, Tensor other) -> Tensor")(
    binary(Elementwise(np.logaddexp2, "logaddexp2_cpu", refused=NOT_REAL_FLOATING))
)


@operator("aten::heaviside(Tensor self, Tensor values) -> Tensor")
def heaviside(self: Tensor, values: Tensor) -> Tensor:
    """0 where negative, 1 where positive, `values` where zero."""
    a, b = self.array, values.array
    if a.dtype in COMPLEX_DTYPES or b.dtype in COMPLEX_DTYPES:
        message = "heaviside is not yet implemented for complex tensors."
        raise ScriptError("RuntimeError", message)
    if a.dtype is not b.dtype:
        message = "heaviside is not yet implemented for tensors with different dtypes."
        raise ScriptError("RuntimeError", message)
    check_broadcast(a, b)
    return Tensor(asarray(np.where(np.equal(a, 0), b, np.greater(a, 0).astype(a.dtype))))


atan2 = operator(
    "aten::atan2(Tensor self, Tensor other) -> Tensor",
    "aten::arctan2(Tensor self, Tensor other) -> Tensor",
)(binary(Elementwise(np.arctan2, "atan2_cpu", floating=True, refused=COMPLEX_DTYPES)))
in_place_variant("aten::atan2_(Tensor(a!) self, Tensor other) -> Tensor(a!)", atan2)
COPYSIGN = Elementwise(np.copysign, "copysign_cpu", floating=True, refused=COMPLEX_DTYPES)
operator("aten::copysign.Tensor(Tensor self, Tensor other) -> Tensor")(binary(COPYSIGN))
operator("aten::copysign.Scalar(Tensor self, Scalar other) -> Tensor")(binary_number(COPYSIGN))


@operator("aten::real(Tensor(a) self) -> Tensor(a)")
def real(self: Tensor) -> Tensor:
    return Tensor(self.array.real) if CATEGORY[self.array.dtype] == COMPLEX else self


@operator("aten::imag(Tensor(a) self) -> Tensor(a)")
def imag(self: Tensor) -> Tensor:
    if CATEGORY[self.array.dtype] != COMPLEX:
        message = "imag is not implemented for tensors with non-complex dtypes."
        raise ScriptError("RuntimeError", message)
    return Tensor(self.array.imag)


@operator("aten::conj(Tensor(a) self) -> Tensor(a)")
def conj(self: Tensor) -> Tensor:
    return wrap(np.conj(self.array)) if CATEGORY[self.array.dtype] == COMPLEX else self


@operator("aten::resolve_conj(Tensor(a) self) -> Tensor(a)")
def resolve_conj(self: Tensor) -> Tensor:
    return self


@operator("aten::angle(Tensor self) -> Tensor")
def angle(self: Tensor) -> Tensor:
    a = self.array
    if CATEGORY[a.dtype] == COMPLEX:
        return wrap(np.arctan2(a.imag, a.real))
    a = a if a.dtype in FLOATING_DTYPES else a.astype(FLOAT)
    pi, zero = np.array(np.pi, a.dtype), np.array(0, a.dtype)
    return wrap(np.where(np.isnan(a), a, np.where(np.less(a, 0), pi, zero)))


@operator("prim::abs(Tensor x) -> Tensor")
def abs_of_tensor(x: Tensor) -> Tensor:
    return absolute(x)


@operator("aten::complex(Tensor real, Tensor imag) -> Tensor")
def complex_(real: Tensor, imag: Tensor) -> Tensor:
    if real.array.dtype is not imag.array.dtype or CATEGORY[real.array.dtype] != FLOATING:
        raise ScriptError(
            "RuntimeError",
            "Expected object of scalar type "
            f"{scalar_name(real.array.dtype)} but got scalar type "
            f"{scalar_name(imag.array.dtype)} for second argument",
        )
    check_broadcast(real.array, imag.array)
    shape = np.broadcast_shapes(real.array.shape, imag.array.shape)
    result = np.empty(shape, COMPLEX_OF_REAL[real.array.dtype])
    result.real, result.imag = real.array, imag.array
    return Tensor(result)


@operator("aten::polar(Tensor abs, Tensor angle) -> Tensor")
def polar(abs: Tensor, angle: Tensor) -> Tensor:
    magnitude, phase = abs.array, angle.array
    return complex_(wrap(magnitude * np.cos(phase)), wrap(magnitude * np.sin(phase)))


@operator("aten::view_as_real(Tensor(a) self) -> Tensor(a)")
def view_as_real(self: Tensor) -> Tensor:
    a = self.array
    return Tensor(a[..., np.newaxis].view(a.real.dtype))


@operator("aten::view_as_complex(Tensor(a) self) -> Tensor(a)")
def view_as_complex(self: Tensor) -> Tensor:
    a = self.array
    if a.ndim == 0 or a.shape[-1] != 2:
        message = "Tensor must have a last dimension of size 2"
        raise ScriptError("RuntimeError", message)
    return Tensor(a.view(COMPLEX_OF_REAL[a.dtype])[..., 0])
