"""Indexing from Python: ``x[0]``, ``x[1:, None]``, ``x[..., mask]``, and assignment to it."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from tsc.compiler.schema import Operator
from tsc.runtime.arrays.dtypes import BOOL, DTYPE_OF_NUMPY
from tsc.runtime.autograd.recording import eager_kernel
from tsc.runtime.context import trace_state
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.context.gradient_state import leaves
from tsc.runtime.operators import load
from tsc.runtime.operators.creation.tensors_of_numbers import tensor_of_list, tensor_of_number
from tsc.runtime.values.tensor import Tensor


def _noted(qualified_name: str) -> Callable[..., Tensor]:
    """The operator of that name; it is recorded where something requires a gradient."""

    def run(*values: Any) -> Any:
        operator = _operator(qualified_name)
        kernel: Any = eager_kernel(operator) if leaves else operator.kernel
        rest = operator.schema.arguments[len(values) :]
        return kernel(*values, *(argument.default for argument in rest))

    return run


@functools.cache
def _operator(qualified_name: str) -> Operator:
    name, _, overload = qualified_name.partition(".")
    found = load().find(f"aten::{name}", overload)
    assert found is not None
    return found


_alias = _noted("alias")
_copy = _noted("copy_")
_index = _noted("index.Tensor")
_index_put = _noted("index_put_")
_reshape = _noted("reshape")
_select = _noted("select.int")
_slice = _noted("slice.Tensor")
_to = _noted("to.dtype")
_unsqueeze = _noted("unsqueeze")


def get_item(tensor: Tensor, key: Any) -> Tensor:
    """``tensor[key]``: a view where the key has only integers, slices, None and Ellipsis."""
    if trace_state.running and (recorder := trace_state.current()) is not None:
        return recorder.hear("__getitem__", tensor, key)
    view, positions = _viewed(tensor, key)
    if positions:
        return _index(view, positions)
    return _alias(tensor) if view is tensor else view


def set_item(tensor: Tensor, key: Any, value: Any) -> None:
    """``tensor[key] = value``; the value takes the dtype of the tensor."""
    if trace_state.running and (recorder := trace_state.current()) is not None:
        recorder.hear("__setitem__", tensor, key, value)
        return
    view, positions = _viewed(tensor, key)
    source = value if isinstance(value, Tensor) else _tensor_like(value, tensor)
    if not positions:
        _copy(view, _without_leading_ones(source, view.array.ndim))
        return
    dtype = DTYPE_OF_NUMPY[tensor.array.dtype]
    same = source if source.array.dtype is dtype.numpy else _to(source, dtype.code)
    _index_put(view, positions, same)


def _without_leading_ones(a: Tensor, ndim: int) -> Tensor:
    """`a` without dimensions of one element in front of the last `ndim`, which Python's assignments allow."""
    shape = a.array.shape
    extra = len(shape) - ndim
    return _reshape(a, list(shape[extra:])) if extra > 0 and set(shape[:extra]) == {1} else a


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
    view, dimension = tensor, 0
    positions: list[Tensor | None] = []
    for part in _without_ellipsis(parts, tensor.array.ndim):
        if part is None:
            view = _unsqueeze(view, dimension)
        elif isinstance(part, slice):
            view = _sliced(view, dimension, part)
        elif isinstance(part, (int, np.integer)) and not isinstance(part, bool):
            view = _selected(view, dimension, int(part))
            continue
        else:
            mask = _position(part)
            if mask.array.dtype is BOOL and mask.array.ndim == 0:
                view = _unsqueeze(view, dimension)
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
    return _select(view, dimension, part)


def _sliced(view: Tensor, dimension: int, part: slice) -> Tensor:
    bounds = [None if bound is None else int(bound) for bound in (part.start, part.stop)]
    step = 1 if part.step is None else int(part.step)
    if step <= 0:
        raise ScriptError("ValueError", "step must be greater than zero")
    return _slice(view, dimension, bounds[0], bounds[1], step)


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
