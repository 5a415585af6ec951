"""Copies whose memory is told by the order of their dimensions, outermost first: ``[0, 2, 3, 1]`` is channels last.

Programs of the Edge dialect call them; names and schemas are ExecuTorch's (``exir/passes/dim_order_ops_registry.py``).
"""

from __future__ import annotations

import numpy as np

from tsc.compiler.schema import Effects
from tsc.runtime.arrays.dtypes import DTYPE_OF_CODE
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.operators.registration import operator
from tsc.runtime.values.tensor import Tensor


def own_order(array: np.ndarray) -> list[int]:
    """Dimensions from the largest stride to the smallest one."""
    return sorted(range(array.ndim), key=lambda each: (-array.strides[each], each))


def _copied(x: Tensor, order: list[int] | None, dtype: int | None) -> Tensor:
    wanted = x.array.dtype if dtype is None else DTYPE_OF_CODE[dtype].numpy
    places = own_order(x.array) if order is None else order
    if sorted(places) != list(range(x.array.ndim)):
        raise ScriptError("RuntimeError", f"{places} is no order of {x.array.ndim} dimensions")
    laid_out = np.array(x.array.transpose(places), wanted, order="C")
    return Tensor(laid_out.transpose([places.index(each) for each in range(len(places))]))


@operator(
    "dim_order_ops::_to_dim_order_copy(Tensor self, *, ScalarType? dtype=None, Layout? layout=None,"
    " Device? device=None, bool? pin_memory=None, bool non_blocking=False, int[]? dim_order=None) -> Tensor",
    effects=Effects.PURE,
)
def to_dim_order_copy(
    self: Tensor,
    dtype=None,
    layout=None,
    device=None,
    pin_memory=None,
    non_blocking=False,
    dim_order=None,
) -> Tensor:
    return _copied(self, dim_order, dtype)


@operator(
    "dim_order_ops::_clone_dim_order(Tensor self, *, bool non_blocking=False, int[]? dim_order=None) -> Tensor",
    effects=Effects.PURE,
)
def clone_dim_order(self: Tensor, non_blocking=False, dim_order=None) -> Tensor:
    return _copied(self, dim_order, None)
