"""Comparison, logic, tests and bits: operands meet in one dtype, most results are bool."""

from __future__ import annotations

import numpy as np

from tsc.compiler.schema import Promotion, ScalarExpression
from tsc.runtime.arrays.dimensions import check_broadcast
from tsc.runtime.arrays.dtypes import BFLOAT16, BOOL, CATEGORY, FLOAT, FLOATING, scalar_name
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.operators.elementwise import (
    COMPLEX_DTYPES,
    FLOATING_DTYPES,
    NONE,
    ArrayFunction,
    Elementwise,
    binary,
    binary_in_place,
    binary_number,
    binary_number_in_place,
    number_binary,
    promote,
    unary,
)
from tsc.runtime.operators.out_variants import (
    ANY_DTYPE,
    CASTABLE,
    SAME,
    SAME_FOUND,
    out_forms,
    same,
)
from tsc.runtime.operators.registration import operator
from tsc.runtime.operators.variants import in_place_form, in_place_forms, second_name
from tsc.runtime.values.tensor import Tensor, asarray, wrap

COMPARISONS: dict[str, tuple[str, ArrayFunction]] = {
    "eq": ("==", np.equal),
    "ne": ("!=", np.not_equal),
    "lt": ("<", np.less),
    "le": ("<=", np.less_equal),
    "gt": (">", np.greater),
    "ge": (">=", np.greater_equal),
}


def _declare_comparison(name: str, symbol: str, function: ArrayFunction) -> None:
    refused = NONE if symbol in ("==", "!=") else COMPLEX_DTYPES
    text = f"self {symbol} other"
    comparison = Elementwise(function, f"{name}_cpu", refused=refused, truth=True, text=text)
    tensors, number = binary(comparison), binary_number(comparison)
    operator(f"aten::{name}.Tensor(Tensor self, Tensor other) -> Tensor")(tensors)
    operator(f"aten::{name}.Scalar(Tensor self, Scalar other) -> Tensor")(number)
    in_place_forms(f"{name}.Scalar {name}.Tensor")


for _name, (_symbol, _function) in COMPARISONS.items():
    _declare_comparison(_name, _symbol, _function)


def _truth(a: np.ndarray) -> np.ndarray:
    return a if a.dtype is BOOL else asarray(np.not_equal(a, np.zeros((), a.dtype)))


def _truth_of(text: str) -> ScalarExpression:
    return ScalarExpression(Promotion.TRUTH, text)


def _on_truth(function: ArrayFunction) -> ArrayFunction:
    return lambda a, b: function(_truth(a), _truth(b))


LOGICAL: dict[str, tuple[str, ArrayFunction]] = {
    "logical_and": ("&", _on_truth(np.logical_and)),
    "logical_or": ("|", _on_truth(np.logical_or)),
    "logical_xor": ("^", _on_truth(np.logical_xor)),
}


def _declare_logical(name: str, symbol: str, function: ArrayFunction) -> None:
    text = f"(self != 0) {symbol} (other != 0)"
    kernel = binary(Elementwise(function, truth=True, text=text))
    operator(f"aten::{name}(Tensor self, Tensor other) -> Tensor")(kernel)
    in_place_forms(name)


for _name, (_symbol, _function) in LOGICAL.items():
    _declare_logical(_name, _symbol, _function)


@operator("aten::logical_not(Tensor self) -> Tensor", expression=_truth_of("self == 0"))
def logical_not(self: Tensor) -> Tensor:
    return wrap(np.logical_not(_truth(self.array)))


BITWISE = {
    name: Elementwise(function, f"{name}_cpu", refused=FLOATING_DTYPES, text=f"self {symbol} other")
    for name, symbol, function in (
        ("bitwise_and", "&", np.bitwise_and),
        ("bitwise_or", "|", np.bitwise_or),
        ("bitwise_xor", "^", np.bitwise_xor),
    )
}
_NOT_SHIFTED = FLOATING_DTYPES | {BOOL}
LEFT_SHIFT = Elementwise(np.left_shift, "lshift_cpu", refused=_NOT_SHIFTED, text="self << other")
RIGHT_SHIFT = Elementwise(np.right_shift, "rshift_cpu", refused=_NOT_SHIFTED, text="self >> other")
SHIFTS = {"bitwise_left_shift": LEFT_SHIFT, "bitwise_right_shift": RIGHT_SHIFT}


