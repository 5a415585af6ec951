"""Arithmetic on tensors and numbers: ``+ - * / // %`` and their in-place and ``out=`` forms."""

from __future__ import annotations

import numpy as np

from tsc.compiler.schema import Promotion, ScalarExpression
from tsc.runtime.arrays.dimensions import check_broadcast
from tsc.runtime.arrays.dtypes import BOOL, CATEGORY, COMPLEX, FLOATING
from tsc.runtime.arrays.memory_layout import laid_out
from tsc.runtime.arrays.type_promotion import (
    Number,
    checked_number_array,
    number_array,
    number_dtype,
)
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.operators.elementwise import (
    BOOL_AND_COMPLEX,
    DIRECT,
    FLOATING_DTYPES,
    Elementwise,
    binary,
    binary_in_place,
    binary_number,
    binary_number_in_place,
    composed,
    np_array,
    number_binary,
    promote,
)
from tsc.runtime.operators.out_variants import CASTABLE, SAME, out_forms
from tsc.runtime.operators.registration import operator
from tsc.runtime.operators.variants import in_place_form, in_place_forms, second_name, store
from tsc.runtime.values.tensor import Tensor, asarray, ndarray

np_add, np_subtract, np_multiply = np.add, np.subtract, np.multiply
ADD, SUBTRACT = Elementwise(np_add), Elementwise(np_subtract)
MULTIPLY = Elementwise(np_multiply, wide_numbers=True, text="self * other")
DIVIDE = Elementwise(np.true_divide, floating=True, wide_numbers=True, text="self / other")
SUM = composed("self + alpha * other", rounds_numbers=True)
DIFFERENCE = composed("self - alpha * other", rounds_numbers=True)
REVERSED = composed("other - alpha * self", rounds_numbers=True)


def scaled(b: np.ndarray, alpha: Number, name: str = "alpha") -> np.ndarray:
    """``alpha * b`` for the operators with ``alpha``, or another `name`, in the dtype of `b`."""
    dtype = b.dtype
    if type(alpha) is bool and dtype is not BOOL:
        raise ScriptError("RuntimeError", f"Boolean {name} only supported for Boolean results.")
    if type(alpha) in (float, complex) and CATEGORY[dtype] < FLOATING:
        message = (
            f"For integral input tensors, argument {name} must not be a floating point number."
        )
        raise ScriptError("RuntimeError", message)
    if type(alpha) is complex and CATEGORY[dtype] < COMPLEX:
        message = f"For non-complex input tensors, argument {name} must not be a complex number."
        raise ScriptError("RuntimeError", message)
    return b if alpha == 1 else np_multiply(b, checked_number_array(alpha, dtype))


def _scaled_number(
    operation: Elementwise, a: np.ndarray, other: Number, alpha: Number
) -> np.ndarray:
    """The result on `a` and ``alpha * other``, which is reckoned in the dtype of the result."""
    dtype = number_dtype(a, other)
    number = scaled(number_array(other, dtype), alpha)
    return asarray(operation.function(a.astype(dtype, copy=False), number))


def check_subtraction(a: np.ndarray, other: np.ndarray | Number) -> None:
    """Raise PyTorch's error for booleans, which are not subtracted."""
    other_is_bool = other.dtype is BOOL if type(other) is ndarray else type(other) is bool
    if a.dtype is BOOL and other_is_bool:
        raise ScriptError(
            "RuntimeError",
            "Subtraction, the `-` operator, of two bool tensors is not supported: use "
            "`^` or `logical_xor()`",
        )
    if a.dtype is BOOL or other_is_bool:
        raise ScriptError(
            "RuntimeError",
            "Subtraction, the `-` operator, of bool and numbers is not supported: "
            "convert to numbers, or invert a mask with `~`",
        )


@operator(
    "aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor", expression=SUM
)
def add(self: Tensor, other: Tensor, alpha: Number = 1) -> Tensor:
    a = self.array
    b = other.array
    if a.dtype is not b.dtype:
        a, b = promote(a, b)
    if alpha != 1 or type(alpha) is not int:
        b = scaled(b, alpha)
    try:
        result = np_add(a, b)
    except ValueError:
        check_broadcast(a, b)
        raise
    if not (a.flags.c_contiguous and result.flags.c_contiguous):
        result = laid_out(result, self.array, other.array)
    return Tensor(result if type(result) is ndarray else asarray(result))


@operator("aten::add.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor", expression=SUM)
def add_number(self: Tensor, other: Number, alpha: Number = 1) -> Tensor:
    a = self.array
    if alpha != 1 or type(alpha) is not int:
        return Tensor(_scaled_number(ADD, a, other, alpha))
    dtype = a.dtype
    if dtype in DIRECT[type(other)]:
        result = np_add(a, np_array(other, dtype))
    else:
        result = ADD.with_number(a, other)
    return Tensor(result if type(result) is ndarray else asarray(result))


