"""Functions of pairs of elements that are neither arithmetic nor comparison."""

from __future__ import annotations

import numpy as np

from tsc.runtime.arrays.array import Array
from tsc.runtime.arrays.dimensions import check_broadcast
from tsc.runtime.arrays.dtypes import BOOL
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.operators.elementwise import (
    COMPLEX_DTYPES,
    FLOATING_DTYPES,
    INTEGRAL_DTYPES,
    NOT_REAL_FLOATING,
    Elementwise,
    binary,
    binary_number,
    composed,
)
from tsc.runtime.operators.out_variants import CASTABLE, out_forms, same
from tsc.runtime.operators.registration import operator
from tsc.runtime.operators.variants import in_place_forms, second_name
from tsc.runtime.values.tensor import Tensor, asarray


def log_add_exp(a: Array, b: Array) -> np.ndarray:
    """``log(exp(a) + exp(b))``, of complex numbers, too."""
    if a.dtype not in COMPLEX_DTYPES:
        return np.logaddexp(a, b)
    is_larger = np.greater_equal(a.real, b.real)
    larger, smaller = np.where(is_larger, a, b), np.where(is_larger, b, a)
    return larger + np.log1p(np.exp(smaller - larger))


def _least_multiple(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """One that does not fit wraps around, small integers after they were ints of C."""
    if a.itemsize < 4:
        return np.lcm(a.astype(np.int32), b.astype(np.int32)).astype(a.dtype)
    return np.abs(np.lcm(a, b))


hypot = operator("aten::hypot(Tensor self, Tensor other) -> Tensor")(
    binary(Elementwise(np.hypot, "hypot_cpu", refused=NOT_REAL_FLOATING))
)
gcd = operator("aten::gcd(Tensor self, Tensor other) -> Tensor")(
    binary(Elementwise(np.gcd, "gcd_cpu", refused=FLOATING_DTYPES | {BOOL}))
)
lcm = operator("aten::lcm(Tensor self, Tensor other) -> Tensor")(
    binary(Elementwise(_least_multiple, "lcm_cpu", refused=FLOATING_DTYPES | {BOOL}))
)
operator("aten::logaddexp(Tensor self, Tensor other) -> Tensor")(
    binary(Elementwise(log_add_exp, "logaddexp_cpu", refused=INTEGRAL_DTYPES))
)
operator("aten::logaddexp2(Tensor self, Tensor other) -> Tensor")(
    binary(Elementwise(np.logaddexp2, "logaddexp2_cpu", refused=NOT_REAL_FLOATING))
)


@operator(
    "aten::heaviside(Tensor self, Tensor values) -> Tensor",
    expression=composed("torch.where(self == 0, values, torch.where(self > 0, 1, 0))"),
)
def heaviside(self: Tensor, values: Tensor) -> Tensor:
    """0 where negative, 1 where positive, `values` where zero."""
    a, b = self.array, values.array
    if a.dtype in COMPLEX_DTYPES or b.dtype in COMPLEX_DTYPES:
        message = "heaviside is not yet implemented for complex numbers"
        raise ScriptError("RuntimeError", message)
    if a.dtype is not b.dtype:
        message = (
            f"heaviside is not yet implemented for tensors of two dtypes, {a.dtype} and {b.dtype}"
        )
        raise ScriptError("RuntimeError", message)
    check_broadcast(a, b)
    return Tensor(asarray(np.where(np.equal(a, 0), b, np.greater(a, 0).astype(a.dtype))))


operator("aten::atan2(Tensor self, Tensor other) -> Tensor")(
    binary(Elementwise(np.arctan2, "atan2_cpu", floating=True, refused=COMPLEX_DTYPES))
)
COPYSIGN = Elementwise(np.copysign, "copysign_cpu", floating=True, refused=COMPLEX_DTYPES)
operator("aten::copysign.Tensor(Tensor self, Tensor other) -> Tensor")(binary(COPYSIGN))
operator("aten::copysign.Scalar(Tensor self, Scalar other) -> Tensor")(binary_number(COPYSIGN))
in_place_forms("atan2 hypot gcd lcm heaviside copysign.Tensor copysign.Scalar")

out_forms(CASTABLE, "atan2 copysign.Scalar copysign.Tensor:out gcd hypot lcm logaddexp logaddexp2")
out_forms(
    same("heaviside is not yet implemented for tensors of two dtypes, {result} and {out}"),
    "heaviside",
)
second_name("arctan2", "atan2", "- out")
second_name("arctan2_", "atan2_")
