"""Dimensions and sizes: wrapping negative ones, broadcasting, and PyTorch's words for failure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from runtime.errors import ScriptError


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
    if type(dimensions) is int:
        dimensions = (dimensions,)
    elif not dimensions:
        return None
    wrapped = wrap_dimensions(dimensions, ndim)
    return wrapped if ndim else ()


def broadcast_shape(*shapes: Sequence[int]) -> tuple[int, ...]:
    """The shape all `shapes` broadcast to."""
    result: tuple[int, ...] = ()
    for shape in shapes:
        result = _broadcast_pair(result, tuple(shape))
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
            "unsupported operation: more than one element of the written-to tensor refers to a "
            "single memory location. Please clone() the tensor before performing the operation.",
        )
