"""How the elements of a result lie in memory, which decides what ``view`` accepts and what ``reshape`` copies.

NumPy and PyTorch agree on most results. They differ where operands lie differently, and where dimensions are
expanded or of one element: PyTorch lets the first operand decide that can.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

import numpy as np

from tsc.runtime.arrays.storage import with_strides_if_empty

Strides = tuple[int, ...]


def laid_out(result: np.ndarray, *operands: np.ndarray) -> np.ndarray:
    """The result of an element-wise function, copied if PyTorch has it in another order."""
    if result.ndim < 2:
        return result
    strides = _dense_strides(
        result.shape, tuple([(operand.shape, operand.strides) for operand in operands])
    )
    return with_strides(result, strides)


def with_strides(result: np.ndarray, strides: Strides) -> np.ndarray:
    """The same elements with these strides, counted in elements; those of dimensions of one do not matter."""
    size = result.itemsize
    for extent, stride, wanted in zip(result.shape, result.strides, strides, strict=True):
        if extent != 1 and stride != wanted * size:
            return _copied(result, strides)
    return result


def _copied(result: np.ndarray, strides: Strides) -> np.ndarray:
    copy = _arranged(result.shape, strides, lambda shape: np.empty(shape, result.dtype))
    copy[...] = result
    return copy


def made_like(a: np.ndarray, make: Callable[[tuple[int, ...]], np.ndarray]) -> np.ndarray:
    """A new array of the shape of `a`, in the order of its elements if those lie close together."""
    if a.ndim < 2 or a.flags.c_contiguous:
        return make(a.shape)
    return _arranged(a.shape, _dense_strides(a.shape, ((a.shape, a.strides),)), make)


def _arranged(
    shape: tuple[int, ...], strides: Strides, make: Callable[[tuple[int, ...]], np.ndarray]
) -> np.ndarray:
    """A new array whose dimensions go from the largest of these strides to the smallest in memory."""
    order = sorted(range(len(shape)), key=lambda axis: (-strides[axis], axis))
    made = make(tuple([shape[axis] for axis in order]))
    return with_strides_if_empty(made).transpose(np.argsort(order))


def contiguous(result: np.ndarray) -> np.ndarray:
    """The result in row-major order."""
    return result if result.flags.c_contiguous else np.ascontiguousarray(result)


def column_major(result: np.ndarray) -> np.ndarray:
    """The result with its matrices in column-major order, as LAPACK leaves them."""
    if result.size == 0:
        result = np.empty(result.shape, result.dtype)  # whose strides are those of its transpose
    transposed = contiguous(result.swapaxes(-1, -2))
    return with_strides_if_empty(transposed).swapaxes(-1, -2)


def channels_last(result: np.ndarray) -> np.ndarray:
    """The result with the second dimension innermost."""
    return np.moveaxis(with_strides_if_empty(contiguous(np.moveaxis(result, 1, -1))), -1, 1)


def is_channels_last(a: np.ndarray) -> bool:
    """Whether images, or a slice of them, have their channels innermost."""
    return a.ndim in (4, 5) and _is_channels_last(a.shape, a.strides)


def are_channels_last_sequences(a: np.ndarray) -> bool:
    """Whether sequences, taken for images of one row, have their channels innermost."""
    if a.ndim != 3:
        return False
    (count, channels, length), (outer, inner, step) = a.shape, a.strides
    return _is_channels_last((count, channels, 1, length), (outer, inner, length * step, step))


def _is_channels_last(shape: tuple[int, ...], strides: Strides) -> bool:
    least = 0
    if strides[1] == 0:
        return False
    for axis in (1, *range(len(shape) - 1, 1, -1), 0):
        stride, extent = strides[axis], shape[axis]
        if extent == 0 or stride < least:
            return False
        if axis == 0 and least == strides[1]:  # one channel and one pixel: it may be either
            return False
        least = stride * max(extent, 1)
    return True


@lru_cache(maxsize=4096)
def _dense_strides(
    shape: tuple[int, ...], operands: tuple[tuple[tuple[int, ...], Strides], ...]
) -> Strides:
    """The strides in elements of a new tensor that operands of these shapes and strides make."""
    strides, count = [0] * len(shape), 1
    for axis in order_of_dimensions(shape, operands):
        strides[axis] = count
        count *= max(shape[axis], 1)
    return tuple(strides)


def order_of_dimensions(
    shape: tuple[int, ...], operands: Sequence[tuple[tuple[int, ...], Strides]]
) -> list[int]:
    """The dimensions of such a tensor from the innermost one: sorted by insertion, as some cannot be compared.

    That is how PyTorch's ``TensorIterator`` has them (2.13).
    """
    spread = [_broadcast(shape, *operand) for operand in operands]
    axes = list(range(len(shape) - 1, -1, -1))
    for start in range(1, len(axes)):
        moved = start
        for before in range(start - 1, -1, -1):
            comparison = _compared(shape, spread, axes[before], axes[moved])
            if comparison > 0:
                axes[before], axes[moved] = axes[moved], axes[before]
                moved = before
            elif comparison < 0:
                break
    return axes


def _broadcast(shape: tuple[int, ...], extents: tuple[int, ...], strides: Strides) -> list[int]:
    """The strides of an operand in the dimensions of the result, 0 where it is repeated."""
    missing = len(shape) - len(extents)
    own = [
        0 if extent == 1 != whole else stride
        for extent, stride, whole in zip(extents, strides, shape[missing:], strict=True)
    ]
    return [0] * missing + own


def _compared(shape: tuple[int, ...], operands: list[list[int]], inner: int, outer: int) -> int:
    """1 if two dimensions are to change places, -1 if they are in order, 0 if no operand tells."""
    for strides in operands:
        first, second = strides[inner], strides[outer]
        if first == 0 or second == 0:
            continue
        if first != second:
            return 1 if first > second else -1
        if shape[inner] > shape[outer]:
            return 1
    return 0
