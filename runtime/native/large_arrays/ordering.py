"""Sorting and selecting in rows by native code, with equal elements where PyTorch leaves them."""

from __future__ import annotations

from array import array as words
from typing import Final

import numpy as np

from tsc.runtime.arrays.array import Array
from tsc.runtime.native.code.kernel_library import function_of
from tsc.runtime.native.code.parallel_rows import WithScratch, run_in_parts, worthwhile_parts
from tsc.runtime.native.large_arrays.ordering_text import ordering_text

_WORD: Final = 8
_PASSES_OF_SORT: Final = 8
"""How many passes over memory a sort takes as long as, about."""


def sorted_rows(rows: Array, *, descending: bool) -> tuple[Array, Array]:
    """The elements of each row of a matrix in order, and where each was; not stable."""
    return _run("sorted", rows, rows.shape[1], descending=descending, layout=(rows.shape[1],))


def first_of_rows(rows: Array, count: int, *, largest: bool, in_order: bool) -> tuple[Array, Array]:
    """The `count` largest or smallest elements of each row of a matrix, and where they are; one at least."""
    layout = rows.shape[1], count, int(in_order)
    return _run("first", rows, count, descending=largest, layout=layout)


def _run(
    name: str, rows: Array, count: int, *, descending: bool, layout: tuple[int, ...]
) -> tuple[Array, Array]:
    rows = np.ascontiguousarray(rows)
    keys = np.empty((len(rows), count), rows.dtype)
    places = np.empty(keys.shape, np.int64)
    pointers = words("q", [each.ctypes.data for each in (keys, places, rows)])
    numbers = words("q", layout)
    where = pointers.buffer_info()[0], numbers.buffer_info()[0]
    function = function_of(ordering_text(rows.dtype, descending=descending), name)
    kernel = WithScratch(function, rows.shape[1] * (_WORD + rows.itemsize))
    parts = worthwhile_parts(len(rows), rows.size * _PASSES_OF_SORT)
    run_in_parts(kernel, *where, len(rows), 0, parts)
    return keys, places
