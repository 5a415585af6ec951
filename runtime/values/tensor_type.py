"""The type of a tensor that exists: dtype, sizes, strides, device, and whether it requires a gradient."""

from __future__ import annotations

from tsc.compiler.types import TensorType
from tsc.runtime.arrays.array import Array
from tsc.runtime.arrays.dtypes import DTYPE_OF_NUMPY
from tsc.runtime.values.tensor import Tensor


def tensor_type(tensor: Tensor) -> TensorType:
    """What graphs say of a tensor that is known."""
    array = tensor.array
    return TensorType(
        dtype=DTYPE_OF_NUMPY[array.dtype].scalar_name,
        sizes=array.shape,
        strides=_strides(array),
        device="cpu",
        requires_grad=tensor.requires_grad,
    )


def _strides(array: Array) -> tuple[int, ...]:
    """In elements. NumPy gives a new dimension of one element no stride: PyTorch that of what it goes over."""
    strides = [step // array.itemsize for step in array.strides]
    step = 1
    for place in reversed(range(array.ndim)):
        extent = array.shape[place]
        if array.size == 0 or (extent == 1 and strides[place] == 0):
            strides[place] = step
        step = strides[place] * max(extent, 1)
    return tuple(strides)
