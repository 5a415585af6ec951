"""Adding many values into few places of an array, where a place may be meant several times."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tsc.runtime.arrays.dtypes import DOUBLE, FLOAT, LONG
from tsc.runtime.context.native_availability import is_large_work
from tsc.runtime.context.native_hooks import native_arrays

_NATIVE = frozenset({FLOAT, DOUBLE, LONG})
LONG_ROW = 64
"""From this many elements on, adding row by row is faster than NumPy's loop over elements."""


def add_at(target: np.ndarray, key: tuple[Any, ...], values: np.ndarray) -> None:
    """``target[key] += values`` for each place as often as it is named, in the order of the names.

    `key` is an index as NumPy takes it. IndexError or ValueError where NumPy's own `add.at` has one.
    """
    if len(key) == 1 and target.ndim > 1 and _names_rows(key[0]) and _row_size(target) >= LONG_ROW:
        _add_rows(target, key[0], values)
    else:
        np.add.at(target, key, values)


def _row_size(a: np.ndarray) -> int:
    return math.prod(a.shape[1:])


def _names_rows(index: Any) -> bool:
    return type(index) is np.ndarray and index.ndim == 1 and index.dtype.kind == "i"


def _add_rows(target: np.ndarray, positions: np.ndarray, values: np.ndarray) -> None:
    rows = np.broadcast_to(values, (len(positions), *target.shape[1:]))
    if is_large_work(rows.size) and _add_rows_natively(target, positions, rows):
        return
    for position, row in zip(positions.tolist(), rows):
        place = target[position]
        np.add(place, row, place, casting="same_kind")


def _add_rows_natively(target: np.ndarray, positions: np.ndarray, rows: np.ndarray) -> bool:
    if rows.dtype is not target.dtype or target.dtype not in _NATIVE:
        return False
    matrix, given = target.reshape(len(target), -1), rows.reshape(len(rows), -1)
    if not target.flags.c_contiguous or given.strides[1] != given.itemsize:
        return False
    names = positions.astype(LONG)
    names[names < 0] += len(target)
    if names.view(np.uint64).max() >= len(target):
        return False
    return native_arrays().add_rows(matrix, names, given)
