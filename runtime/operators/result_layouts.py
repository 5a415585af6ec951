"""Results that lie in memory otherwise than NumPy's: what the layout that an operator is declared with means."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy as np

from tsc.compiler.schema import Layout
from tsc.runtime.arrays.memory_layout import (
    are_channels_last_sequences,
    channels_last,
    column_major,
    contiguous,
    is_channels_last,
    laid_out,
)
from tsc.runtime.operators.kernel_notes import noted
from tsc.runtime.values.tensor import Tensor

Kernel = Callable[..., Any]
Arrange = Callable[[np.ndarray, list[np.ndarray]], np.ndarray]
"""The array of a result in its layout, and the arrays that the operator was given."""


def _row_major(result: np.ndarray, _operands: list[np.ndarray]) -> np.ndarray:
    return contiguous(result)


def _as_operands(result: np.ndarray, operands: list[np.ndarray]) -> np.ndarray:
    return laid_out(result, *operands)


def _as_first(result: np.ndarray, operands: list[np.ndarray]) -> np.ndarray:
    return laid_out(result, operands[0])


def _as_images(result: np.ndarray, operands: list[np.ndarray]) -> np.ndarray:
    """Channels are innermost where they are in the images, or in the kernels of a convolution."""
    if result.ndim == 4 and any(map(is_channels_last, operands[:2])):
        return channels_last(result)
    return contiguous(result)


def _as_image(result: np.ndarray, operands: list[np.ndarray]) -> np.ndarray:
    """Channels are innermost where they are in the first operand."""
    return _as_images(result, operands[:1])


def _as_sequences(result: np.ndarray, operands: list[np.ndarray]) -> np.ndarray:
    """Sequences are images of one row."""
    is_last = result.ndim == 3 and are_channels_last_sequences(operands[0])
    return channels_last(result) if is_last else contiguous(result)


def _as_queries(result: np.ndarray, operands: list[np.ndarray]) -> np.ndarray:
    """Heads whose elements lie side by side are attended to where they are."""
    query, key, value = operands[:3]
    in_place = query.ndim == 4 and query.shape[-1] == value.shape[-1]
    size = query.itemsize
    if in_place and query.strides[-1] == key.strides[-1] == value.strides[-1] == size:
        return laid_out(result, query)
    return contiguous(result)


def _of_columns(result: np.ndarray, _operands: list[np.ndarray]) -> np.ndarray:
    return column_major(result) if result.ndim > 1 else result


_ARRANGE: dict[Layout, Arrange] = {
    Layout.ROW_MAJOR: _row_major,
    Layout.AS_FIRST: _as_first,
    Layout.AS_OPERANDS: _as_operands,
    Layout.AS_IMAGE: _as_image,
    Layout.AS_IMAGES: _as_images,
    Layout.AS_SEQUENCES: _as_sequences,
    Layout.AS_QUERIES: _as_queries,
    Layout.COLUMN_MAJOR: _of_columns,
}


def with_layout(layout: Layout, kernel: Kernel) -> Kernel:
    """A kernel whose results lie in memory as `layout` says."""
    arrange = _ARRANGE[layout]

    @wraps(kernel)
    def in_layout(*arguments: Any) -> Any:
        result = kernel(*arguments)
        if type(result) is tuple:
            return tuple([_in_layout(each, arrange, arguments) for each in result])
        return _in_layout(result, arrange, arguments)

    return noted(in_layout, plain=kernel)


def _in_layout(result: Any, arrange: Arrange, arguments: tuple[Any, ...]) -> Any:
    """The result; a new tensor for one that is not yet as it should be."""
    if type(result) is not Tensor or result.array.ndim < 2:
        return result
    tensors = [each for each in arguments if type(each) is Tensor]
    for each in tensors:
        if each is result:
            return result
    operands = [each.array for each in tensors]
    array = arrange(result.array, operands) if operands else contiguous(result.array)
    return result if array is result.array else Tensor(array)
