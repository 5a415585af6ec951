"""Adding many values into few places of an array, where a place may be meant several times."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

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
    for position, row in zip(positions.tolist(), rows):
        place = target[position]
        np.add(place, row, place, casting="same_kind")
