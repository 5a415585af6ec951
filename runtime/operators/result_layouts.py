"""Operators whose results lie in memory otherwise than NumPy's, by name, with or without an overload."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy as np

from tsc.runtime.arrays.memory_layout import (
    are_channels_last_sequences,
    channels_last,
    column_major,
    contiguous,
    is_channels_last,
    laid_out,
)
from tsc.runtime.values.tensor import Tensor

Kernel = Callable[..., Any]
Layout = Callable[[np.ndarray, list[np.ndarray]], np.ndarray]
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


_NAMES: dict[Layout, str] = {
    _row_major: """
        all.dim amax amin aminmax any.dim cosine_similarity cummax cummin cumprod cumsum gather linalg_norm
        linalg_vector_norm log_sigmoid log_softmax.int logsumexp masked_fill max.dim mean.dim min.dim nanmean
        nansum norm one_hot pow.Scalar prod.dim_int softmax.int _softmax _log_softmax std std_mean
        sum.dim_IntList tril triu var var_mean
    """,
    _as_first: """
        dropout elu erf flip gelu hardswish index_fill index_put leaky_relu mish nan_to_num silu softplus sort
    """,
    _as_operands: "clamp.Tensor complex polar prelu where",
    _as_image: "glu roll",
    _as_images: """
        adaptive_avg_pool2d adaptive_max_pool2d avg_pool2d batch_norm conv2d conv_transpose2d.input group_norm
        max_pool2d pad upsample_bicubic2d upsample_bilinear2d upsample_nearest2d _upsample_nearest_exact2d
        constant_pad_nd
    """,
    _as_sequences: "adaptive_avg_pool1d adaptive_max_pool1d avg_pool1d",
    _as_queries: "scaled_dot_product_attention",
    _of_columns: "linalg_cholesky linalg_inv linalg_qr linalg_solve",
}
_LAYOUTS = {f"aten::{name}": layout for layout, names in _NAMES.items() for name in names.split()}


def with_layout(schema_text: str, kernel: Kernel) -> Kernel:
    """A kernel whose results lie in memory as PyTorch has them."""
    name = schema_text.partition("(")[0] if "Tensor" in schema_text else ""
    layout = _LAYOUTS.get(name) or _LAYOUTS.get(name.partition(".")[0])
    return kernel if layout is None else _laid_out_kernel(kernel, layout)


def _laid_out_kernel(kernel: Kernel, layout: Layout) -> Kernel:
    @wraps(kernel)
    def in_layout(*arguments: Any) -> Any:
        result = kernel(*arguments)
        if type(result) is tuple:
            return tuple([_in_layout(each, layout, arguments) for each in result])
        return _in_layout(result, layout, arguments)

    in_layout.plain = kernel
    return in_layout


def _in_layout(result: Any, layout: Layout, arguments: tuple[Any, ...]) -> Any:
    """The result; a new tensor for one that is not yet as it should be."""
    if type(result) is not Tensor or result.array.ndim < 2:
        return result
    if any(result is argument for argument in arguments):
        return result
    operands = [each.array for each in arguments if type(each) is Tensor]
    array = layout(result.array, operands) if operands else contiguous(result.array)
    return result if array is result.array else Tensor(array)
