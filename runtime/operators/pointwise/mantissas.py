"""Mantissas and exponents of the elements of tensors."""

from __future__ import annotations

import numpy as np

from tsc.compiler.schema import Promotion, ScalarExpression
from tsc.runtime.arrays.dtypes import BOOL, CATEGORY, FLOATING, scalar_name
from tsc.runtime.arrays.type_promotion import can_cast, floating_dtype, pair_dtype
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.operators.elementwise import not_implemented, widened
from tsc.runtime.operators.out_variants import castable, out_forms, same
from tsc.runtime.operators.pointwise.arithmetic import mul
from tsc.runtime.operators.registration import operator
from tsc.runtime.operators.variants import in_place_form, store
from tsc.runtime.values.tensor import Tensor, asarray


@operator("aten::frexp.Tensor(Tensor self) -> (Tensor mantissa, Tensor exponent)")
def frexp(self: Tensor) -> tuple[Tensor, Tensor]:
    a = self.array
    if CATEGORY[a.dtype] != FLOATING:
        message = f"frexp() only supports floating-point dtypes, not {scalar_name(a.dtype)}"
        raise ScriptError("RuntimeError", message)
    mantissa, exponent = np.frexp(a.astype(np.float32) if a.itemsize == 2 else a)
    return Tensor(asarray(mantissa).astype(a.dtype)), Tensor(asarray(exponent, np.int32))


@operator(
    "aten::ldexp.Tensor(Tensor self, Tensor other) -> Tensor",
    expression=ScalarExpression(Promotion.FLOATING, "self * torch.exp2(other)"),
)
def ldexp(self: Tensor, other: Tensor) -> Tensor:
    """``self * 2 ** other``: the power is computed first, in the dtype the two meet in."""
    if other.array.dtype is BOOL and CATEGORY[self.array.dtype] == FLOATING:
        raise not_implemented("ldexp_cpu_exp", BOOL)
    dtype = floating_dtype(pair_dtype(self.array, other.array))
    power = widened(np.exp2)(other.array.astype(dtype))
    return mul(Tensor(self.array.astype(dtype)), Tensor(asarray(power)))


@in_place_form("ldexp.Tensor:-")
def ldexp_(self: Tensor, other: Tensor) -> Tensor:
    result = ldexp(self, other).array
    if not can_cast(result.dtype, self.array.dtype):
        message = (
            f"ldexp can't be cast to {scalar_name(self.array.dtype)}: its result is "
            f"{scalar_name(result.dtype)}"
        )
        raise ScriptError("RuntimeError", message)
    return store(self, result)


out_forms(
    (
        same("torch.frexp() expects mantissa to have dtype {c_result} but got {c_out}"),
        same("torch.frexp() expects exponent to have {c_result} dtype but got {c_out}"),
    ),
    "frexp.Tensor",
)
out_forms(castable("ldexp can't be cast to the desired output type {out}"), "ldexp.Tensor:out")
