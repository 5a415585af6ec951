"""The memory of PyTorch's tensors as arrays, and arrays as the memory of its tensors."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from tsc.runtime.arrays.dtypes import DTYPE_OF_NUMPY, bfloat16
from tsc.runtime.context.errors import ScriptError


def array_of(value: Any) -> np.ndarray:
    """The memory of a tensor of PyTorch. Raises `ScriptError` for one that has none here."""
    try:
        value = value.detach()
        if str(value.dtype) == "torch.bfloat16":
            return value.view(sys.modules["torch"].int16).numpy().view(bfloat16.numpy)
        array = value.numpy()
    except (TypeError, RuntimeError, ValueError) as error:
        raise ScriptError(
            "TypeError", f"a tensor of PyTorch cannot be used here: {error}"
        ) from None
    if array.dtype not in DTYPE_OF_NUMPY:
        raise ScriptError("TypeError", f"there is no torch dtype for arrays of {array.dtype}")
    return array


def torch_tensor(array: np.ndarray) -> Any:
    """A tensor of PyTorch that shares the memory of an array, unless it runs through it backwards."""
    torch = sys.modules["torch"]
    if any(stride < 0 for stride in array.strides):
        array = array.copy()
    if array.dtype == bfloat16.numpy:
        return torch.from_numpy(array.view(np.int16)).view(torch.bfloat16)
    return torch.from_numpy(array)