@operator(
    "aten::sub.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor",
    expression=DIFFERENCE,
)
def sub(self: Tensor, other: Tensor, alpha: Number = 1) -> Tensor:
    a = self.array
    b = other.array
    if a.dtype is not b.dtype or a.dtype is BOOL:
        check_subtraction(a, b)
        a, b = promote(a, b)
    if alpha != 1 or type(alpha) is not int:
        b = scaled(b, alpha)
    try:
        result = np_subtract(a, b)
    except ValueError:
        check_broadcast(a, b)
        raise
    if not (a.flags.c_contiguous and result.flags.c_contiguous):
        result = laid_out(result, self.array, other.array)
    return Tensor(result if type(result) is ndarray else asarray(result))


@operator(
    "aten::sub.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor", expression=DIFFERENCE
)
def sub_number(self: Tensor, other: Number, alpha: Number = 1) -> Tensor:
    a = self.array
    if alpha != 1 or type(alpha) is not int:
        check_subtraction(a, other)
        return Tensor(_scaled_number(SUBTRACT, a, other, alpha))
    dtype = a.dtype
    if dtype in DIRECT[type(other)] and type(other) is not bool:
        result = np_subtract(a, np_array(other, dtype))
    else:
        check_subtraction(a, other)
        result = SUBTRACT.with_number(a, other)
    return Tensor(result if type(result) is ndarray else asarray(result))


_add_in_place = binary_in_place(ADD)
_add_number_in_place = binary_number_in_place(ADD)
_subtract_in_place = binary_in_place(SUBTRACT)
_subtract_number_in_place = binary_number_in_place(SUBTRACT)


@in_place_form("add.Tensor")
def add_(self: Tensor, other: Tensor, alpha: Number = 1) -> Tensor:
    if alpha != 1 or type(alpha) is not int:
        return store(self, add(self, other, alpha).array, (other,))
    return _add_in_place(self, other)


@in_place_form("add.Scalar")
def add_number_(self: Tensor, other: Number, alpha: Number = 1) -> Tensor:
    if alpha != 1 or type(alpha) is not int:
        return store(self, add_number(self, other, alpha).array)
    return _add_number_in_place(self, other)


@in_place_form("sub.Tensor")
def sub_(self: Tensor, other: Tensor, alpha: Number = 1) -> Tensor:
    if alpha != 1 or type(alpha) is not int:
        return store(self, sub(self, other, alpha).array, (other,))
    check_subtraction(self.array, other.array)
    return _subtract_in_place(self, other)


@in_place_form("sub.Scalar")
def sub_number_(self: Tensor, other: Number, alpha: Number = 1) -> Tensor:
    if alpha != 1 or type(alpha) is not int:
        return store(self, sub_number(self, other, alpha).array)
    check_subtraction(self.array, other)
    return _subtract_number_in_place(self, other)


@operator(
    "aten::rsub.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor", expression=REVERSED
)
def rsub(self: Tensor, other: Tensor, alpha: Number = 1) -> Tensor:
    return sub(other, self, alpha)


@operator(
    "aten::rsub.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor", expression=REVERSED
)
def rsub_number(self: Tensor, other: Number, alpha: Number = 1) -> Tensor:
    a = self.array
    check_subtraction(a, other)
    if alpha != 1 or type(alpha) is not int:
        a = scaled(a.astype(number_dtype(a, other), copy=False), alpha)
    return _number_minus(other, Tensor(a))


_number_minus = number_binary(SUBTRACT)

mul = operator("aten::mul.Tensor(Tensor self, Tensor other) -> Tensor")(binary(MULTIPLY))
mul_number = operator("aten::mul.Scalar(Tensor self, Scalar other) -> Tensor")(
    binary_number(MULTIPLY)
)
in_place_form("mul.Tensor")(binary_in_place(MULTIPLY))
in_place_form("mul.Scalar")(binary_number_in_place(MULTIPLY))

div = operator("aten::div.Tensor(Tensor self, Tensor other) -> Tensor")(binary(DIVIDE))
div_number = operator("aten::div.Scalar(Tensor self, Scalar other) -> Tensor")(
    binary_number(DIVIDE)
)
in_place_form("div.Tensor")(binary_in_place(DIVIDE))


def _check_divisor(a: np.ndarray, b: np.ndarray) -> None:
    """Integers are not divided by zero, where there are any."""
    if b.dtype not in FLOATING_DTYPES and a.size and not b.all():
        raise ScriptError("RuntimeError", "ZeroDivisionError")


