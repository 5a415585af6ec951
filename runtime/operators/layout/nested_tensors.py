"""Nested tensors: made of a mask, and padded again."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tsc.runtime.arrays.dtypes import BOOL, DTYPE_OF_NUMPY
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.operators.registration import operator
from tsc.runtime.values.nested_tensors import NestedTensor
from tsc.runtime.values.tensor import Tensor


def _lengths(t: Tensor, mask: Tensor) -> np.ndarray:
    """How many elements of each row a mask keeps. Raises `ScriptError` if it does not fit."""
    kept = mask.array
    if kept.dtype is not BOOL:
        name = DTYPE_OF_NUMPY[kept.dtype].scalar_name
        raise ScriptError("RuntimeError", f"the mask must be of ScalarType Bool, but got {name}")
    if kept.ndim != 2:
        raise ScriptError("RuntimeError", "Padding mask should be 2D")
    if t.array.ndim != 3:
        raise ScriptError("RuntimeError", "Input should be a 3D tensor, N * L * D")
    if kept.shape != t.array.shape[:2]:
        raise ScriptError("RuntimeError", "Mask size should match input size")
    return kept.sum(1)


def _is_left_aligned(mask: Tensor, lengths: np.ndarray) -> bool:
    expected = np.arange(mask.array.shape[1]) < lengths[:, None]
    return bool((mask.array == expected).all())


@operator("aten::_nested_tensor_from_mask_left_aligned(Tensor t, Tensor mask) -> bool")
def nested_tensor_from_mask_left_aligned(t: Tensor, mask: Tensor) -> bool:
    return _is_left_aligned(mask, _lengths(t, mask))


@operator("aten::_nested_tensor_from_mask(Tensor t, Tensor mask, bool mask_check=True) -> Tensor")
def nested_tensor_from_mask(t: Tensor, mask: Tensor, mask_check: bool = True) -> Tensor:
    lengths = _lengths(t, mask)
    if mask_check and not _is_left_aligned(mask, lengths):
        raise ScriptError("RuntimeError", "Mask must be left-aligned without gaps")
    longest = int(lengths.max(initial=0))
    return NestedTensor(t.array[:, :longest].copy(), lengths)


@operator(
    "aten::to_padded_tensor(Tensor self, float padding, SymInt[]? output_size=None) -> Tensor"
)
def to_padded_tensor(
    self: Tensor, padding: float, output_size: Sequence[int] | None = None
) -> Tensor:
    if not isinstance(self, NestedTensor):
        raise ScriptError("NotImplementedError", "to_padded_tensor takes a nested tensor")
    filled = self.padded_with(padding)
    if output_size is None:
        return Tensor(filled)
    if len(output_size) != 3 or any(a < b for a, b in zip(output_size, filled.shape)):
        raise ScriptError(
            "RuntimeError",
            f"Truncation is not supported: output_size {list(output_size)} is less than "
            f"the padded size {list(filled.shape)}",
        )
    result = np.full(tuple(output_size), padding, filled.dtype)
    result[tuple(map(slice, filled.shape))] = filled
    return Tensor(result)
