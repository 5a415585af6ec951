"""Making tensors from Python: what the facade offers as ``tsc.tensor``, ``tsc.from_numpy``, …"""

from __future__ import annotations

from typing import Any

import numpy as np

from tsc.compiler.types import Device
from tsc.runtime.arrays.dtypes import (
    CATEGORY,
    DTYPE_OF_CLASS,
    DTYPE_OF_NUMPY,
    FLOATING,
    INTEGRAL,
    DType,
    with_known_dtype,
)
from tsc.runtime.arrays.type_promotion import converted
from tsc.runtime.autograd.inference import made_here
from tsc.runtime.context import trace_state
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.operators.creation.tensors_of_numbers import tensor_of_list, tensor_of_number
from tsc.runtime.python_api import eager
from tsc.runtime.values.tensor import Tensor


def tensor(data: Any, dtype: DType | type | None = None, requires_grad: bool = False) -> Tensor:
    """A new tensor of a number, nested lists, an array or another tensor; the data is copied.

    Raises:
        ScriptError: ragged lists, data that is not numbers, or a dtype that is none of this module's.
    """
    if isinstance(dtype, type):
        dtype = DTYPE_OF_CLASS.get(dtype, dtype)
    if dtype is not None and not isinstance(dtype, DType):
        raise ScriptError("TypeError", f"dtype is one of tsc, such as tsc.float32, not {dtype!r}")
    if trace_state.running and (recorder := trace_state.current()) is not None:
        return recorder.hear("tensor", data, run=lambda: tensor(data, dtype, requires_grad))
    if isinstance(data, (np.ndarray, np.generic, Tensor)):
        return _copied(data, dtype, requires_grad)
    code = None if dtype is None else dtype.code
    lists = _as_lists(data)
    try:
        with np.errstate(invalid="ignore"):  # what a dtype does not hold is refused below
            if isinstance(lists, list):
                result = tensor_of_list(lists, code, requires_grad)
            else:
                result = tensor_of_number(lists, code, requires_grad)
    except OverflowError:
        raise ScriptError("RuntimeError", "Overflow when unpacking long long") from None
    if dtype is not None:
        _check_fits(lists, dtype.numpy)
    return made_here(result)


def as_tensor(data: Any, dtype: DType | None = None, device: Any = None) -> Tensor:
    """A tensor itself, an array's memory, or else a new tensor of the data, as by `tensor`.

    Raises:
        ScriptError: what `tensor` and `from_numpy` raise, or a device that is not there.
    """
    if isinstance(data, np.ndarray):
        data = from_numpy(data)
    elif not isinstance(data, Tensor):
        data = tensor(data, dtype)
    return eager.call("as_tensor", data, dtype=dtype, device=device)


def _check_fits(lists: Any, dtype: np.dtype) -> None:
    """ScriptError for numbers that `dtype` does not hold; unsigned ones take negative numbers, and wrap them."""
    numbers = np.asarray(lists)
    if numbers.dtype.kind == "c" and CATEGORY[dtype] in (INTEGRAL, FLOATING):
        kind = "an integer" if CATEGORY[dtype] == INTEGRAL else "a real number"
        raise ScriptError("TypeError", f"'complex' object cannot be interpreted as {kind}")
    if CATEGORY[dtype] != INTEGRAL or numbers.dtype.kind not in "iuf":
        return
    most = np.iinfo(dtype).max
    least = np.iinfo(dtype).min if dtype.kind == "i" else -most
    if not ((numbers >= least) & (numbers <= most)).all():
        message = f"value cannot be converted to type {dtype.name} without overflow"
        raise ScriptError("RuntimeError", message)


def _copied(data: Any, dtype: DType | None, requires_grad: bool) -> Tensor:
    array = np.array(data.array if isinstance(data, Tensor) else data)
    _check_dtype(array)
    result = Tensor(array if dtype is None else converted(array, dtype.numpy))
    result.requires_grad = requires_grad
    return made_here(result)


def _as_lists(data: Any) -> Any:
    if isinstance(data, (list, tuple)):
        return [_as_lists(element) for element in data]
    return data.item() if isinstance(data, (np.generic, Tensor)) else data


def from_numpy(array: np.ndarray) -> Tensor:
    """A tensor that shares the memory of `array`.

    Raises:
        ScriptError: no array, a dtype PyTorch does not know, or negative strides.
    """
    if trace_state.running and (recorder := trace_state.current()) is not None:
        return recorder.hear("from_numpy", array, run=lambda: from_numpy(array))
    if not isinstance(array, (np.ndarray, np.generic)):
        raise ScriptError("TypeError", f"expected np.ndarray (got {type(array).__name__})")
    _check_dtype(array)
    if any(stride < 0 for stride in array.strides):
        raise ScriptError(
            "ValueError",
            "At least one stride in the given numpy array is negative, and tensors with negative "
            "strides are not supported. Make a copy with array.copy().",
        )
    return made_here(Tensor(with_known_dtype(np.asarray(array))))


def _check_dtype(array: np.ndarray) -> None:
    if array.dtype not in DTYPE_OF_NUMPY:
        known = ", ".join(sorted(dtype.name for dtype in DTYPE_OF_NUMPY.values()))
        message = f"can't convert a numpy array of type {array.dtype}; supported are {known}"
        raise ScriptError("TypeError", message)


def device(name: str | Device, index: int | None = None) -> Device:
    """``device("cpu")``, ``device("cuda:1")`` or ``device("cuda", 1)``.

    Raises:
        ScriptError: a name that is no device.
    """
    if isinstance(name, Device) and index is None:
        return name
    if not isinstance(name, str):
        raise ScriptError("TypeError", f"a device has a name, not a {type(name).__name__}")
    try:
        return Device.parse(name if index is None else f"{name}:{index}")
    except ValueError as error:
        raise ScriptError("RuntimeError", str(error)) from None