def _floor_quotient(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    _check_divisor(a, b)
    return np.floor_divide(a, b)


def _truncated_quotient(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    if a.dtype in FLOATING_DTYPES:
        return np.trunc(np.true_divide(a, b))
    _check_divisor(a, b)
    quotient = np.floor_divide(a, b)
    inexact = np.not_equal(quotient * b, a)
    return quotient + ((np.less(a, 0) != np.less(b, 0)) & inexact).astype(quotient.dtype)


def _remainder(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    _check_divisor(a, b)
    result = np.remainder(a, b)
    if a.dtype not in FLOATING_DTYPES or result.all():
        return result
    return np.where(np.equal(result, 0), np.copysign(result, a), result)  # zeros have a's sign


def _c_remainder(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    _check_divisor(a, b)
    return np.fmod(a, b)


FLOOR_DIVIDE = Elementwise(
    _floor_quotient,
    "div_floor_cpu",
    refused=BOOL_AND_COMPLEX,
    wide_numbers=True,
    text="torch.floor_divide(self, other)",
)
TRUNCATE_DIVIDE = Elementwise(
    _truncated_quotient, "div_trunc_cpu", refused=BOOL_AND_COMPLEX, wide_numbers=True
)
REMAINDER = Elementwise(_remainder, "remainder_cpu", refused=BOOL_AND_COMPLEX)
C_REMAINDER = Elementwise(_c_remainder, "fmod_cpu", refused=BOOL_AND_COMPLEX)
_floor_divide, _floor_divide_number = binary(FLOOR_DIVIDE), binary_number(FLOOR_DIVIDE)
_truncate_divide, _truncate_divide_number = binary(TRUNCATE_DIVIDE), binary_number(TRUNCATE_DIVIDE)


def _check_rounding_mode(mode: str) -> None:
    if mode not in ("floor", "trunc"):
        raise ScriptError(
            "RuntimeError",
            f"div expected rounding_mode to be None, 'trunc' or 'floor', not '{mode}'",
        )


_BY_MODE = ScalarExpression(
    Promotion.MEETING,
    "self / other if rounding_mode is None"
    " else torch.floor_divide(self, other) if rounding_mode == 'floor'"
    " else torch.where(((self < 0) != (other < 0)) & (self % other != 0),"
    " torch.floor_divide(self, other) + 1, torch.floor_divide(self, other))",
)


@operator(
    "aten::div.Tensor_mode(Tensor self, Tensor other, *, str? rounding_mode) -> Tensor",
    expression=_BY_MODE,
)
def div_mode(self: Tensor, other: Tensor, rounding_mode: str | None) -> Tensor:
    if rounding_mode is None:
        return div(self, other)
    _check_rounding_mode(rounding_mode)
    return (_floor_divide if rounding_mode == "floor" else _truncate_divide)(self, other)


@operator(
    "aten::div.Scalar_mode(Tensor self, Scalar other, *, str? rounding_mode) -> Tensor",
    expression=_BY_MODE,
)
def div_number_mode(self: Tensor, other: Number, rounding_mode: str | None) -> Tensor:
    if rounding_mode is None:
        return div_number(self, other)
    _check_rounding_mode(rounding_mode)
    divide = _floor_divide_number if rounding_mode == "floor" else _truncate_divide_number
    return divide(self, other)


in_place_forms("div.Tensor_mode")
in_place_form("div.Scalar")(binary_number_in_place(DIVIDE))
in_place_forms("div.Scalar_mode")

floor_divide = operator("aten::floor_divide(Tensor self, Tensor other) -> Tensor")(_floor_divide)
floor_divide_number = operator("aten::floor_divide.Scalar(Tensor self, Scalar other) -> Tensor")(
    _floor_divide_number
)

remainder = operator("aten::remainder.Tensor(Tensor self, Tensor other) -> Tensor")(
    binary(REMAINDER)
)
remainder_number = operator("aten::remainder.Scalar(Tensor self, Scalar other) -> Tensor")(
    binary_number(REMAINDER)
)
number_remainder = operator("aten::remainder.Scalar_Tensor(Scalar self, Tensor other) -> Tensor")(
    number_binary(REMAINDER)
)
fmod = operator("aten::fmod.Tensor(Tensor self, Tensor other) -> Tensor")(binary(C_REMAINDER))
fmod_number = operator("aten::fmod.Scalar(Tensor self, Scalar other) -> Tensor")(
    binary_number(C_REMAINDER)
)


in_place_forms(
    """
    floor_divide:Tensor floor_divide.Scalar remainder.Tensor remainder.Scalar fmod.Tensor
    fmod.Scalar
    """
)

out_forms(
    CASTABLE,
    """
    add.Tensor:out div.Tensor:out div.Tensor_mode:out_mode floor_divide fmod.Scalar fmod.Tensor
    mul.Tensor:out remainder.Scalar remainder.Tensor
    sub.Tensor:out""",
)
out_forms(
    SAME,
    """
    add.Scalar div.Scalar_mode div.Scalar floor_divide.Scalar mul.Scalar remainder.Scalar_Tensor rsub.Scalar rsub.Tensor
    sub.Scalar""",
)
second_name("multiply", "mul", "Tensor Scalar out")
second_name("multiply_", "mul_", "Tensor Scalar")
second_name("subtract", "sub", "Tensor Scalar out")
second_name("subtract_", "sub_", "Tensor Scalar")
second_name("divide", "div", "Tensor Scalar Tensor_mode Scalar_mode out out_mode")
second_name("divide_", "div_", "Tensor Tensor_mode Scalar_mode Scalar")
second_name("true_divide", "div", "Tensor Scalar out")
second_name("true_divide_", "div_", "Tensor Scalar")
