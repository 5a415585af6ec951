"""Softmax, its logarithm, and forms that leave places out."""

from __future__ import annotations

import numpy as np

from tsc.compiler.schema import Layout, RowExpression
from tsc.runtime.arrays.dimensions import wrap_dimension
from tsc.runtime.arrays.dtypes import BOOL, CATEGORY, FLOAT, FLOATING, NUMPY_OF_CODE
from tsc.runtime.arrays.half_precision import narrowed, widened
from tsc.runtime.arrays.type_promotion import converted
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.numerics.neural.softmax import log_softmax_array, softmax_array
from tsc.runtime.operators.elementwise import not_implemented
from tsc.runtime.operators.out_variants import SAME, out_forms
from tsc.runtime.operators.registration import operator
from tsc.runtime.values.tensor import Tensor

BELOW = "(self - torch.amax(self))"
POWER = f"torch.exp({BELOW})"
"""Of the largest element of a row, it is 1."""


def _argument(a: np.ndarray, dim: int, dtype: int | None, name: str) -> tuple[np.ndarray, np.dtype]:
    """The array to take the softmax of, and the dtype of the result."""
    target = a.dtype if dtype is None else NUMPY_OF_CODE[dtype]
    axis = wrap_dimension(dim, a.ndim)
    if CATEGORY[target] != FLOATING:
        place = "lastdim_kernel" if axis + 1 >= a.ndim else "kernel"
        raise not_implemented(f"{name}_{place}_impl", target)
    return widened(a if target is a.dtype else converted(a, target)), target


@operator(
    "aten::softmax.int(Tensor self, int dim, ScalarType? dtype=None) -> Tensor",
    layout=Layout.ROW_MAJOR,
    rows=RowExpression(f"{POWER} / torch.sum({POWER})", "dim"),
)
def softmax(self: Tensor, dim: int, dtype: int | None = None) -> Tensor:
    a = self.array
    if dtype is None and a.dtype is FLOAT and -a.ndim <= dim < a.ndim:
        return Tensor(softmax_array(a, dim))
    x, target = _argument(a, dim, dtype, "softmax")
    return Tensor(narrowed(softmax_array(x, dim), target))


@operator(
    "aten::log_softmax.int(Tensor self, int dim, ScalarType? dtype=None) -> Tensor",
    layout=Layout.ROW_MAJOR,
    rows=RowExpression(f"{BELOW} - torch.log(torch.sum({POWER}))", "dim"),
)
def log_softmax(self: Tensor, dim: int, dtype: int | None = None) -> Tensor:
    x, target = _argument(self.array, dim, dtype, "log_softmax")
    return Tensor(narrowed(log_softmax_array(x, dim), target))


def _check_same_dtype(half_to_float: bool) -> None:
    if half_to_float:
        message = "softmax with half to float conversion is not supported: pass dtype in its place"
        raise ScriptError("RuntimeError", message)


@operator(
    "aten::_softmax(Tensor self, int dim, bool half_to_float) -> Tensor", layout=Layout.ROW_MAJOR
)
def softmax_forward(self: Tensor, dim: int, half_to_float: bool) -> Tensor:
    _check_same_dtype(half_to_float)
    return softmax(self, dim)


@operator(
    "aten::_log_softmax(Tensor self, int dim, bool half_to_float) -> Tensor",
    layout=Layout.ROW_MAJOR,
)
def log_softmax_forward(self: Tensor, dim: int, half_to_float: bool) -> Tensor:
    _check_same_dtype(half_to_float)
    return log_softmax(self, dim)


@operator("aten::_safe_softmax(Tensor self, int dim, ScalarType? dtype=None) -> Tensor")
def safe_softmax(self: Tensor, dim: int, dtype: int | None = None) -> Tensor:
    """Zeros, where a row has nothing but -inf."""
    result = softmax(self, dim, dtype).array
    a = self.array
    if a.ndim and a.shape[dim]:
        empty = np.logical_and.reduce(np.equal(a, -np.inf), dim, keepdims=True)
        np.copyto(result, np.zeros((), result.dtype), where=empty)
    return Tensor(result)


@operator(
    "aten::_masked_softmax(Tensor self, Tensor mask, int? dim=None, int? mask_type=None) -> Tensor"
)
def masked_softmax(
    self: Tensor, mask: Tensor, dim: int | None = None, mask_type: int | None = None
) -> Tensor:
    """The softmax of what `mask` does not hide.

    `mask_type` 0: (queries, keys) of scores (batch, heads, queries, keys); 1: (batch, keys); 2: any.
    """
    a, hidden = self.array, mask.array
    if hidden.dtype is not BOOL:
        raise ScriptError("RuntimeError", "Mask should be a boolean tensor")
    if mask_type == 1:
        hidden = hidden.reshape(hidden.shape[0], 1, 1, -1)
    axis = wrap_dimension(-1 if dim is None else dim, a.ndim)
    scores = np.where(hidden, widened(a).dtype.type(-np.inf), widened(a))
    return Tensor(narrowed(softmax_array(scores, axis), a.dtype))


out_forms(SAME, "_log_softmax _softmax log_softmax.int softmax.int _masked_softmax")
