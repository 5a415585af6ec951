"""Dimensions and sizes: wrapping negative ones, broadcasting, and PyTorch's words for failure."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import numpy as np

from tsc.runtime.context.errors import ScriptError


def wrap_dimension(dimension: int, ndim: int) -> int:
    """`dimension` counted from the front; a 0-dim tensor takes 0 and -1."""
    extent = ndim or 1
    if 0 <= dimension < extent:
        return dimension
    if -extent <= dimension < 0:
        return dimension + extent
    raise ScriptError(
        "IndexError",
        f"Dimension out of range (expected to be in range of [{-extent}, {extent - 1}], "
        f"but got {dimension})",
    )


def wrap_dimensions(dimensions: Iterable[int], ndim: int) -> tuple[int, ...]:
    """Several distinct dimensions counted from the front."""
    wrapped = tuple(wrap_dimension(dimension, ndim) for dimension in dimensions)
    for position, dimension in enumerate(wrapped):
        if dimension in wrapped[:position]:
            message = f"dim {dimension} appears multiple times in the list of dims"
            raise ScriptError("RuntimeError", message)
    return wrapped


def reduced_dimensions(dimensions: Sequence[int] | int | None, ndim: int) -> tuple[int, ...] | None:
    """The axes of a reduction, for NumPy: ``None`` or an empty list means all of them."""
    if isinstance(dimensions, int):
        dimensions = (dimensions,)
    elif not dimensions:
        return None
    wrapped = wrap_dimensions(dimensions, ndim)
    return wrapped if ndim else ()


def check_bytes(shape: Sequence[int], itemsize: int) -> None:
    """Raise PyTorch's error for more bytes than can be counted, for which NumPy does not always look."""
    if math.prod(shape) * itemsize >= 1 << 63:
        message = f"Storage size calculation overflowed: shape {list(shape)} needs too many bytes"
        raise ScriptError("RuntimeError", message)


def broadcast_shape(*shapes: Sequence[int]) -> tuple[int, ...]:
    """The shape all `shapes` broadcast to."""
    result: tuple[int, ...] = ()
    for shape in map(tuple, shapes):
        if shape != result:
            result = _broadcast_pair(result, shape) if result else shape
    return result


def _broadcast_pair(a: tuple[int, ...], b: tuple[int, ...]) -> tuple[int, ...]:
    ndim = max(len(a), len(b))
    long_a = (1,) * (ndim - len(a)) + a
    long_b = (1,) * (ndim - len(b)) + b
    for dimension in range(ndim - 1, -1, -1):
        size_a, size_b = long_a[dimension], long_b[dimension]
        if size_a != size_b and size_a != 1 and size_b != 1:
            raise ScriptError(
                "RuntimeError",
                f"The size of tensor a ({size_a}) must match the size of tensor b ({size_b}) "
                f"at non-singleton dimension {dimension}",
            )
    return tuple(y if x == 1 else x for x, y in zip(long_a, long_b))


def check_broadcast(*arrays: np.ndarray) -> None:
    """Raise PyTorch's error if `arrays` do not broadcast together."""
    broadcast_shape(*(array.shape for array in arrays))


def check_writable_as(target: np.ndarray, *operands: np.ndarray) -> None:
    """Raise PyTorch's error if a result of `operands` does not have the shape of `target`."""
    shape = broadcast_shape(target.shape, *(array.shape for array in operands))
    if shape != target.shape:
        raise ScriptError(
            "RuntimeError",
            f"output with shape {list(target.shape)} doesn't match the broadcast shape "
            f"{list(shape)}",
        )


def check_not_expanded(target: np.ndarray) -> None:
    """Raise PyTorch's error if several elements of `target` are one memory location."""
    if 0 not in target.strides or not target.size:
        return
    if any(size > 1 and stride == 0 for size, stride in zip(target.shape, target.strides)):
        raise ScriptError(
            "RuntimeError",
            "unsupported operation: several elements of the written-to tensor share a "
            "single memory location. Write to its clone().",
        )


def check_no_partial_overlap(target: np.ndarray, operand: np.ndarray) -> None:
    """Raise PyTorch's error if elements of `operand` would be overwritten before they are read.

    Being the same view of the same memory is fine. Views with gaps are not looked into.
    """
    if target is operand or not _overlap(target, operand):
        return
    if _extent(target) != _extent(operand) or target.strides != operand.strides:
        raise ScriptError("RuntimeError", _OVERLAP)


def check_no_overlap(target: np.ndarray, operand: np.ndarray) -> None:
    """Raise PyTorch's error if elements of `operand` are elements of `target`."""
    if _overlap(target, operand):
        raise ScriptError("RuntimeError", _OVERLAP)


_OVERLAP = (
    "unsupported operation: elements of the input and the written-to tensor refer to a "
    "single memory location. Read from a clone() of the input."
)


def _overlap(a: np.ndarray, b: np.ndarray) -> bool:
    """Whether two stretches of memory share elements; those of arrays with gaps are not looked into."""
    if a.base is None and b.base is None:
        return a is b and a.size > 0
    return bool(np.may_share_memory(a, b)) and _is_dense(a) and _is_dense(b)


def _extent(a: np.ndarray) -> tuple[int, int]:
    return np.lib.array_utils.byte_bounds(a)


def _is_dense(a: np.ndarray) -> bool:
    """Whether the elements of `a` fill a stretch of memory, in whatever order."""
    if a.flags.c_contiguous or a.flags.f_contiguous:
        return True
    expected = a.itemsize
    for stride, extent in sorted((s, n) for s, n in zip(a.strides, a.shape) if n != 1):
        if stride != expected:
            return False
        expected *= extent
    return True
