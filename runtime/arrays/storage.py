"""The memory behind a tensor: views with given strides, never outside of it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import numpy as np

from tsc.runtime.context.errors import ScriptError

_FULL: Final = slice(None)


def storage_of(a: np.ndarray) -> np.ndarray:
    """The array that owns (or first wrapped) the memory `a` looks into."""
    while True:
        base = a.base
        if not isinstance(base, np.ndarray):
            base: np.ndarray | None = getattr(base, "base", None)  # of a memoryview, and the like
            if not isinstance(base, np.ndarray):
                return a
        a = base


def _address(a: np.ndarray) -> int:
    return a.__array_interface__["data"][0]


def storage_offset(a: np.ndarray) -> int:
    """Where `a` begins in its storage, in elements of its dtype."""
    storage = storage_of(a)
    if storage is a:
        return 0
    return (_address(a) - np.lib.array_utils.byte_bounds(storage)[0]) // a.itemsize


def element_strides(a: np.ndarray) -> tuple[int, ...]:
    """Strides in elements, also of dimensions of which NumPy keeps none: new ones of one element, and empty arrays."""
    strides = _without_gaps(a) if 0 in a.strides else a.strides
    return tuple(stride // a.itemsize for stride in strides)


def _without_gaps(a: np.ndarray) -> Sequence[int]:
    """A new dimension has the stride of what it goes over, an empty array that of one in row-major order."""
    if a.size == 0 and not any(a.strides):
        return contiguous_strides(a.shape, a.itemsize)
    strides, step = list(a.strides), a.itemsize
    for place in range(a.ndim - 1, -1, -1):
        if a.shape[place] == 1 and strides[place] == 0:
            strides[place] = step
        step = strides[place] * a.shape[place]
    return strides


def with_strides_if_empty(a: np.ndarray) -> np.ndarray:
    """An empty array that has strides, which views of it rearrange; any other as it is."""
    if a.size or any(a.strides):
        return a
    return np.ndarray(a.shape, a.dtype, _NOTHING, 0, contiguous_strides(a.shape, a.itemsize))


_NOTHING = np.empty(0, np.uint8)


def contiguous_strides(shape: Sequence[int], itemsize: int = 1) -> tuple[int, ...]:
    """Row-major strides."""
    strides: list[int] = []
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


def sliced(a: np.ndarray, axis: int, part: slice) -> np.ndarray:
    """A part of `a` along an axis. An empty one, too, begins where the slice does, and has its strides."""
    view = a[part] if axis == 0 else a[(*(_FULL,) * axis, part)]
    if view.size:
        return view
    a = with_strides_if_empty(a)
    begin, _, step = part.indices(a.shape[axis])
    strides = (*a.strides[:axis], a.strides[axis] * step, *a.strides[axis + 1 :])
    offset = begin * a.strides[axis] if a.size else 0
    return byte_strided(a, view.shape, strides, offset)


def byte_strided(
    a: np.ndarray, shape: tuple[int, ...], strides: tuple[int, ...], offset: int = 0
) -> np.ndarray:
    """A view that begins `offset` bytes after `a`; ValueError for one outside of its storage."""
    storage = storage_of(a)
    return _view_of_storage(storage, a.dtype, shape, strides, offset + _address(a))


def _view_of_storage(
    storage: np.ndarray,
    dtype: np.dtype,
    shape: tuple[int, ...],
    strides: tuple[int, ...],
    address: int,
) -> np.ndarray:
    """A view of any dtype that begins at an address; an empty one may begin anywhere."""
    if storage.flags.c_contiguous and 0 not in shape:
        return np.ndarray(shape, dtype, storage, address - _address(storage), strides)
    low, high = np.lib.array_utils.byte_bounds(storage)
    reach = sum((extent - 1) * stride for extent, stride in zip(shape, strides))
    if 0 not in shape and not (low <= address and address + reach + dtype.itemsize <= high):
        raise ValueError("view outside of its storage")
    return np.asarray(_Memory(storage, address, shape, strides, dtype.itemsize)).view(dtype)


class _Memory:
    """Memory within the bounds of an array of the caller that has gaps."""

    def __init__(
        self,
        storage: np.ndarray,
        address: int,
        shape: tuple[int, ...],
        strides: tuple[int, ...],
        itemsize: int,
    ) -> None:
        self.base = storage
        self.__array_interface__ = {
            "version": 3,
            "data": (address, not storage.flags.writeable),
            "shape": shape,
            "strides": strides,
            "typestr": f"|V{itemsize}",
        }


def strided_view(
    a: np.ndarray, size: Sequence[int], stride: Sequence[int], offset: int | None
) -> np.ndarray:
    """``as_strided``: strides and the offset into the storage are counted in elements."""
    if len(size) != len(stride):
        raise _refuse("mismatch in length of strides and shape")
    if any(step < 0 for step in stride):
        raise _refuse(f"as_strided: Negative strides are not supported: {list(stride)}")
    if any(extent < 0 for extent in size):
        raise _refuse(f"Trying to create tensor with negative dimension: {list(size)}")
    if offset is not None and offset < 0:
        raise _refuse(f"Tensor: invalid storage offset {offset}")
    start = storage_offset(a) if offset is None else offset
    needed, held = _needed_bytes(a.dtype, size, stride, start), storage_bytes(a)
    if needed > held:
        raise _refuse(
            f"setStorage: sizes {list(size)}, strides {list(stride)}, storage offset {start}, "
            f"and itemsize {a.itemsize} requiring a storage size of {needed} are out of bounds "
            f"for storage of size {held}"
        )
    return _view_from(a, a.dtype, size, stride, start)


def _refuse(message: str) -> ScriptError:
    return ScriptError("RuntimeError", message)


def storage_bytes(a: np.ndarray) -> int:
    low, high = np.lib.array_utils.byte_bounds(storage_of(a))
    return high - low


def _needed_bytes(dtype: np.dtype, size: Sequence[int], stride: Sequence[int], offset: int) -> int:
    """How large a storage must be for a view."""
    if 0 in size:
        return 0
    reach = sum((extent - 1) * step for extent, step in zip(size, stride))
    return (offset + reach + 1) * dtype.itemsize


def _view_from(
    a: np.ndarray, dtype: np.dtype, size: Sequence[int], stride: Sequence[int], offset: int
) -> np.ndarray:
    """A view of the storage of `a`; `offset` is counted from where the storage begins."""
    if 0 in size:
        return np.ndarray(
            tuple(size), dtype, _NOTHING, 0, [step * dtype.itemsize for step in stride]
        )
    storage = storage_of(a)
    start = np.lib.array_utils.byte_bounds(storage)[0] + offset * dtype.itemsize
    strides = tuple(step * dtype.itemsize for step in stride)
    return _view_of_storage(storage, dtype, tuple(size), strides, start)


def view_over(
    source: np.ndarray, dtype: np.dtype, size: Sequence[int], stride: Sequence[int], offset: int
) -> np.ndarray:
    """``set_``: the memory behind `source` under another dtype; `offset` is counted from its start.

    Raises:
        ScriptError: the storage would have to grow, under all tensors that share it.
    """
    if len(size) != len(stride):
        raise _refuse(f"unequal size length ({len(size)}) and stride length ({len(stride)})")
    if offset < 0:
        raise _refuse(f"Tensor: invalid storage offset {offset}")
    if any(extent < 0 for extent in size):
        raise _refuse("numel: integer multiplication overflow")
    if any(step < 0 for step in stride):
        raise _refuse(
            "Storage size calculation overflowed: strides must not be negative, as in "
            f"{list(stride)}"
        )
    needed, held = _needed_bytes(dtype, size, stride, offset), storage_bytes(source)
    if needed > held:
        raise _refuse(
            f"set_: sizes {list(size)}, strides {list(stride)}, storage offset {offset}, and "
            f"itemsize {dtype.itemsize} require a storage of {needed} bytes, but that of the "
            f"source has {held}, and does not grow; give a source that is large enough"
        )
    return _view_from(source, dtype, size, stride, offset)


def with_its_storage_copied(a: np.ndarray) -> np.ndarray:
    """The same view, of a copy of all of its storage; a plain copy where elements share memory."""
    storage = storage_of(a)
    shares = any(step == 0 and extent > 1 for step, extent in zip(a.strides, a.shape))
    if shares or not storage.flags.c_contiguous:
        return a.copy()
    return np.ndarray(a.shape, a.dtype, storage.copy(), _address(a) - _address(storage), a.strides)


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
