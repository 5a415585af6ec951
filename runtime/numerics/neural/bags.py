"""Sums and maxima of rows of a table, gathered by bags that follow each other.

Sums are taken step by step: the first rows of all bags, then their second rows, and so on, with the
largest bags in front, so that each step is one lookup and one addition.
"""

from __future__ import annotations

import numpy as np

from tsc.runtime.arrays.dtypes import DOUBLE, FLOAT, LONG
from tsc.runtime.arrays.half_precision import widened
from tsc.runtime.context.native_availability import is_large_work
from tsc.runtime.context.native_hooks import native_arrays

_ROWS_A_STEP = 30
"""A step costs as much as adding so many rows one by one."""


def bag_sums(
    table: np.ndarray, rows: np.ndarray, sizes: np.ndarray, weights: np.ndarray | None
) -> np.ndarray:
    """The sum of ``table[rows] * weights`` over each bag, in the dtype to compute with."""
    if weights is None and _may_be_native(table, rows):
        bounds = np.zeros(len(sizes) + 1, LONG)
        np.cumsum(sizes, out=bounds[1:])
        return native_arrays().bag_sums(table, rows, bounds)
    longest = int(sizes.max()) if sizes.size else 0
    if longest * _ROWS_A_STEP > len(rows):
        return _sums_by_bag(table, rows, sizes, weights)
    order = np.argsort(-sizes, kind="stable")
    starts = (np.cumsum(sizes) - sizes)[order]
    reaching = np.searchsorted(-sizes[order], -np.arange(longest), "left")
    result = np.zeros((len(sizes), table.shape[1]), widened(table[:0]).dtype)
    for step, count in enumerate(reaching):
        places = starts[:count] + step
        found = widened(table.take(rows[places], 0))
        if weights is not None:
            np.multiply(found, weights[places, np.newaxis], found)
        np.add(result[:count], found, result[:count])
    if np.array_equal(order, np.arange(len(order))):
        return result
    restored = np.empty_like(result)
    restored[order] = result
    return restored


def _may_be_native(table: np.ndarray, rows: np.ndarray) -> bool:
    """Whether rows without gaps are added up as they are, and there is enough to add."""
    return (
        table.dtype in (FLOAT, DOUBLE)
        and table.strides[1] == table.itemsize
        and is_large_work(len(rows) * table.shape[1])
    )


def _sums_by_bag(
    table: np.ndarray, rows: np.ndarray, sizes: np.ndarray, weights: np.ndarray | None
) -> np.ndarray:
    found = widened(table.take(rows, 0))
    if weights is not None:
        found = found * weights[:, np.newaxis]
    result = np.zeros((len(sizes), table.shape[1]), found.dtype)
    filled = np.flatnonzero(sizes)
    if filled.size:
        starts = (np.cumsum(sizes) - sizes)[filled]
        result[filled] = np.add.reduceat(found, starts, 0) + found.dtype.type(
            0
        )  # no zero is negative
    return result


def bag_maxima(
    table: np.ndarray, rows: np.ndarray, sizes: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """The maxima over each bag, zeros for empty ones, and the first row that has each maximum."""
    result = np.zeros((len(sizes), table.shape[1]), table.dtype)
    winners = np.zeros(result.shape, LONG)
    filled = np.flatnonzero(sizes)
    if filled.size:
        found = table.take(rows, 0)
        starts = (np.cumsum(sizes) - sizes)[filled]
        greatest = np.maximum.reduceat(widened(found), starts, 0)
        is_greatest = found == np.repeat(greatest, sizes[filled], 0)
        places = np.where(is_greatest, np.arange(len(rows))[:, np.newaxis], len(rows) - 1)
        result[filled] = greatest
        winners[filled] = rows[np.minimum.reduceat(places, starts, 0)]
    return result, winners
