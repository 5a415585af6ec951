"""Which dtypes losses take, and what they say of others."""

from __future__ import annotations

import numpy as np

from tsc.runtime.arrays.dtypes import BOOL, CATEGORY, COMPLEX, FLOAT, FLOATING, scalar_name
from tsc.runtime.arrays.type_promotion import can_cast
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.operators.elementwise import not_implemented


def check_real_floating(kernel: str, dtype: np.dtype) -> None:
    """That a kernel has the dtype, where it has the real floating ones."""
    if CATEGORY[dtype] != FLOATING:
        raise not_implemented(kernel, dtype)


def check_wide_floating(kernel: str, dtype: np.dtype) -> None:
    """The same for a kernel that half precision is too coarse for."""
    if CATEGORY[dtype] != FLOATING or dtype.itemsize < FLOAT.itemsize:
        raise not_implemented(kernel, dtype)


def check_mean(dtype: np.dtype) -> None:
    """That losses have a mean."""
    if CATEGORY[dtype] < FLOATING:
        raise ScriptError(
            "RuntimeError",
            "mean(): could not infer output dtype. Input dtype must be either a floating point or "
            f"complex dtype, and that of the losses is {scalar_name(dtype)}",
        )


def check_found(found: np.dtype, expected: np.dtype) -> None:
    """That targets and weights have the dtype of the input."""
    if found is not expected:
        message = f"Found dtype {scalar_name(found)} but expected {scalar_name(expected)}"
        raise ScriptError("RuntimeError", f"{message}, which the input has")


def check_weight(weight: np.dtype, scores: np.dtype) -> None:
    """That the weights of classes have the dtype of the scores."""
    if weight is not scores:
        message = f"expected scalar type {scalar_name(scores)} but found {scalar_name(weight)}"
        raise ScriptError("RuntimeError", f"{message}, which the weights have")


def check_stored(result: np.dtype, stored: np.dtype) -> None:
    """That losses of one dtype may be stored in another, which an operand has."""
    if not can_cast(result, stored):
        raise ScriptError(
            "RuntimeError",
            f"result type {scalar_name(result)} can't be cast to the desired output type "
            f"{scalar_name(stored)}",
        )


def check_clamped(dtype: np.dtype) -> None:
    """That losses may be cut off at zero."""
    if CATEGORY[dtype] == COMPLEX:
        raise ScriptError("NotImplementedError", "clamp is not supported for complex types")


def check_negated(dtype: np.dtype) -> None:
    """That an input has a negative."""
    if dtype is BOOL:
        raise ScriptError(
            "RuntimeError",
            "Negation, the `-` operator, on a bool tensor is not supported: `~` inverts a mask",
        )


def check_divergence(dtype: np.dtype) -> None:
    """That an operand of `kl_div` is real and floating."""
    if CATEGORY[dtype] != FLOATING:
        kind = "Complex" if CATEGORY[dtype] == COMPLEX else "Integral"
        raise ScriptError("RuntimeError", f"kl_div: {kind} inputs not supported.")
