"""Means of uneven windows, weighted sums of planes, and phases of rows by native code, against NumPy's."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

pytest.importorskip("llvmlite")

from tsc.runtime.arrays.blas_threads import get_num_threads, set_num_threads
from tsc.runtime.native.large_windows.planes import put_between, uneven_means, weighted_sums
from tsc.runtime.numerics.neural.pooling import AdaptedWindows, pooled_sum
from tsc.runtime.numerics.neural.resampling import Taps, _resampled_planes

from .fuzzing import said
from .guarded_memory import IS_POSSIBLE, GuardedMemory

DTYPES = {np.float32: 1e-6, np.float64: 1e-15}


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(
    ("extents", "counts"),
    [
        ((9,), (4,)),
        ((20, 20), (7, 7)),
        ((5, 33), (8, 1)),
        ((6, 7, 11), (4, 5, 6)),
        ((3, 3), (0, 2)),
    ],
)
def test_means_are_sums_over_sizes(
    extents: tuple[int, ...], counts: tuple[int, ...], dtype: Any
) -> None:
    planes = np.random.default_rng(0).random((3, *extents)).astype(dtype)
    axes = [AdaptedWindows(*each) for each in zip(extents, counts)]
    sizes = np.ones((), dtype)
    for axis in axes:
        sizes = sizes[..., np.newaxis] * (axis.ends() - axis.starts())
    found = uneven_means(planes, counts)
    assert found.dtype == dtype
    np.testing.assert_allclose(found, pooled_sum(planes, axes) / sizes, DTYPES[dtype] * 4)
    moved = np.moveaxis(np.ascontiguousarray(np.moveaxis(planes, 0, -1)), -1, 0)
    np.testing.assert_array_equal(uneven_means(moved, counts), found)


def _taps(random: Any, terms: int, extent: int, size: int, dtype: Any) -> Taps:
    places = random.integers(0, extent, (terms, size))
    return Taps(places, random.standard_normal((terms, size)).astype(dtype))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("terms", [1, 2, 4])
def test_weighted_sums_are_those_of_numpy_to_the_last_bit(terms: int, dtype: Any) -> None:
    random = np.random.default_rng(terms)
    for extents, sizes in (((5, 7), (11, 3)), ((1, 40), (1, 90)), ((16, 16), (128, 64))):
        planes = random.standard_normal((5, *extents)).astype(dtype)
        rows, columns = (_taps(random, terms, *each, dtype) for each in zip(extents, sizes))
        found = weighted_sums(
            planes, (rows.places, rows.weights), (columns.places, columns.weights)
        )
        np.testing.assert_array_equal(found, _resampled_planes(planes, [rows, columns]))


def _phases(random: Any, shape: tuple[int, ...], count: int, dtype: Any) -> list[Any]:
    columns = [len(range(phase, shape[-1], count)) for phase in range(count)]
    return [random.standard_normal((*shape[:-1], each)).astype(dtype) for each in columns]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("count", [2, 3, 4])
@pytest.mark.parametrize("extents", [(5,), (97,), (3, 32), (4, 131), (2, 3, 65)])
def test_phases_are_put_between_each_other(
    extents: tuple[int, ...], count: int, dtype: Any
) -> None:
    random = np.random.default_rng(4)
    shape = (2, 3, *extents)
    phases = _phases(random, shape, count, dtype)
    spread = np.zeros((2, 3, *(2 * each for each in extents[:-1]), extents[-1]), dtype)
    rows = spread[(..., *(slice(1, None, 2) for _ in extents[:-1]), slice(None))]
    put_between(phases, rows)
    expected = np.zeros(shape, dtype)
    for phase, each in enumerate(phases):
        expected[..., phase::count] = each
    np.testing.assert_array_equal(rows, expected)
    assert np.count_nonzero(spread) == np.count_nonzero(rows)


def test_results_depend_on_no_number_of_threads() -> None:
    random = np.random.default_rng(3)
    planes = random.standard_normal((37, 60, 60)).astype(np.float32)
    taps = [_taps(random, 2, 60, 120, np.float32) for _ in range(2)]
    given = [(each.places, each.weights) for each in taps]
    before = get_num_threads()
    found: list[bytes] = []
    try:
        for threads in (1, 2, 3):
            set_num_threads(threads)
            between = np.empty((1, 37, 60, 120), np.float32)
            put_between([planes, planes[::-1].copy()], between)
            made = uneven_means(planes, (7, 9)), weighted_sums(planes, *given), between
            found.append(b"".join(each.tobytes() for each in made))
    finally:
        set_num_threads(before)
    assert len(set(found)) == 1


@pytest.mark.skipif(not IS_POSSIBLE, reason="pages are guarded on Linux")
@pytest.mark.parametrize("end", [False, True])
def test_nothing_is_touched_beyond_arrays(end: bool) -> None:
    def judge(_: int, guard: GuardedMemory) -> None:
        random = np.random.default_rng(0)
        with guard.guarding(at_begin=not end):
            planes = random.standard_normal((3, 5, 7)).astype(np.float32)
            means = uneven_means(planes, (3, 2))
            taps = [_taps(random, 2, n, m, np.float32) for n, m in ((5, 9), (7, 4))]
            found = weighted_sums(planes, *((each.places, each.weights) for each in taps))
            phases = _phases(random, (2, 3, 4, 35), 2, np.float32)
            between = np.empty((2, 3, 4, 35), np.float32)
            put_between(phases, between)
        assert means.shape == (3, 3, 2)
        np.testing.assert_array_equal(between[..., 1::2], phases[1])
        np.testing.assert_array_equal(found, _resampled_planes(planes, taps))

    assert said(judge) is None
