"""Powers of tensors and numbers: pow, and float_power, which computes in float64."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tsc.compiler.schema import Layout
from tsc.runtime.arrays.dimensions import check_broadcast
from tsc.runtime.arrays.dtypes import (
    BOOL,
    CATEGORY,
    COMPLEX,
    COMPLEX_DOUBLE,
    DOUBLE,
    HALF,
    scalar_name,
)
from tsc.runtime.arrays.type_promotion import Number, number_array, number_dtype, result_dtype
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.operators.elementwise import (
    FLOATING_DTYPES,
    Elementwise,
    binary,
    composed,
    not_implemented,
    number_binary,
)
from tsc.runtime.operators.out_variants import CASTABLE, out_forms, same
from tsc.runtime.operators.registration import operator
from tsc.runtime.operators.variants import in_place_form, in_place_forms, store
from tsc.runtime.values.tensor import Tensor, asarray, wrap


def _power(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Elementwise power; an integer to a negative power is 0 unless it is 1 or -1."""
    negative = np.less(b, 0)
    if a.dtype in FLOATING_DTYPES or not negative.any():
        return np.power(a, b)
    is_odd = np.bitwise_and(b, np.ones((), b.dtype))
    units = np.where(np.equal(a, 1), 1, np.where(np.equal(a, -1), 1 - 2 * is_odd, 0))
    power = np.power(a, np.where(negative, np.zeros((), b.dtype), b))
    return np.where(negative, units, power).astype(a.dtype)


POWER = Elementwise(_power, "pow", refused=frozenset({BOOL}))
_pow_tensors = binary(POWER)


@operator(
    "aten::pow.Tensor_Tensor(Tensor self, Tensor exponent) -> Tensor", expression=composed("")
)
def pow_tensor(self: Tensor, exponent: Tensor) -> Tensor:
    return _pow_tensors(self, exponent)


@operator(
    "aten::pow.Tensor_Scalar(Tensor self, Scalar exponent) -> Tensor",
    expression=composed("", rounds_numbers=True),
)
def pow_number(self: Tensor, exponent: Number) -> Tensor:
    a = self.array
    if exponent == 2 and type(exponent) is not complex and a.dtype in FLOATING_DTYPES:
        return Tensor(asarray(np.multiply(a, a)))
    dtype = number_dtype(a, exponent)
    a = a.astype(dtype, copy=False)
    if dtype not in FLOATING_DTYPES and not isinstance(exponent, complex) and exponent < 0:
        message = (
            "Integers to negative integer powers are not allowed: convert them to floating point"
        )
        raise ScriptError("RuntimeError", message)
    if exponent == 0 or exponent == 1:
        return Tensor(np.ones_like(a) if exponent == 0 else a.copy())
    if dtype is BOOL:
        raise not_implemented("pow", dtype)
    return Tensor(asarray(_float_power(a, number_array(exponent, dtype), exponent)))


def _float_power(a: np.ndarray, b: np.ndarray, exponent: Number) -> np.ndarray:
    """`a` to the power `b`, with the shortcuts for common exponents."""
    if a.dtype not in FLOATING_DTYPES:
        return np.power(a, b)
    if exponent == 0.5 and a.dtype is not HALF:
        return np.sqrt(a)
    if exponent == -1:
        return np.reciprocal(a)
    if exponent == 3 and a.dtype is not HALF:
        return a * a * a
    return np.power(a, b)


@operator(
    "aten::pow.Scalar(Scalar self, Tensor exponent) -> Tensor",
    layout=Layout.ROW_MAJOR,
    expression=composed("", rounds_numbers=True),
)
def number_pow(self: Number, exponent: Tensor) -> Tensor:
    return _number_power(self, exponent)


_number_power = number_binary(POWER)

in_place_forms("pow.Tensor_Scalar:Scalar pow.Tensor_Tensor:Tensor")
out_forms(CASTABLE, "pow.Scalar pow.Tensor_Scalar pow.Tensor_Tensor")

# -- In float64 --------------------------------------------------------------------------------


def _double(*operands: np.ndarray | Number) -> Iterator[np.ndarray]:
    """The operands in float64, or in complex128 if one of them is complex."""
    is_complex = CATEGORY[result_dtype(operands)] == COMPLEX
    dtype = COMPLEX_DOUBLE if is_complex else DOUBLE
    for operand in operands:
        yield operand.astype(dtype) if type(operand) is np.ndarray else np.array(operand, dtype)


def _double_power(base: np.ndarray | Number, exponent: np.ndarray | Number) -> Tensor:
    a, b = _double(base, exponent)
    check_broadcast(a, b)
    return wrap(np.power(a, b))


@operator("aten::float_power.Tensor_Tensor(Tensor self, Tensor exponent) -> Tensor")
def float_power(self: Tensor, exponent: Tensor) -> Tensor:
    return _double_power(self.array, exponent.array)


@operator("aten::float_power.Tensor_Scalar(Tensor self, Scalar exponent) -> Tensor")
def float_power_number(self: Tensor, exponent: Number) -> Tensor:
    return _double_power(self.array, exponent)


@operator("aten::float_power.Scalar(Scalar self, Tensor exponent) -> Tensor")
def number_double_power(self: Number, exponent: Tensor) -> Tensor:
    return _double_power(self, exponent.array)


def _checked_base(target: Tensor, result: Tensor) -> Tensor:
    """`result`, which must have the dtype of the tensor that it is to be written into."""
    if result.array.dtype is not target.array.dtype:
        raise ScriptError(
            "RuntimeError",
            f"the base given to float_power_ has dtype {scalar_name(target.array.dtype)} but the "
            f"operation's result requires dtype {scalar_name(result.array.dtype)}",
        )
    return result


@in_place_form("float_power.Tensor_Tensor:Tensor")
def float_power_(self: Tensor, exponent: Tensor) -> Tensor:
    return store(self, _checked_base(self, float_power(self, exponent)).array)


@in_place_form("float_power.Tensor_Scalar:Scalar")
def float_power_number_(self: Tensor, exponent: Number) -> Tensor:
    return store(self, _checked_base(self, float_power_number(self, exponent)).array)


out_forms(
    same(
        "the output given to float_power has dtype {out} but the operation's result requires "
        "dtype {result}"
    ),
    "float_power.Scalar float_power.Tensor_Scalar float_power.Tensor_Tensor",
)
