"""The type of a tensor that exists: dtype, sizes, strides, device, and whether it requires a gradient."""

from __future__ import annotations

from tsc.compiler.types import TensorType
from tsc.runtime.arrays.dtypes import DTYPE_OF_NUMPY
from tsc.runtime.arrays.storage import element_strides
from tsc.runtime.values.tensor import Tensor


def tensor_type(tensor: Tensor) -> TensorType:
    """What graphs say of a tensor that is known."""
    array = tensor.array
    return TensorType(
        dtype=DTYPE_OF_NUMPY[array.dtype].scalar_name,
        sizes=array.shape,
        strides=element_strides(array),
        device="cpu",
        requires_grad=tensor.requires_grad,
    )
