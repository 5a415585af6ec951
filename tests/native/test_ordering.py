"""Sorting and selecting by native code against the same algorithms on whole arrays, down to where equal elements go."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import pytest

pytest.importorskip("llvmlite")

import tsc
from tsc.runtime.arrays.blas_threads import get_num_threads, set_num_threads
from tsc.runtime.context.native_availability import TimeTogether
from tsc.runtime.native.large_arrays.ordering import first_of_rows, sorted_rows
from tsc.runtime.numerics.unstable_order import (
    first_as_partial_sort,
    selected_as_introselect,
    sorted_as_introsort,
)
from tsc.runtime.operators.selecting import sorting

from .fuzzing import said
from .guarded_memory import IS_POSSIBLE, GuardedMemory

DTYPES = ("float32", "float64", "int64", "int32", "int16", "int8", "uint8")
LENGTHS = (1, 2, 3, 4, 5, 16, 17, 18, 33, 100, 700)


def _rows(random: Any, length: int, dtype: str) -> np.ndarray:
    """Few numbers, in any order, rising, falling, or as an organ's pipes."""
    rows = random.integers(0, int(random.choice([2, 9, 100])), (4, length))
    rows[1].sort()
    rows[2] = rows[1][::-1]
    rows[3] = np.minimum(np.arange(length), np.arange(length)[::-1]) % 100
    return rows.astype(dtype)


def _ranks(rows: np.ndarray, descending: bool) -> np.ndarray:
    """Ints that are equal where elements are; a NaN is more than any number."""
    ranks = np.unique(rows, return_inverse=True)[1].reshape(rows.shape)
    return -ranks if descending else ranks


@pytest.mark.parametrize("descending", [False, True])
@pytest.mark.parametrize("dtype", DTYPES)
def test_rows_are_sorted_as_by_introsort(dtype: str, descending: bool) -> None:
    random = np.random.default_rng(0)
    for length in LENGTHS:
        rows = _rows(random, length, dtype)
        if dtype.startswith("float"):
            rows[0, random.random(length) < 0.1] = np.nan
        keys, places = sorted_rows(rows, descending=descending)
        expected = sorted_as_introsort(_ranks(rows, descending))
        np.testing.assert_array_equal(places, expected)
        np.testing.assert_array_equal(keys, np.take_along_axis(rows, expected, 1))


@pytest.mark.parametrize("largest", [False, True])
@pytest.mark.parametrize("dtype", DTYPES)
def test_what_comes_first_is_that_of_introselect_and_heaps(dtype: str, largest: bool) -> None:
    random = np.random.default_rng(1)
    for length in LENGTHS:
        rows = _rows(random, length, dtype)
        ranks = _ranks(rows, largest)
        for count in {1, (length + 3) // 4, length}:
            for in_order in (True, False):
                keys, places = first_of_rows(rows, count, largest=largest, in_order=in_order)
                if count * 64 <= length:
                    expected = np.stack([first_as_partial_sort(row, count) for row in ranks])
                else:
                    expected = selected_as_introselect(ranks, count, in_order)
                np.testing.assert_array_equal(places, expected)
                np.testing.assert_array_equal(keys, np.take_along_axis(rows, expected, 1))


def _killer(length: int) -> np.ndarray:
    """Numbers by which the median of three is among the smallest again and again (Musser, 1997)."""
    half = length // 2
    numbers = np.empty(2 * half, np.int64)
    odd = np.arange(1, half + 1)
    numbers[:half] = np.where(odd % 2 == 1, odd, half + odd - 1)
    numbers[half:] = 2 * odd
    return numbers // 2


def test_segments_that_are_too_deep_go_to_heaps() -> None:
    rows = np.stack([_killer(2000), _killer(2000)[::-1]])
    np.testing.assert_array_equal(
        sorted_rows(rows, descending=False)[1], sorted_as_introsort(_ranks(rows, False))
    )
    for count in (900, 1500):
        found = first_of_rows(rows, count, largest=False, in_order=True)[1]
        expected = selected_as_introselect(_ranks(rows, False), count, True)
        np.testing.assert_array_equal(found, expected)


def test_orders_depend_on_no_number_of_threads() -> None:
    rows = np.random.default_rng(2).integers(0, 50, (300, 700))
    before = get_num_threads()
    found: list[bytes] = []
    try:
        for threads in (1, 2, 3):
            set_num_threads(threads)
            made = (
                sorted_rows(rows, descending=True)[1],
                first_of_rows(rows, 40, largest=True, in_order=False)[1],
            )
            found.append(b"".join(each.tobytes() for each in made))
    finally:
        set_num_threads(before)
    assert len(set(found)) == 1


@pytest.mark.skipif(not IS_POSSIBLE, reason="pages are guarded on Linux")
@pytest.mark.parametrize("end", [False, True])
@pytest.mark.parametrize("length", [1, 5, 17, 200])
def test_nothing_is_touched_beyond_arrays(length: int, end: bool) -> None:
    def judge(_: int, guard: GuardedMemory) -> None:
        random = np.random.default_rng(0)
        with guard.guarding(at_begin=not end):
            for dtype in ("float32", "int8"):
                rows = random.integers(0, 5, (3, length)).astype(dtype)
                keys, _ = sorted_rows(rows, descending=False)
                first, _ = first_of_rows(rows, (length + 1) // 2, largest=True, in_order=True)
                few, _ = first_of_rows(rows, 1, largest=False, in_order=True)
        np.testing.assert_array_equal(keys, np.sort(rows, 1))
        np.testing.assert_array_equal(first, np.sort(rows, 1)[:, ::-1][:, : first.shape[1]])
        np.testing.assert_array_equal(few, rows.min(1, keepdims=True))

    assert said(judge) is None


@pytest.mark.parametrize("dtype", DTYPES)
def test_few_equal_elements_are_ordered_natively_once_that_took_long(
    dtype: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    random = np.random.default_rng(5)
    for length in (16, 17, 33, 100, 700):
        x = tsc.from_numpy(_rows(random, length, dtype))
        given = (x, x.t(), x.reshape(2, 2, length), x[0])
        found = []
        for seconds in (0.0, 1.0):
            monkeypatch.setattr(sorting.time_on_equals, "_spent", seconds)
            found.append([e.numpy() for each in given for e in _orders(each)])
        assert sorting.has_native_order(x.array)
        for plain, native in zip(*found, strict=True):
            np.testing.assert_array_equal(plain, native)
            assert plain.strides == native.strides and plain.dtype == native.dtype


def _orders(x: Any) -> list[Any]:
    length = x.size(-1)
    return [
        *x.sort(-1, True),
        *x.sort(0),
        x.argsort(),
        *x.topk(length // 2),
        *x.topk(1, -1, False),
        *x.topk(length - 1, -1, True, False),
    ]


def test_time_on_equal_elements_is_counted() -> None:
    spent = TimeTogether()
    with spent.counted():
        assert not spent.is_long
        time.sleep(0.03)
    assert spent.is_long
