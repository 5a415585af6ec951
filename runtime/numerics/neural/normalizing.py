"""Means and variances of rows, and rows moved and scaled by them.

Rows are taken in blocks that stay in the cache while they are read for the mean, for the variance
and for the result.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tsc.runtime.context.native_hooks import native_windows
from tsc.runtime.numerics.neural.native_work import is_native_work
from tsc.runtime.numerics.neural.row_products import row_squares, row_sums

BLOCK_ELEMENTS = 1 << 16


def row_blocks(rows: np.ndarray) -> Iterator[slice]:
    """Slices of as many rows as fit into a block."""
    step = max(BLOCK_ELEMENTS // max(rows.shape[1], 1), 1)
    for start in range(0, len(rows), step):
        yield slice(start, start + step)


def row_moments(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The mean of each row, and the sum of its squared distances from the mean."""
    means, squares = np.empty(len(rows), rows.dtype), np.empty(len(rows), rows.dtype)
    count = rows.dtype.type(rows.shape[1])
    for block in row_blocks(rows):
        part = rows[block]
        mean = np.true_divide(row_sums(part), count, means[block])
        squares[block] = row_squares(part - mean[:, np.newaxis])
    return means, squares


def squares_around(rows: np.ndarray, centers: np.ndarray) -> np.ndarray:
    """The sum of the squared distances of each row from its own center."""
    squares = np.empty(len(rows), rows.dtype)
    for block in row_blocks(rows):
        squares[block] = row_squares(rows[block] - centers[block, np.newaxis])
    return squares


def normalized_rows(
    rows: np.ndarray, eps: float, weight: np.ndarray | None, bias: np.ndarray | None
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Rows with mean 0 and variance 1, times `weight` plus `bias`; means, reciprocal deviations."""
    kind = rows.dtype.type
    result = np.empty(rows.shape, rows.dtype)
    means, scales = np.empty(len(rows), rows.dtype), np.empty(len(rows), rows.dtype)
    count = kind(rows.shape[1])
    for block in row_blocks(rows):
        part, out = rows[block], result[block]
        mean = np.true_divide(row_sums(part), count)
        np.subtract(part, mean[:, np.newaxis], out)
        variance = np.true_divide(row_squares(out), count)
        scale = np.reciprocal(np.sqrt(variance + kind(eps)))
        means[block], scales[block] = mean, scale
        np.multiply(out, scale[:, np.newaxis], out)
        apply_affine(out, weight, bias)
    return result, means, scales


def root_mean_square_rows(
    rows: np.ndarray, eps: float, weight: np.ndarray | None
) -> tuple[np.ndarray, np.ndarray]:
    """Rows divided by the root of their mean square; the reciprocals of these roots."""
    kind = rows.dtype.type
    result, scales = np.empty(rows.shape, rows.dtype), np.empty(len(rows), rows.dtype)
    for block in row_blocks(rows):
        part, out = rows[block], result[block]
        square = np.true_divide(row_squares(part), kind(rows.shape[1]))
        scale = np.reciprocal(np.sqrt(square + kind(eps)))
        scales[block] = scale
        np.multiply(part, scale[:, np.newaxis], out)
        apply_affine(out, weight, None)
    return result, scales


def apply_affine(rows: np.ndarray, weight: np.ndarray | None, bias: np.ndarray | None) -> None:
    """``rows * weight + bias``, in place."""
    if weight is not None:
        np.multiply(rows, weight, rows, casting="same_kind")
    if bias is not None:
        np.add(rows, bias, rows, casting="same_kind")


def scaled_rows(rows: np.ndarray, factors: np.ndarray, shifts: np.ndarray) -> np.ndarray:
    """Each row times its factor plus its shift: a convolution of each row by one weight."""
    ones = (1,)
    if factors.dtype == shifts.dtype == rows.dtype and is_native_work(rows.dtype, rows.size):
        weight, length = factors.reshape(-1, 1, 1), rows.shape[1]
        images = rows[np.newaxis]
        return native_windows().convolve(
            images, weight, shifts, ones, (0,), ones, len(rows), (length,)
        )[0]
    result = np.empty(rows.shape, rows.dtype)
    for block in row_blocks(rows):
        out = result[block]
        np.multiply(rows[block], factors[block, np.newaxis], out)
        np.add(out, shifts[block, np.newaxis], out)
    return result
