"""PyTorch's tensors as tensors of this runtime, which share their memory."""

from __future__ import annotations

import sys
from typing import Any
from weakref import WeakValueDictionary

import numpy as np

from tsc.compiler.types import Device
from tsc.runtime.arrays.dtypes import DTYPE_OF_NAME, DTYPE_OF_NUMPY, bfloat16
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.values.tensor import Tensor

_SHARED: WeakValueDictionary[int, Tensor] = WeakValueDictionary()
"""By the identity of PyTorch's tensor: a tensor that two modules hold stays one."""


def is_torch_tensor(value: Any) -> bool:
    """Whether a value is a tensor of PyTorch, which the user has imported if there is one."""
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(value, getattr(torch, "Tensor", ()))


def own_value(value: Any) -> Any:
    """PyTorch's tensor, dtype or device as one of tsc's; other values as they are."""
    if is_torch_tensor(value):
        return shared_tensor(value)
    name = str(value) if type(value).__name__ in ("dtype", "device") else ""
    if type(value).__name__ == "device":
        return Device.parse(name)
    return DTYPE_OF_NAME.get(name.removeprefix("torch."), value)


def shared_tensor(value: Any) -> Tensor:
    """The tensor that shares the memory of one of PyTorch's, always the same one for the same."""
    array = _array_of(value)
    known = _SHARED.get(id(value))
    if known is not None and known.array.__array_interface__ == array.__array_interface__:
        if known.requires_grad != bool(value.requires_grad):
            known.requires_grad = bool(value.requires_grad)
        return known
    made = _SHARED[id(value)] = Tensor(array)
    made.requires_grad = bool(value.requires_grad)
    return made


def _array_of(value: Any) -> np.ndarray:
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
