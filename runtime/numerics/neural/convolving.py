"""Convolutions of any number of dimensions, as products of matrices.

The windows under the kernel are copied side by side into columns, which the weights of each group
multiply. Columns are made for as many images, or rows of one, as fit into a bounded buffer.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from tsc.runtime.arrays.matrix_products import matrix_product
from tsc.runtime.arrays.storage import byte_strided
from tsc.runtime.context.native_hooks import native_windows
from tsc.runtime.numerics.neural.dense import dense
from tsc.runtime.numerics.neural.native_work import is_native_work
from tsc.runtime.numerics.neural.windows import Margins, add_windows, columns, padded, window_counts

BUFFER_BYTES = 1 << 22
"""How large the columns may become before they are made piece by piece."""
_FEW_PLACES = 32
"""Of an image, which do not fill vectors: kernels of one element are left to BLAS."""


def convolve(
    a: np.ndarray,
    weight: np.ndarray,
    stride: Sequence[int],
    margins: Margins,
    dilation: Sequence[int],
    groups: int,
    bias: np.ndarray | None = None,
) -> np.ndarray:
    """(batch, channels, *extents) with (outputs, channels / groups, *kernel), plus a number for each output."""
    kernel = weight.shape[2:]
    extents = [n + before + after for n, (before, after) in zip(a.shape[2:], margins)]
    counts = window_counts(extents, kernel, stride, dilation)
    is_of_elements = groups == math.prod(kernel) == 1 and not any(map(any, margins))
    is_for_blas = is_of_elements and math.prod(counts) < _FEW_PLACES
    results = len(a) * math.prod(counts)
    if not is_for_blas and is_native_work(a.dtype, results * _nanoseconds_of_place(weight)):
        before = [each for each, _ in margins]
        return native_windows().convolve(a, weight, bias, stride, before, dilation, groups, counts)
    if is_of_elements:
        result = _convolve_elements(a, weight, stride)
    else:
        result = convolve_by_products(a, weight, stride, margins, dilation, groups)
    if bias is not None:
        np.add(result, bias.reshape(-1, *(1,) * len(kernel)), result)
    return result


def _convolve_elements(a: np.ndarray, weight: np.ndarray, stride: Sequence[int]) -> np.ndarray:
    """By a kernel of one element: products with planes as they lie, or with every so many elements of them."""
    chosen = np.ascontiguousarray(a[(..., *[slice(None, None, step) for step in stride])])
    batch, channels, *counts = chosen.shape
    outputs, places = len(weight), math.prod(counts)
    matrix = weight.reshape(outputs, channels)
    if places == 1:
        product = dense(chosen.reshape(batch, channels), matrix.T)
    else:
        product = matrix_product(matrix, chosen.reshape(batch, channels, places))
    return product.reshape(batch, outputs, *counts)


def _nanoseconds_of_place(weight: np.ndarray) -> int:
    """About what all outputs at one place take by products: their elements, the columns, and the multiplications."""
    return (
        len(weight) + (weight[0].size if weight.shape[1] > 1 else weight.size) + weight.size // 32
    )


def convolve_by_products(
    a: np.ndarray,
    weight: np.ndarray,
    stride: Sequence[int],
    margins: Margins,
    dilation: Sequence[int],
    groups: int,
) -> np.ndarray:
    """The same without native code."""
    kernel = weight.shape[2:]
    a = padded(a, margins)
    counts = window_counts(a.shape[2:], kernel, stride, dilation)
    result = np.empty((len(a), weight.shape[0], *counts), a.dtype)
    if not result.size:
        return result
    if weight.shape[1] == 1 and groups > 1 and len(kernel) > 1 and stride[0] == 1:
        _convolve_channels(a, weight, result, stride, dilation)
        return result
    matrix = weight.reshape(groups, weight.shape[0] // groups, -1)
    column_bytes = matrix.shape[2] * groups * a.itemsize
    row_bytes = max(column_bytes * math.prod(counts[1:]), 1)
    images = max(BUFFER_BYTES // (row_bytes * counts[0]), 1)
    rows = max(BUFFER_BYTES // row_bytes, 1) if images == 1 else counts[0]
    for image in range(0, len(a), images):
        for row in range(0, counts[0], rows):
            _multiply(
                a[image : image + images, :, row * stride[0] :],
                matrix,
                result[image : image + images, :, row : row + rows],
                kernel,
                stride,
                dilation,
            )
    return result


def _multiply(
    a: np.ndarray,
    matrix: np.ndarray,
    out: np.ndarray,
    kernel: Sequence[int],
    stride: Sequence[int],
    dilation: Sequence[int],
) -> None:
    """Fill `out`, whole rows of images, from `a`, which begins where `out` does."""
    groups, outputs, _ = matrix.shape
    batch, counts = len(out), out.shape[2:]
    cells = columns(a, kernel, stride, dilation)[
        (..., slice(counts[0]), *[slice(None)] * (len(counts) - 1))
    ]
    cells = cells.reshape(batch, groups, -1, math.prod(counts))
    step = out.strides
    flat = byte_strided(
        out,
        (batch, groups, outputs, math.prod(counts)),
        (step[0], step[1] * outputs, step[1], step[-1]),
    )
    matrix_product(matrix, cells, out=flat)


def _convolve_channels(
    a: np.ndarray,
    weight: np.ndarray,
    out: np.ndarray,
    stride: Sequence[int],
    dilation: Sequence[int],
) -> None:
    """Every channel by itself; the stride along the first dimension is 1.

    Only the windows along the other dimensions are copied. Those along the first one are whole
    ranges of the copy, because its rows follow each other.
    """
    first, *rest = weight.shape[2:]
    channels, outputs = a.shape[1], len(weight) // a.shape[1]
    inner = math.prod(rest)
    count = math.prod(out.shape[2:])
    row = count // out.shape[2]
    matrices = weight.reshape(channels, outputs, first, inner)
    matrices = np.ascontiguousarray(matrices.transpose(2, 0, 1, 3))
    part = np.empty((channels, outputs, count), a.dtype)
    for image, target in zip(a, out.reshape(len(out), channels, outputs, count)):
        rows = columns(np.moveaxis(image, 1, 0), rest, stride[1:], dilation[1:])
        cells = np.moveaxis(rows, 0, 1 + len(rest)).reshape(channels, inner, -1)
        matrix_product(matrices[0], cells[..., :count], out=target)
        for position in range(1, first):
            start = position * dilation[0] * row
            matrix_product(matrices[position], cells[..., start : start + count], out=part)
            np.add(target, part, target)


def convolve_transposed(
    a: np.ndarray,
    weight: np.ndarray,
    stride: Sequence[int],
    padding: Sequence[int],
    output_padding: Sequence[int],
    dilation: Sequence[int],
    groups: int,
) -> np.ndarray:
    """(batch, channels, *extents) with (channels, outputs / groups, *kernel).

    Every element of the input adds a scaled kernel to the output.
    """
    batch, channels, *extents = a.shape
    outputs, kernel = weight.shape[1], weight.shape[2:]
    shape = [
        max((n - 1) * s + d * (k - 1) + 1 + extra, 0)
        for n, s, d, k, extra in zip(extents, stride, dilation, kernel, output_padding)
    ]
    whole = np.zeros((batch, groups * outputs, *shape), a.dtype)
    matrix = weight.reshape(groups, channels // groups, -1).swapaxes(1, 2)
    image_bytes = max(groups * matrix.shape[1] * math.prod(extents) * a.itemsize, 1)
    images = max(BUFFER_BYTES // image_bytes, 1)
    for image in range(0, batch, images):
        piece = a[image : image + images].reshape(
            -1, groups, channels // groups, math.prod(extents)
        )
        cells = matrix_product(matrix, piece).reshape(
            len(piece), groups * outputs, *kernel, *extents
        )
        add_windows(whole[image : image + images], cells, kernel, stride, dilation)
    crop = [slice(p, size - p) for p, size in zip(padding, shape)]
    return np.ascontiguousarray(whole[(..., *crop)])
