"""Bounds and extremes of elements: clamp, clip, maximum, minimum."""

from __future__ import annotations

import numpy as np

from tsc.compiler.schema import Layout, ScalarExpression
from tsc.runtime.arrays.dimensions import check_broadcast
from tsc.runtime.arrays.dtypes import BOOL, HALF
from tsc.runtime.arrays.type_promotion import Number, checked_number_array, result_dtype
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.operators.elementwise import (
    COMPLEX_DTYPES,
    DIRECT,
    NONE,
    Elementwise,
    binary,
    composed,
    fitting_number,
    not_implemented,
)
from tsc.runtime.operators.out_variants import CASTABLE, SAME_FOUND, out_forms
from tsc.runtime.operators.registration import operator
from tsc.runtime.operators.variants import in_place_forms, second_name
from tsc.runtime.values.tensor import Tensor, asarray, ndarray


def at_least(a: np.ndarray, low: np.ndarray | Number, out: np.ndarray | None = None) -> np.ndarray:
    """The larger one of each two, and of two zeros that of `a`."""
    if a.dtype is HALF:  # NumPy gives the first one of two zeros, otherwise the second
        return np.maximum(a, low, out=out)
    return np.maximum(low, a, out=out)


def at_most(a: np.ndarray, high: np.ndarray | Number) -> np.ndarray:
    """The smaller one of each two, and of two zeros that of `a`."""
    return np.minimum(a, high) if a.dtype is HALF else np.minimum(high, a)


def _clamp(self: Tensor, low: Tensor | Number | None, high: Tensor | Number | None) -> np.ndarray:
    """`self` between two bounds, in the dtype all meet in; the upper bound wins."""
    a = self.array
    if low is None and high is None:
        message = "torch.clamp: At least one of 'min' and 'max' must be given"
        raise ScriptError("RuntimeError", message)
    bounds = [b.array if isinstance(b, Tensor) else b for b in (low, high)]
    dtype = result_dtype([a, *(b for b in bounds if b is not None)])
    if dtype in COMPLEX_DTYPES:
        raise ScriptError("NotImplementedError", "clamp is not supported for complex types")
    if dtype is BOOL and (type(low) is bool or type(high) is bool):
        which = "min_" if high is None else "max_" if low is None else ""
        raise not_implemented(f"clamp_{which}scalar_cpu", dtype)
    if dtype is BOOL and low is not None and high is not None:
        raise not_implemented("clamp_cpu", dtype)
    lower, upper = (_bound(b, dtype) for b in bounds)
    result = a.astype(dtype, copy=False)
    try:
        if lower is not None:
            result = at_least(result, lower)
        return asarray(result if upper is None else at_most(result, upper))
    except ValueError:
        check_broadcast(a, *(b for b in (lower, upper) if b is not None))
        raise


def _clamped() -> ScalarExpression:
    """What is not below `min`, and not above `max`, where these are given."""
    raised = "self if min is None else torch.clamp_min(self, min)"
    return composed(f"({raised}) if max is None else torch.clamp_max({raised}, max)")


LONG_CLIP = 1000
"""From this many elements on, NumPy's is worth its overhead."""

ORDERED_DIRECT = {kind: dtypes - COMPLEX_DTYPES for kind, dtypes in DIRECT.items()}
ORDERED_DIRECT |= {bool: NONE, complex: NONE}


def _bound(bound: np.ndarray | Number | None, dtype: np.dtype) -> np.ndarray | None:
    if isinstance(bound, ndarray):
        return bound.astype(dtype, copy=False)
    return None if bound is None else checked_number_array(bound, dtype)


@operator(
    "aten::clamp(Tensor self, Scalar? min=None, Scalar? max=None) -> Tensor",
    expression=_clamped(),
)
def clamp(self: Tensor, min: Number | None = None, max: Number | None = None) -> Tensor:
    a = self.array
    dtype = a.dtype
    if min is None or max is None:
        return Tensor(_clamp(self, min, max))
    if dtype in ORDERED_DIRECT[type(min)] and dtype in ORDERED_DIRECT[type(max)]:
        lower, upper = fitting_number(min, dtype), fitting_number(max, dtype)
        if a.size >= LONG_CLIP:
            return Tensor(np.clip(a, lower, upper))
        result = at_most(at_least(a, lower), upper)
        return Tensor(result if type(result) is ndarray else asarray(result))
    return Tensor(_clamp(self, min, max))


@operator(
    "aten::clamp.Tensor(Tensor self, Tensor? min=None, Tensor? max=None) -> Tensor",
    expression=_clamped(),
    layout=Layout.AS_OPERANDS,
)
def clamp_tensor(self: Tensor, min: Tensor | None = None, max: Tensor | None = None) -> Tensor:
    return Tensor(_clamp(self, min, max))


@operator("aten::clamp_min(Tensor self, Scalar min) -> Tensor", expression=composed(""))
def clamp_min(self: Tensor, min: Number) -> Tensor:
    return Tensor(_clamp(self, min, None))


@operator(
    "aten::clamp_min.Tensor(Tensor self, Tensor min) -> Tensor",
    expression=composed(""),
)
def clamp_min_tensor(self: Tensor, min: Tensor) -> Tensor:
    return Tensor(_clamp(self, min, None))


@operator("aten::clamp_max(Tensor self, Scalar max) -> Tensor", expression=composed(""))
def clamp_max(self: Tensor, max: Number) -> Tensor:
    return Tensor(_clamp(self, None, max))


@operator(
    "aten::clamp_max.Tensor(Tensor self, Tensor max) -> Tensor",
    expression=composed(""),
)
def clamp_max_tensor(self: Tensor, max: Tensor) -> Tensor:
    return Tensor(_clamp(self, None, max))


in_place_forms("clamp clamp.Tensor clamp_min clamp_min.Tensor clamp_max clamp_max.Tensor")

maximum = operator("aten::maximum(Tensor self, Tensor other) -> Tensor")(
    binary(
        Elementwise(
            np.maximum, "maximum", refused=COMPLEX_DTYPES, text="torch.maximum(self, other)"
        )
    )
)
minimum = operator("aten::minimum(Tensor self, Tensor other) -> Tensor")(
    binary(
        Elementwise(
            np.minimum, "minimum", refused=COMPLEX_DTYPES, text="torch.minimum(self, other)"
        )
    )
)
operator("aten::max.other(Tensor self, Tensor other) -> Tensor")(maximum)
operator("aten::min.other(Tensor self, Tensor other) -> Tensor")(minimum)
operator("aten::fmax(Tensor self, Tensor other) -> Tensor")(
    binary(Elementwise(np.fmax, "fmax", refused=COMPLEX_DTYPES))
)
operator("aten::fmin(Tensor self, Tensor other) -> Tensor")(
    binary(Elementwise(np.fmin, "fmin", refused=COMPLEX_DTYPES))
)

out_forms(
    CASTABLE,
    """
    clamp.Tensor clamp_max.Tensor clamp_min.Tensor fmax fmin max.other:out maximum min.other:out
    minimum
    """,
)
out_forms(SAME_FOUND, "clamp clamp_max clamp_min")
second_name("clip", "clamp", "- Tensor out Tensor_out")
second_name("clip_", "clamp_", "- Tensor")