def _declare_bitwise(name: str, function: Elementwise, number_overload: str) -> None:
    tensors, number = binary(function), binary_number(function)
    operator(f"aten::{name}.Tensor(Tensor self, Tensor other) -> Tensor")(tensors)
    operator(f"aten::{name}.{number_overload}(Tensor self, Scalar other) -> Tensor")(number)
    operator(f"aten::{name}.Scalar_Tensor(Scalar self, Tensor other) -> Tensor")(
        number_binary(function)
    )


for _name, _function in BITWISE.items():
    _declare_bitwise(_name, _function, "Scalar")
    in_place_form(f"{_name}.Tensor")(binary_in_place(_function))
    in_place_form(f"{_name}.Scalar")(binary_number_in_place(_function))
for _name, _function in SHIFTS.items():
    _declare_bitwise(_name, _function, "Tensor_Scalar")
    in_place_form(f"{_name}.Tensor_Scalar")(binary_number_in_place(_function))
    in_place_form(f"{_name}.Tensor")(binary_in_place(_function))

_SYMBOLS = {
    "and": BITWISE["bitwise_and"],
    "or": BITWISE["bitwise_or"],
    "xor": BITWISE["bitwise_xor"],
    "lshift": LEFT_SHIFT,
    "rshift": RIGHT_SHIFT,
}
operator("aten::__and__.Scalar(Tensor self, Scalar other) -> Tensor")(
    binary_number(_SYMBOLS["and"])
)
operator("aten::__and__.Tensor(Tensor self, Tensor other) -> Tensor")(binary(_SYMBOLS["and"]))
for _name, _function in _SYMBOLS.items():
    if _name != "and":
        operator(f"aten::__{_name}__.Tensor(Tensor self, Tensor other) -> Tensor")(
            binary(_function)
        )
        operator(f"aten::__{_name}__.Scalar(Tensor self, Scalar other) -> Tensor")(
            binary_number(_function)
        )
    in_place_form(f"__{_name}__.Tensor")(binary_in_place(_function))
    in_place_form(f"__{_name}__.Scalar")(binary_number_in_place(_function))


operator("aten::bitwise_not(Tensor self) -> Tensor")(
    unary(np.invert, "bitwise_not_cpu", FLOATING_DTYPES, "~self")
)
in_place_forms("logical_not bitwise_not")


def _test_floating(function: ArrayFunction, otherwise: bool) -> ArrayFunction:
    """A test on floating-point elements; integers all answer `otherwise`."""

    def test(a: np.ndarray) -> np.ndarray:
        if CATEGORY[a.dtype] < FLOATING:
            return np.full(a.shape, otherwise)
        return asarray(function(a.astype(FLOAT) if a.dtype is BFLOAT16 else a))

    return test


_is_infinite = _test_floating(np.isinf, False)
_is_finite = _test_floating(np.isfinite, True)
_is_nan = _test_floating(np.isnan, False)
_is_positive_infinity = _test_floating(np.isposinf, False)
_is_negative_infinity = _test_floating(np.isneginf, False)


@operator("aten::isnan(Tensor self) -> Tensor", expression=_truth_of("self != self"))
def isnan(self: Tensor) -> Tensor:
    return Tensor(_is_nan(self.array))


@operator(
    "aten::isinf(Tensor self) -> Tensor", expression=_truth_of("torch.abs(self) == float('inf')")
)
def isinf(self: Tensor) -> Tensor:
    return Tensor(_is_infinite(self.array))


@operator(
    "aten::isfinite(Tensor self) -> Tensor", expression=_truth_of("torch.abs(self) < float('inf')")
)
def isfinite(self: Tensor) -> Tensor:
    return Tensor(_is_finite(self.array))


def _check_real(name: str, a: np.ndarray) -> None:
    if a.dtype in COMPLEX_DTYPES:
        raise ScriptError("RuntimeError", f"{name} does not support complex inputs.")


@operator("aten::isposinf(Tensor self) -> Tensor", expression=_truth_of("self == float('inf')"))
def isposinf(self: Tensor) -> Tensor:
    _check_real("isposinf", self.array)
    return Tensor(_is_positive_infinity(self.array))


