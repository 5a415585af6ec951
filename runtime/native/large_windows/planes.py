"""Means of uneven windows, weighted sums along rows and columns of planes, and phases put between each other, by native
code.
"""

from __future__ import annotations

import functools
from array import array as words
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from tsc.runtime.arrays.array import Array
from tsc.runtime.native.code.conditions import vector_bytes
from tsc.runtime.native.code.kernel_library import function_of
from tsc.runtime.native.code.parallel_rows import WithScratch, run_in_parts, worthwhile_parts
from tsc.runtime.native.large_windows import phase_text
from tsc.runtime.native.large_windows.phase_text import PhaseWord
from tsc.runtime.native.large_windows.plane_text import (
    AXES,
    NAME,
    SumPointer,
    SumWord,
    WindowWord,
    uneven_mean_text,
    weighted_sums_text,
)

Terms = tuple[Array, Array]
"""Of an axis, the places of what is summed up for each result, and their weights: (terms, results)."""

_MOST_WINDOWS: Final = 256


def uneven_means(planes: Array, counts: Sequence[int]) -> Array:
    """(planes, *extents), of float32 or float64, as (planes, *counts), by windows that cover up to three axes."""
    missing = AXES - len(counts)
    planes = np.ascontiguousarray(planes)
    ones = (1,) * missing
    tables = [_windows(*each) for each in zip((*ones, *planes.shape[1:]), (*ones, *counts))]
    result = np.empty((len(planes), *counts), planes.dtype)
    layout = {
        WindowWord.PLANE: [planes.strides[0]],
        WindowWord.RESULT_PLANE: [result.strides[0]],
        WindowWord.STEPS: [*(0,) * missing, *planes.strides[1:]],
        WindowWord.COUNTS: [*ones, *counts],
    }
    numbers = [number for each in WindowWord for number in layout[each]]
    kernel = function_of(uneven_mean_text(planes.dtype), NAME)
    parts = worthwhile_parts(len(planes), planes.size)
    _run(kernel, [planes, result, *tables], numbers, len(planes), parts)
    return result


@functools.lru_cache(_MOST_WINDOWS)
def _windows(extent: int, count: int) -> Array:
    """Where each of so many windows begins, and how long it is."""
    numbers = np.arange(count, dtype=np.int64)
    starts = numbers * extent // max(count, 1)
    ends = -(-(numbers + 1) * extent // max(count, 1))
    return np.stack([starts, ends - starts], 1)


def weighted_sums(planes: Array, rows: Terms, columns: Terms) -> Array:
    """(planes, rows, columns), of float32 or float64: each result sums up some along a row, then along a column."""
    planes = np.ascontiguousarray(planes)
    dtype = planes.dtype
    (row_places, row_weights), (column_places, column_weights) = rows, columns
    made = row_places.shape[1], column_places.shape[1]
    result = np.empty((len(planes), *made), dtype)
    arrays = {
        SumPointer.SOURCE: planes,
        SumPointer.RESULT: result,
        SumPointer.ROW_PLACES: np.ascontiguousarray(row_places, np.int64),
        SumPointer.ROW_WEIGHTS: np.ascontiguousarray(row_weights, dtype),
        SumPointer.COLUMN_PLACES: np.ascontiguousarray(column_places, np.int64),
        SumPointer.COLUMN_WEIGHTS: np.ascontiguousarray(column_weights, dtype),
    }
    layout = {
        SumWord.ROWS: planes.shape[1],
        SumWord.COLUMNS: planes.shape[2],
        SumWord.MADE_ROWS: made[0],
        SumWord.MADE_COLUMNS: made[1],
        SumWord.ROW_TERMS: len(row_places),
        SumWord.COLUMN_TERMS: len(column_places),
    }
    size = planes.shape[1] * made[1] * dtype.itemsize
    kernel = WithScratch(function_of(weighted_sums_text(dtype), NAME), size)
    parts = worthwhile_parts(len(planes), result.size)
    numbers = [layout[each] for each in SumWord]
    _run(kernel, [arrays[each] for each in SumPointer], numbers, len(planes), parts)
    return result


def put_between(phases: Sequence[Array], result: Array) -> None:
    """Into every so many elements of the rows of (batch, channels, *extents), the last axis of which has no gaps.

    A phase, (batch, channels, *extents) without gaps, has at most one element of a row more than those after it.
    """
    missing = AXES + 2 - result.ndim
    layers, rows = (*(1,) * missing, *result.shape[2:])[:2]
    steps = (*(0,) * missing, *result.strides[2:])[:2]
    planes = result.shape[0] * result.shape[1]
    layout = {
        PhaseWord.LAYERS: [layers],
        PhaseWord.ROWS: [rows],
        PhaseWord.PLANE_STEP: [result.strides[1]],
        PhaseWord.LAYER_STEP: [steps[0]],
        PhaseWord.ROW_STEP: [steps[1]],
        PhaseWord.COUNTS: [each.shape[-1] for each in phases],
    }
    numbers = [number for each in PhaseWord for number in layout[each]]
    dtype = result.dtype
    text = phase_text.phase_text(dtype, vector_bytes() // dtype.itemsize, len(phases))
    kernel = function_of(text, phase_text.NAME)
    _run(kernel, [result, *phases], numbers, planes, worthwhile_parts(planes, result.size))


def _run(
    kernel: Any, arrays: Sequence[Array], layout: Sequence[int], extent: int, parts: int
) -> None:
    pointers = words("q", [each.ctypes.data for each in arrays])
    numbers = words("q", layout)
    where = pointers.buffer_info()[0], numbers.buffer_info()[0]
    run_in_parts(kernel, *where, extent, 0, parts)
