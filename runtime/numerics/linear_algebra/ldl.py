"""The LDL decomposition of symmetric and Hermitian matrices (J. Bunch and L. Kaufman, Math. Comp. 31, 1977).

A = L D Lᵀ with blocks of size 1 and 2 in D; packed factors and pivots are LAPACK's (``sytrf``, ``hetrf``, lower
triangle): a pivot k > 0 stands for a block of size 1 and a swap with row k, two equal negative ones for a block of
size 2 and a swap of its second row.
"""

from __future__ import annotations

import math

import numpy as np

from tsc.runtime.numerics.linear_algebra.lu import PIVOT_DTYPE, as_stack

_THRESHOLD = (1 + math.sqrt(17)) / 8


def factor(a: np.ndarray, *, hermitian: bool) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Packed factors, pivots and status (the place of the first zero block, or 0)."""
    size = a.shape[-1]
    packed = as_stack(np.tril(a))
    pivots = np.zeros((len(packed), size), PIVOT_DTYPE)
    status = np.zeros(len(packed), PIVOT_DTYPE)
    for index, matrix in enumerate(packed):
        status[index] = _factor_one(matrix, pivots[index], hermitian)
    batch = a.shape[:-2]
    return packed.reshape(a.shape), pivots.reshape(*batch, size), status.reshape(batch)


def _factor_one(a: np.ndarray, pivots: np.ndarray, hermitian: bool) -> int:
    size, step, status = len(a), 0, 0
    while step < size:
        if hermitian:
            a[step, step] = a[step, step].real
        width, row = _choose(a, step, hermitian)
        if width == 0:
            status = status or step + 1
            pivots[step] = step + 1
            step += 1
            continue
        _swap(a, step + width - 1, row, step, hermitian)
        if width == 1:
            _eliminate_one(a, step, hermitian)
            pivots[step] = row + 1
        else:
            _eliminate_two(a, step, hermitian)
            pivots[step : step + 2] = -(row + 1)
        step += width
    return status


def _size(x: np.ndarray) -> np.ndarray:
    return np.abs(x) if x.dtype.kind == "f" else np.abs(x.real) + np.abs(x.imag)


def _diagonal_size(value: np.generic, hermitian: bool) -> float:
    return float(abs(value.real) if hermitian else _size(np.asarray(value)))


def _choose(a: np.ndarray, step: int, hermitian: bool) -> tuple[int, int]:
    """The size of the next block and the row to swap into it; size 0 for a column of zeros."""
    diagonal = _diagonal_size(a[step, step], hermitian)
    below = _size(a[step + 1 :, step])
    largest = float(below.max(initial=0))
    if max(diagonal, largest) == 0 or math.isnan(diagonal):
        return 0, step
    if diagonal >= _THRESHOLD * largest:
        return 1, step
    row = step + 1 + int(np.argmax(below))
    in_row = max(_size(a[row, step:row]).max(), _size(a[row + 1 :, row]).max(initial=0))
    if diagonal * in_row >= _THRESHOLD * largest * largest:
        return 1, step
    if _diagonal_size(a[row, row], hermitian) >= _THRESHOLD * in_row:
        return 1, row
    return 2, row


def _swap(a: np.ndarray, first: int, second: int, step: int, hermitian: bool) -> None:
    """Swap two rows and columns of the part that is left, in its lower triangle."""
    if first == second:
        return
    below = slice(second + 1, None)
    a[below, [first, second]] = a[below, [second, first]]
    between = slice(first + 1, second)
    column, row = a[between, first].copy(), a[second, between].copy()
    if hermitian:
        column, row = column.conj(), row.conj()
        a[second, first] = a[second, first].conj()
    a[between, first], a[second, between] = row, column
    a[[first, second], [first, second]] = a[[second, first], [second, first]]
    if first > step:
        a[[first, second], step] = a[[second, first], step]


def _eliminate_one(a: np.ndarray, step: int, hermitian: bool) -> None:
    pivot, below = a[step, step], a[step + 1 :, step]
    scaled = below / (pivot.real if hermitian else pivot)
    other = scaled.conj() if hermitian else scaled
    a[step + 1 :, step + 1 :] -= np.tril(np.outer(below, other))
    below[...] = scaled


def _eliminate_two(a: np.ndarray, step: int, hermitian: bool) -> None:
    block = a[step : step + 2, step : step + 2].copy()
    block[0, 1] = block[1, 0].conj() if hermitian else block[1, 0]
    below = a[step + 2 :, step : step + 2]
    if not len(below):
        return
    scaled = np.linalg.solve(block.T, below.T).T
    other = scaled.conj() if hermitian else scaled
    a[step + 2 :, step + 2 :] -= np.tril(below @ other.T)
    below[...] = scaled


def solve(packed: np.ndarray, pivots: np.ndarray, b: np.ndarray, *, hermitian: bool) -> np.ndarray:
    """X with A X = B, from the factors."""
    batch = np.broadcast_shapes(packed.shape[:-2], b.shape[:-2])
    size = packed.shape[-1]
    matrices = as_stack(np.broadcast_to(packed, (*batch, size, size)))
    swaps = np.broadcast_to(pivots, (*batch, size)).reshape(len(matrices), size)
    x = np.array(np.broadcast_to(b, (*batch, *b.shape[-2:])))
    for matrix, pivot, right in zip(matrices, swaps, as_stack(x)):
        _solve_one(matrix, pivot, right, hermitian)
    return x


def _blocks(pivots: np.ndarray) -> list[tuple[int, int, int]]:
    """First row, size and the row swapped into each block."""
    blocks, step = [], 0
    while step < len(pivots):
        width = 1 if pivots[step] > 0 else 2
        blocks.append((step, width, abs(int(pivots[step])) - 1))
        step += width
    return blocks


def _solve_one(a: np.ndarray, pivots: np.ndarray, x: np.ndarray, hermitian: bool) -> None:
    blocks = _blocks(pivots)
    for step, width, row in blocks:
        last = step + width - 1
        x[[last, row]] = x[[row, last]]
        inside = slice(step, step + width)
        x[step + width :] -= a[step + width :, inside] @ x[inside]
        if width == 1:
            x[step] /= a[step, step]
            continue
        block = a[inside, inside].copy()
        block[0, 1] = block[1, 0].conj() if hermitian else block[1, 0]
        x[inside] = np.linalg.solve(block, x[inside])
    for step, width, row in reversed(blocks):
        inside = slice(step, step + width)
        left = a[step + width :, inside]
        x[inside] -= (left.conj() if hermitian else left).T @ x[step + width :]
        last = step + width - 1
        x[[last, row]] = x[[row, last]]
