"""p-norms of differences between vectors, pair by pair and for all pairs."""

from __future__ import annotations

import math

import numpy as np

from tsc.runtime.arrays.matrix_products import matrix_product

BLOCK_ELEMENTS = 1 << 18


def vector_norms(difference: np.ndarray, p: float, *, keepdims: bool = False) -> np.ndarray:
    """The p-norms of the vectors along the last dimension."""
    if difference.shape[-1] == 0:
        return np.zeros((*difference.shape[:-1], *([1] * keepdims)), np.abs(difference).dtype)
    if p == 2 and difference.dtype.kind == "f":
        norms = np.sqrt(np.asarray(np.vecdot(difference, difference)))
        return norms[..., np.newaxis] if keepdims else norms
    size = np.abs(difference)
    if p == 2:
        return np.sqrt((size * size).sum(-1, keepdims=keepdims))
    if p == 1:
        return size.sum(-1, keepdims=keepdims)
    if p == 0:
        return (size != 0).astype(size.dtype).sum(-1, keepdims=keepdims)
    if p == math.inf:
        return size.max(-1, keepdims=keepdims)
    if p == -math.inf:
        return size.min(-1, keepdims=keepdims)
    kind = size.dtype.type
    return np.power(np.power(size, kind(p)).sum(-1, keepdims=keepdims), kind(1 / p))


def all_distances(a: np.ndarray, b: np.ndarray, p: float) -> np.ndarray:
    """(batch, rows, features) and (batch, others, features): (batch, rows, others)."""
    result = np.empty((*a.shape[:2], b.shape[1]), a.dtype)
    step = max(BLOCK_ELEMENTS // max(b.shape[1] * b.shape[2], 1), 1)
    for image, others, target in zip(a, b, result):
        for start in range(0, len(image), step):
            rows = image[start : start + step, np.newaxis]
            target[start : start + step] = vector_norms(rows - others, p)
    return result


def euclidean_distances(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """The same for p = 2, by a product of matrices: faster, and less precise for near vectors."""
    first, second = np.vecdot(a, a), np.vecdot(b, b)
    ones_a, ones_b = np.ones_like(first), np.ones_like(second)
    left = np.concatenate([a * a.dtype.type(-2), _column(first), _column(ones_a)], -1)
    right = np.concatenate([b, _column(ones_b), _column(second)], -1)
    result = matrix_product(left, right.swapaxes(-1, -2))
    np.clip(result, 0, np.inf, result)
    return np.sqrt(result, result)


def _column(a: np.ndarray) -> np.ndarray:
    return a[..., np.newaxis]
