"""Tensors that are made to look into the memory of others, or into none."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tsc.runtime.arrays.storage import (
    contiguous_strides,
    element_strides,
    storage_offset,
    view_over,
)
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.operators.out_variants import SAME, out_forms
from tsc.runtime.operators.registration import operator
from tsc.runtime.values.tensor import Tensor


@operator("aten::set_(Tensor(a!) self) -> Tensor(a!)")
def set_empty_(self: Tensor) -> Tensor:
    self.array = np.empty(0, self.array.dtype)
    return self


@operator("aten::set_.source_Tensor(Tensor(a!) self, Tensor source) -> Tensor(a!)")
def set_(self: Tensor, source: Tensor) -> Tensor:
    """`self` becomes a view of all that `source` is a view of, under its own dtype."""
    a = source.array
    if self.dtype is source.dtype:
        self.array = a.view()
    else:
        start = _offset_of(source)
        self.array = view_over(a, self.array.dtype, a.shape, element_strides(a), start)
    return self


@operator(
    "aten::set_.source_Tensor_storage_offset(Tensor(a!) self, Tensor source,"
    " SymInt storage_offset, SymInt[] size, SymInt[] stride=[]) -> Tensor(a!)"
)
def set_view_(
    self: Tensor,
    source: Tensor,
    storage_offset: int,
    size: Sequence[int],
    stride: Sequence[int] = (),
) -> Tensor:
    """The memory of `source` under the dtype of `self`, from where `source` begins."""
    if not source.array.flags.c_contiguous:
        message = "the tensor to be used as storage must be contiguous: give its contiguous()"
        raise ScriptError("RuntimeError", message)
    start = storage_offset + _offset_of(source)
    steps = stride or contiguous_strides(size)
    self.array = view_over(source.array, self.array.dtype, size, steps, start)
    return self


def _offset_of(source: Tensor) -> int:
    return storage_offset(source.array)


@operator("aten::set(Tensor self) -> Tensor")
def set_empty(self: Tensor) -> Tensor:
    return set_empty_(Tensor(self.array))


@operator("aten::set.source_Tensor(Tensor self, Tensor source) -> Tensor")
def set_to(self: Tensor, source: Tensor) -> Tensor:
    return set_(Tensor(self.array), source)


out_forms(SAME, "set set.source_Tensor")


@operator("aten::set_data(Tensor(a!) self, Tensor new_data) -> ()")
def set_data(self: Tensor, new_data: Tensor) -> None:
    """`self` takes the memory, shape and dtype of `new_data`."""
    self.array = new_data.array.view()
