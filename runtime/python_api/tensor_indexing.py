"""Indexing from Python: ``x[0]``, ``x[1:, None]``, ``x[..., mask]``, and assignment to it."""

from __future__ import annotations

from typing import Any

import numpy as np

from tsc.runtime.arrays.dtypes import BOOL, DTYPE_OF_NUMPY
from tsc.runtime.context import trace_state
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.operators.creation.tensors_of_numbers import tensor_of_list, tensor_of_number
from tsc.runtime.operators.layout.shape import unsqueeze
from tsc.runtime.operators.layout.tensor_conversion import copy_into
from tsc.runtime.operators.selecting.indexing import index, index_put_, select, slice_
from tsc.runtime.values.tensor import Tensor


def get_item(tensor: Tensor, key: Any) -> Tensor:
    """``tensor[key]``: a view where the key has only integers, slices, None and Ellipsis."""
    if trace_state.running and (recorder := trace_state.current()) is not None:
        return recorder.hear("__getitem__", tensor, key)
    view, positions = _viewed(tensor, key)
    return index(view, positions) if positions else view


def set_item(tensor: Tensor, key: Any, value: Any) -> None:
    """``tensor[key] = value``; the value takes the dtype of the tensor."""
    if trace_state.running and (recorder := trace_state.current()) is not None:
        recorder.hear("__setitem__", tensor, key, value)
        return
    view, positions = _viewed(tensor, key)
    source = value if isinstance(value, Tensor) else _tensor_like(value, tensor)
    if not positions:
        copy_into(view.array, _without_leading_ones(source.array, view.array.ndim))
        return
    dtype = tensor.array.dtype
    index_put_(view, positions, Tensor(source.array.astype(dtype, copy=False)))


def _without_leading_ones(a: np.ndarray, ndim: int) -> np.ndarray:
    """`a` without dimensions of one element in front of the last `ndim`, which Python's assignments allow."""
    extra = a.ndim - ndim
    return a.reshape(a.shape[extra:]) if extra > 0 and set(a.shape[:extra]) == {1} else a


def _tensor_like(value: Any, tensor: Tensor) -> Tensor:
    if isinstance(value, np.ndarray):
        return Tensor(value)
    code = DTYPE_OF_NUMPY[tensor.array.dtype].code
    if isinstance(value, (list, tuple)):
        return tensor_of_list(list(value), code)
    return tensor_of_number(value, code)


def _viewed(tensor: Tensor, key: Any) -> tuple[Tensor, list[Tensor | None]]:
    """The basic part of the key as a view, and the positions left for ``aten::index``."""
    parts = key if isinstance(key, tuple) else (key,)
    view, dimension = Tensor(tensor.array), 0
    positions: list[Tensor | None] = []
    for part in _without_ellipsis(parts, tensor.array.ndim):
        if part is None:
            view = unsqueeze(view, dimension)
        elif isinstance(part, slice):
            view = _sliced(view, dimension, part)
        elif isinstance(part, (int, np.integer)) and not isinstance(part, bool):
            view = _selected(view, dimension, int(part))
            continue
        else:
            mask = _position(part)
            if mask.array.dtype is BOOL and mask.array.ndim == 0:
                view = unsqueeze(view, dimension)
                mask = Tensor(mask.array.reshape(1))
            positions += [None] * (dimension - len(positions)) + [mask]
            dimension += max(mask.array.ndim, 1) if mask.array.dtype is BOOL else 1
            continue
        dimension += 1
    return view, positions


def _selected(view: Tensor, dimension: int, part: int) -> Tensor:
    if dimension >= view.array.ndim:
        raise ScriptError("IndexError", "too many indices for tensor")
    extent = view.array.shape[dimension]
    if not -extent <= part < extent:
        message = f"index {part} is out of bounds for dimension {dimension} with size {extent}"
        raise ScriptError("IndexError", message)
    return select(view, dimension, part)


def _sliced(view: Tensor, dimension: int, part: slice) -> Tensor:
    bounds = [None if bound is None else int(bound) for bound in (part.start, part.stop)]
    step = 1 if part.step is None else int(part.step)
    if step <= 0:
        raise ScriptError("ValueError", "step must be greater than zero")
    return slice_(view, dimension, bounds[0], bounds[1], step)


def _position(part: Any) -> Tensor:
    if isinstance(part, Tensor):
        return part
    return Tensor(np.asarray(part))


def _without_ellipsis(parts: tuple[Any, ...], ndim: int) -> list[Any]:
    """The key with its Ellipsis spelled out as full slices."""
    consumed = sum(_consumed(part) for part in parts if part is not Ellipsis)
    if consumed > ndim:
        message = f"too many indices for tensor of dimension {ndim}"
        raise ScriptError("IndexError", message)
    whole = []
    for part in parts:
        whole += [slice(None)] * (ndim - consumed) if part is Ellipsis else [part]
    return whole


def _consumed(part: Any) -> int:
    """How many dimensions of the tensor a part of the key speaks of."""
    if part is None or isinstance(part, bool):
        return 0
    if isinstance(part, (Tensor, np.ndarray, list)):
        a = part.array if isinstance(part, Tensor) else np.asarray(part)
        return a.ndim if a.dtype == BOOL else 1
    return 1
