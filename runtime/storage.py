"""The memory behind a tensor: views with given strides, never outside of it."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from runtime.errors import ScriptError


def storage_of(a: np.ndarray) -> np.ndarray:
    """The array that owns (or first wrapped) the memory `a` looks into."""
    while True:
        base = a.base
        if isinstance(base, np.ndarray):
            a = base
        elif isinstance(getattr(base, "base", None), np.ndarray):
            a = base.base
        else:
            return a


def _address(a: np.ndarray) -> int:
    return a.__array_interface__["data"][0]


def storage_offset(a: np.ndarray) -> int:
    """Where `a` begins in its storage, in elements of its dtype."""
    storage = storage_of(a)
    if storage is a:
        return 0
    return (_address(a) - np.lib.array_utils.byte_bounds(storage)[0]) // a.itemsize


def element_strides(a: np.ndarray) -> tuple[int, ...]:
    return tuple(stride // a.itemsize for stride in a.strides)


def contiguous_strides(shape: Sequence[int], itemsize: int = 1) -> tuple[int, ...]:
    """Row-major strides."""
    strides = []
    step = itemsize
    for extent in reversed(shape):
        strides.append(step)
        step *= max(extent, 1)
    return tuple(reversed(strides))


def inner_view(
    a: np.ndarray, shape: tuple[int, ...], strides: tuple[int, ...], offset: int = 0
) -> np.ndarray:
    """A view of elements of `a` alone, from `offset` bytes after its first one."""
    if a.flags.c_contiguous:
        return np.ndarray(shape, a.dtype, a, offset, strides)
    return byte_strided(a, shape, strides, offset)


def byte_strided(
    a: np.ndarray, shape: tuple[int, ...], strides: tuple[int, ...], offset: int = 0
) -> np.ndarray:
    """A view that begins `offset` bytes after `a`; NumPy refuses one outside of its storage."""
    storage = storage_of(a)
    if not storage.flags.c_contiguous:
        return _of_sparse_storage(a, storage, shape, strides, offset)
    if storage is not a:
        offset += _address(a) - _address(storage)
    return np.ndarray(shape, a.dtype, storage, offset, strides)


def _of_sparse_storage(
    a: np.ndarray,
    storage: np.ndarray,
    shape: tuple[int, ...],
    strides: tuple[int, ...],
    offset: int,
) -> np.ndarray:
    """As `byte_strided`, over an array of the caller that has gaps."""
    low, high = np.lib.array_utils.byte_bounds(storage)
    start = _address(a) + offset
    reach = sum((extent - 1) * stride for extent, stride in zip(shape, strides))
    if 0 not in shape and not (low <= start and start + reach + a.itemsize <= high):
        raise ValueError("view outside of its storage")
    first = a
    if offset:
        flat = np.lib.stride_tricks.as_strided(a, (offset // a.itemsize + 1,), (a.itemsize,))
        first = flat[offset // a.itemsize :]
    return np.lib.stride_tricks.as_strided(first, shape, strides)


def strided_view(
    a: np.ndarray, size: Sequence[int], stride: Sequence[int], offset: int | None
) -> np.ndarray:
    """``as_strided``: strides and the offset into the storage are counted in elements."""
    if len(size) != len(stride):
        raise ScriptError("RuntimeError", "mismatch in length of strides and shape")
    if any(step < 0 for step in stride):
        raise ScriptError(
            "RuntimeError",
            "as_strided: Negative strides are not supported at the moment, "
            f"got strides: {list(stride)}",
        )
    if any(extent < 0 for extent in size):
        message = f"Trying to create tensor with negative dimension: {list(size)}"
        raise ScriptError("RuntimeError", message)
    if offset is not None and offset < 0:
        raise ScriptError("RuntimeError", f"Tensor: invalid storage offset {offset}")
    start = storage_offset(a) if offset is None else offset
    _check_bounds(a, size, stride, start)
    storage = storage_of(a)
    itemsize = a.itemsize
    byte_strides = tuple(step * itemsize for step in stride)
    if 0 in size:
        return np.ndarray(tuple(size), a.dtype)
    shift = start * itemsize - (_address(a) - _address(storage))
    return byte_strided(a, tuple(size), byte_strides, shift)


def _check_bounds(a: np.ndarray, size: Sequence[int], stride: Sequence[int], offset: int) -> None:
    if 0 in size:
        return
    low, high = np.lib.array_utils.byte_bounds(storage_of(a))
    reach = sum((extent - 1) * step for extent, step in zip(size, stride))
    needed = (offset + reach + 1) * a.itemsize
    if needed > high - low:
        raise ScriptError(
            "RuntimeError",
            f"setStorage: sizes {list(size)}, strides {list(stride)}, storage offset {offset}, "
            f"and itemsize {a.itemsize} requiring a storage size of {needed} are out of bounds "
            f"for storage of size {high - low}",
        )


def resized(a: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    """`shape` over the memory that `a` begins in; memory that is too small is copied to a larger one."""
    storage = storage_of(a)
    if not storage.flags.c_contiguous:
        storage = a = np.ascontiguousarray(a)
    offset = _address(a) - _address(storage)
    needed = offset + math.prod(shape) * a.itemsize
    if needed > storage.nbytes:
        grown = np.zeros(needed, np.uint8)
        grown[: storage.nbytes] = storage.reshape(-1).view(np.uint8)
        storage = grown
    return np.ndarray(shape, a.dtype, storage, offset)
