"""Mantissas and exponents of the elements of tensors."""

from __future__ import annotations

import numpy as np

from runtime.errors import ScriptError
from runtime.operators.arithmetic import mul
from runtime.operators.elementwise import widened
from runtime.operators.registration import operator
from runtime.operators.variants import in_place_variant
from runtime.tensor import Tensor, asarray
from runtime.type_promotion import floating_dtype, number_dtype


@operator("aten::frexp.Tensor(Tensor self) -> (Tensor mantissa, Tensor exponent)")
def frexp(self: Tensor) -> tuple[Tensor, Tensor]:
    a = self.array
    if a.dtype.kind not in "fV":
        message = "torch.frexp() only supports floating-point dtypes"
        raise ScriptError("RuntimeError", message)
    mantissa, exponent = np.frexp(a.astype(np.float32) if a.itemsize == 2 else a)
    return Tensor(asarray(mantissa).astype(a.dtype)), Tensor(asarray(exponent, np.int32))


@operator("aten::ldexp.Tensor(Tensor self, Tensor other) -> Tensor")
def ldexp(self: Tensor, other: Tensor) -> Tensor:
    """``self * 2 ** other``: the power is computed first, in the dtype of `other` as a float."""
    exponent = other.array
    dtype = floating_dtype(number_dtype(exponent, 2.0))
    power = widened(np.exp2)(exponent.astype(dtype))
    return mul(self, Tensor(asarray(power)))


in_place_variant("aten::ldexp_(Tensor(a!) self, Tensor other) -> Tensor(a!)", ldexp)
