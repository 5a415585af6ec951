"""Native dense layers against NumPy's products, over random shapes and layouts, and at the ends of memory."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

pytest.importorskip("llvmlite")

from tsc.runtime.arrays.blas_threads import get_num_threads, set_num_threads
from tsc.runtime.native.dense_layers import dense_layers
from tsc.runtime.numerics.neural.dense import dense

from .fuzzing import said
from .guarded_memory import IS_POSSIBLE, GuardedMemory

DTYPES = (np.float32, np.float64)
TOLERANCE = {np.float32: 2e-6, np.float64: 1e-14}
LAYOUTS = ("rows", "columns", "every other", "turned around", "the same row")


def rows_of(random: Any, layout: str, count: int, terms: int, dtype: Any) -> np.ndarray:
    if layout == "every other":
        return random.standard_normal((count, 2 * terms)).astype(dtype)[:, ::2]
    if layout == "the same row":
        return np.broadcast_to(random.standard_normal(terms).astype(dtype), (count, terms))
    rows = random.standard_normal((count, terms)).astype(dtype)
    if layout == "columns":
        return np.asfortranarray(rows)
    return rows[::-1] if layout == "turned around" else rows


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_products_are_those_of_numpy(layout: str, dtype: Any) -> None:
    random = np.random.default_rng(LAYOUTS.index(layout))
    for count in (1, 2, 15, 16, 17, 33, 70):
        outputs, terms = (int(each) for each in random.integers(1, 40, 2))
        rows = rows_of(random, layout, count, terms, dtype)
        weight = random.standard_normal((outputs, 2 * terms)).astype(dtype)[:, :terms]
        bias = random.standard_normal(outputs).astype(dtype) if count % 2 else None
        expected = rows @ weight.T + (0 if bias is None else bias)
        found = np.empty((count, outputs), dtype)
        dense_layers.dense(rows, weight, bias, found)
        np.testing.assert_allclose(found, expected, 0, TOLERANCE[dtype] * np.abs(expected).max())


def test_strips_that_are_more_than_are_made_at_once_are_all_multiplied() -> None:
    random = np.random.default_rng(0)
    rows = random.standard_normal((203, 5000)).astype(np.float32)
    weight = random.standard_normal((11, 5000)).astype(np.float32)
    found = np.empty((203, 11), np.float32)
    dense_layers.dense(rows, weight, None, found)
    expected = rows.astype(np.float64) @ weight.T
    np.testing.assert_allclose(found, expected, 0, 2e-6 * np.abs(expected).max())


@pytest.mark.parametrize("shape", [(3, 2048, 512), (40, 300, 1024), (1000, 64, 333)])
def test_results_depend_on_no_number_of_threads(shape: tuple[int, int, int]) -> None:
    count, terms, outputs = shape
    random = np.random.default_rng(0)
    rows = random.standard_normal((count, terms)).astype(np.float32)
    weight = random.standard_normal((outputs, terms)).astype(np.float32)
    before = get_num_threads()
    made: list[bytes] = []
    try:
        for threads in (1, 2, 3):
            set_num_threads(threads)
            found = np.full((count, outputs), np.nan, np.float32)
            dense_layers.dense(rows, weight, None, found)
            made.append(found.tobytes())
    finally:
        set_num_threads(before)
    assert len(set(made)) == 1


@pytest.mark.parametrize("lead", [(64,), (3, 32), (2, 3, 16)])
@pytest.mark.parametrize("is_moved", [False, True])
def test_stacks_of_any_layout_are_multiplied_as_one(lead: tuple[int, ...], is_moved: bool) -> None:
    random = np.random.default_rng(1)
    a = random.standard_normal((*lead, 256)).astype(np.float32)
    if is_moved:
        a = np.moveaxis(np.ascontiguousarray(np.moveaxis(a, -1, 0)), 0, -1)
    weight = random.standard_normal((700, 256)).astype(np.float32)
    bias = random.standard_normal(700).astype(np.float32)
    expected = a.astype(np.float64) @ weight.T + bias
    found = dense(a, weight.T, bias)
    assert found.shape == expected.shape
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, expected, 0, 2e-6 * np.abs(expected).max())


@pytest.mark.skipif(not IS_POSSIBLE, reason="pages are guarded on Linux")
@pytest.mark.parametrize("end", [False, True])
@pytest.mark.parametrize("layout", ["rows", "columns"])
@pytest.mark.parametrize(("count", "terms", "outputs"), [(1, 1, 1), (5, 3, 7), (35, 21, 19)])
def test_nothing_is_touched_beyond_arrays(
    count: int, terms: int, outputs: int, layout: str, end: bool
) -> None:
    def judge(_: int, guard: GuardedMemory) -> None:
        random = np.random.default_rng(0)
        with guard.guarding(at_begin=not end):
            rows = rows_of(random, layout, count, terms, np.float32)
            weight = random.standard_normal((outputs, terms)).astype(np.float32)
            bias = random.standard_normal(outputs).astype(np.float32)
            found = np.empty((count, outputs), np.float32)
            dense_layers.dense(rows, weight, bias, found)
        np.testing.assert_allclose(found, rows @ weight.T + bias, 1e-4, 1e-5)

    assert said(judge) is None