@operator("aten::isneginf(Tensor self) -> Tensor", expression=_truth_of("self == float('-inf')"))
def isneginf(self: Tensor) -> Tensor:
    _check_real("isneginf", self.array)
    return Tensor(_is_negative_infinity(self.array))


@operator("aten::equal(Tensor self, Tensor other) -> bool")
def equal(self: Tensor, other: Tensor) -> bool:
    a, b = promote(self.array, other.array)
    return a.shape == b.shape and bool(np.equal(a, b).all())


@operator(
    "aten::isclose(Tensor self, Tensor other, float rtol=1.0000000000000001e-05, float atol=1e-08,"
    " bool equal_nan=False) -> Tensor"
)
def isclose(
    self: Tensor, other: Tensor, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = False
) -> Tensor:
    a, b = self.array, other.array
    if a.dtype is not b.dtype:
        raise ScriptError(
            "RuntimeError", f"{scalar_name(a.dtype)} did not match {scalar_name(b.dtype)}"
        )
    for name, tolerance in (("rtol", rtol), ("atol", atol)):
        if tolerance < 0:
            message = f"{name} must be greater than or equal to zero, not {tolerance:g}"
            raise ScriptError("RuntimeError", message)
    check_broadcast(a, b)
    close = np.equal(a, b)
    if CATEGORY[a.dtype] < FLOATING and rtol == 0 and atol == 0:
        return wrap(close)
    if equal_nan:
        close = close | (_is_nan(a) & _is_nan(b))
    wide_a, wide_b = _wide(a), _wide(b)
    difference = np.abs(wide_a - wide_b)
    within = np.isfinite(difference) & (difference <= atol + np.abs(rtol * wide_b))
    return wrap(close | within)


def _wide(a: np.ndarray) -> np.ndarray:
    return a.astype(np.complex128 if a.dtype.kind == "c" else np.float64)


@operator(
    "aten::allclose(Tensor self, Tensor other, float rtol=1.0000000000000001e-05,"
    " float atol=1e-08, bool equal_nan=False) -> bool"
)
def allclose(
    self: Tensor, other: Tensor, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = False
) -> bool:
    return bool(isclose(self, other, rtol, atol, equal_nan).array.all())


@operator("aten::is_nonzero(Tensor self) -> bool")
def is_nonzero(self: Tensor) -> bool:
    size = self.array.size
    if size == 1:
        return bool(self.array.item())
    problem = "no values" if size == 0 else "more than one value"
    message = f"Boolean value of Tensor with {problem} is ambiguous"
    raise ScriptError("RuntimeError", message)


out_forms(
    CASTABLE,
    """
    bitwise_and.Scalar bitwise_and.Tensor bitwise_left_shift.Tensor_Scalar bitwise_left_shift.Tensor
    bitwise_or.Scalar bitwise_or.Tensor bitwise_right_shift.Tensor_Scalar bitwise_right_shift.Tensor
    bitwise_xor.Scalar bitwise_xor.Tensor
    """,
)
out_forms(SAME_FOUND, "bitwise_not")
out_forms(
    ANY_DTYPE,
    """
    eq.Scalar eq.Tensor ge.Scalar ge.Tensor gt.Scalar gt.Tensor le.Scalar le.Tensor logical_and
    logical_not logical_or logical_xor lt.Scalar lt.Tensor ne.Scalar ne.Tensor
    """,
)
out_forms(
    SAME,
    """
    __lshift__.Scalar __lshift__.Tensor __rshift__.Scalar __rshift__.Tensor
    bitwise_and.Scalar_Tensor bitwise_left_shift.Scalar_Tensor bitwise_or.Scalar_Tensor
    bitwise_right_shift.Scalar_Tensor bitwise_xor.Scalar_Tensor isinf isnan
    """,
)
out_forms(same("isneginf does not support outputs of dtype {out}, only of Bool"), "isneginf")
out_forms(same("isposinf does not support outputs of dtype {out}, only of Bool"), "isposinf")

SECOND_NAMES = {
    "not_equal": "ne",
    "less": "lt",
    "less_equal": "le",
    "greater": "gt",
    "greater_equal": "ge",
}
for _name, _first in SECOND_NAMES.items():
    second_name(_name, _first, "Tensor Scalar Tensor_out Scalar_out")
    second_name(f"{_name}_", f"{_first}_", "Scalar Tensor")
