"""Tensors whose strides are given, and whose elements nobody has written yet."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tsc.runtime.arrays.storage import contiguous_strides
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.operators.creation.creation import OPTIONS, check_device, checked_size, numpy_dtype
from tsc.runtime.operators.out_variants import FACTORY, out_forms
from tsc.runtime.operators.registration import operator
from tsc.runtime.values.tensor import Tensor


def _strided(size: Sequence[int], stride: Sequence[int], dtype: np.dtype) -> Tensor:
    """A tensor of zeros over memory that just holds it."""
    shape = checked_size(size)
    if len(size) != len(stride):
        raise ScriptError(
            "RuntimeError",
            f"dimensionality of sizes ({len(size)}) must match dimensionality of strides "
            f"({len(stride)})",
        )
    if any(step < 0 for step in stride):
        raise ScriptError(
            "RuntimeError",
            "Storage size calculation overflowed: strides must not be negative, as in "
            f"{list(stride)}",
        )
    if 0 in shape:
        return Tensor(np.empty(shape, dtype))
    count = 1 + sum((extent - 1) * step for extent, step in zip(shape, stride))
    strides = tuple(step * dtype.itemsize for step in stride)
    return Tensor(np.ndarray(shape, dtype, np.zeros(count, dtype), 0, strides))


@operator(f"aten::empty_strided(SymInt[] size, SymInt[] stride, *, {OPTIONS}) -> Tensor")
def empty_strided(size, stride, dtype=None, layout=None, device=None, pin_memory=None) -> Tensor:
    check_device(device)
    return _strided(size, stride, numpy_dtype(dtype))


@operator(
    f"aten::new_empty_strided(Tensor self, SymInt[] size, SymInt[] stride, *, {OPTIONS}) -> Tensor"
)
def new_empty_strided(
    self: Tensor, size, stride, dtype=None, layout=None, device=None, pin_memory=None
) -> Tensor:
    check_device(device)
    return _strided(size, stride, numpy_dtype(dtype, self.array.dtype))


@operator(f"aten::empty_permuted(SymInt[] size, int[] physical_layout, *, {OPTIONS}) -> Tensor")
def empty_permuted(
    size, physical_layout, dtype=None, layout=None, device=None, pin_memory=None
) -> Tensor:
    """Contiguous in memory when its dimensions are taken in the order `physical_layout`."""
    check_device(device)
    _check_layout(size, physical_layout)
    steps = contiguous_strides([size[dim] for dim in physical_layout])
    stride = [0] * len(size)
    for dim, step in zip(physical_layout, steps):
        stride[dim] = step
    return _strided(size, stride, numpy_dtype(dtype))


def _check_layout(size: Sequence[int], physical_layout: Sequence[int]) -> None:
    if len(size) != len(physical_layout):
        raise ScriptError(
            "RuntimeError",
            "Number of dimensions in size does not match the length of the "
            f"physical_layout: {len(size)} and {len(physical_layout)}",
        )
    for position, dim in enumerate(physical_layout):
        if not 0 <= dim < len(size):
            raise ScriptError(
                "RuntimeError",
                f"Dimension out of range: physical_layout names {dim} at index "
                f"{position}, and size has the dimensions 0 to {len(size) - 1}",
            )
    if len(set(physical_layout)) != len(physical_layout):
        raise ScriptError("RuntimeError", "Duplicate dim not allowed")


out_forms(FACTORY, "empty_permuted empty_strided new_empty_strided")
