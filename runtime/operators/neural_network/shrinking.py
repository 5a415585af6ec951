"""Activation functions that replace small elements: softshrink, hardshrink, threshold."""

from __future__ import annotations

import ml_dtypes
import numpy as np

from tsc.runtime.arrays.dtypes import scalar_name
from tsc.runtime.arrays.selecting import select
from tsc.runtime.arrays.type_promotion import (
    COMPUTE_DTYPE,
    Number,
    checked_number_array,
    number_array,
    real_number,
)
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.numerics.neural import activations
from tsc.runtime.operators.elementwise import BOOL_AND_COMPLEX, composed, not_implemented
from tsc.runtime.operators.neural_network.activation import (
    ZERO,
    activation,
    check_floating,
    elementwise,
)
from tsc.runtime.operators.out_variants import CASTABLE, SAME_FOUND, out_forms
from tsc.runtime.values.tensor import Tensor, asarray, wrap


@activation(
    "softshrink",
    ", Scalar lambd=0.5",
    in_place=False,
    expression=composed("self - torch.clamp_max(torch.clamp_min(self, -lambd), lambd)"),
)
def softshrink(self: Tensor, lambd: Number = 0.5) -> Tensor:
    a = self.array
    check_floating("softshrink_check", a)
    lambd = real_number(lambd)
    if not lambd >= 0:
        top = float(ml_dtypes.finfo(a.dtype).max)
        message = (
            f"lambda must be in range [0, {top:g}] for input dtype {scalar_name(a.dtype)}, "
            f"but found {lambd:g}"
        )
        raise ScriptError("RuntimeError", message)
    dtype: np.dtype = a.dtype
    bound = number_array(lambd, COMPUTE_DTYPE.get(dtype, dtype))[()]
    return elementwise("softshrink_cpu", a, lambda x, out: activations.soft_shrink(x, out, bound))


@activation(
    "hardshrink",
    ", Scalar lambd=0.5",
    in_place=False,
    expression=composed(
        "torch.where((self >= -lambd) & (self <= lambd), 0, self)", rounds_numbers=True
    ),
)
def hardshrink(self: Tensor, lambd: Number = 0.5) -> Tensor:
    a = self.array
    check_floating("hardshrink_cpu", a)
    bound = number_array(lambd, a.dtype)
    inside = np.greater_equal(a, -bound) & np.less_equal(a, bound)
    return wrap(select(inside, ZERO[a.dtype], a))


@activation(
    "threshold",
    ", Scalar threshold, Scalar value",
    expression=composed("torch.where(self <= threshold, value, self)", rounds_numbers=True),
)
def threshold(self: Tensor, threshold: Number, value: Number) -> Tensor:
    a = self.array
    if a.dtype in BOOL_AND_COMPLEX:
        raise not_implemented("threshold_cpu", a.dtype)
    low = np.less_equal(a, checked_number_array(threshold, a.dtype))
    return wrap(select(asarray(low), checked_number_array(value, a.dtype), a))


out_forms(CASTABLE, "threshold")
out_forms(SAME_FOUND, "hardshrink softshrink")
