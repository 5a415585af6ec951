"""Functions of large arrays by native code beside NumPy's: the same, to the last bit."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest

import tsc

pytest.importorskip("llvmlite")

from tsc.runtime.context import native_availability, native_hooks
from tsc.runtime.execution.executor_mode import MODE
from tsc.runtime.native.code.background import BACKGROUND
from tsc.runtime.native.large_arrays import large_arrays
from tsc.runtime.random import cephes
from tsc.runtime.random.generator import _box_muller

SHAPES = ((1, 1), (3, 17), (9, 8), (64, 33), (20, 130), (2, 5, 70))
SPECIAL = (np.nan, np.inf, -np.inf, 0.0, -0.0)


def both(monkeypatch: pytest.MonkeyPatch, compute: Callable[[], list[tsc.Tensor]]) -> None:
    """Computes by native code and by NumPy, and compares."""
    native_hooks.native_arrays()
    monkeypatch.setattr(native_availability, "_MANY", 1)
    monkeypatch.setattr(large_arrays, "WORTH_MAKING", 0)
    monkeypatch.setattr(BACKGROUND, "is_immediate", True)
    with np.errstate(all="ignore"):
        native = compute()
        assert any(each.making is not None for each in large_arrays._FUNCTIONS.values())
        monkeypatch.setattr(native_availability, "_MANY", 1 << 62)
        plain = compute()
    for found, expected in zip(native, plain, strict=True):
        assert found.dtype == expected.dtype
        assert found.stride() == expected.stride()
        a, b = found.numpy(), expected.numpy()
        assert np.array_equal(a, b, equal_nan=a.dtype.kind == "f")
        assert np.array_equal(np.signbit(a)[a == 0], np.signbit(b)[b == 0])


def numbers(seed: int, shape: tuple[int, ...], dtype: type) -> np.ndarray:
    random = np.random.default_rng(seed)
    if dtype is np.int64:
        return random.integers(-4, 5, shape)
    a = (random.normal(size=shape) * 2).round(1)
    a.flat[random.integers(0, a.size, 3)] = random.choice(SPECIAL, 3)
    return a.astype(dtype)


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int64])
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("name", ["cumsum", "cumprod", "cummax", "cummin"])
def test_running_results(
    name: str, shape: tuple[int, ...], dtype: type, monkeypatch: pytest.MonkeyPatch
) -> None:
    a = numbers(len(name) + len(shape), shape, dtype)

    def compute() -> list[tsc.Tensor]:
        found = [getattr(tsc, name)(tsc.Tensor(each), -1) for each in (a, a[::-1], a[..., ::2])]
        return [part for each in found for part in (each if isinstance(each, tuple) else (each,))]

    both(monkeypatch, compute)


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int64])
@pytest.mark.parametrize("shape", [(9, 64), (30, 71), (5, 16, 8)])
def test_rows_that_are_added(
    shape: tuple[int, ...], dtype: type, monkeypatch: pytest.MonkeyPatch
) -> None:
    random = np.random.default_rng(len(shape))
    a, names = numbers(1, shape, dtype), random.integers(0, shape[0], 40)
    rows = numbers(2, (40, *shape[1:]), dtype)

    def compute() -> list[tsc.Tensor]:
        x, of, index = tsc.Tensor(a.copy()), tsc.Tensor(rows), tsc.Tensor(names)
        return [
            tsc.index_add(x, 0, index, of),
            tsc.index_add(x, 0, index, tsc.Tensor(rows[:, ::-1].copy())[:, : shape[1]]),
            tsc.index_put(x, (index - shape[0],), of[0], True),
            tsc.index_add(x.transpose(0, 1), 1, index, of.transpose(0, 1)),
        ]

    both(monkeypatch, compute)


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int64])
@pytest.mark.parametrize("shape", [(400, 401), (1000, 200), (3, 60_000), (50_000, 5)])
def test_transposed_copies(
    shape: tuple[int, int], dtype: type, monkeypatch: pytest.MonkeyPatch
) -> None:
    a = tsc.Tensor(numbers(3, shape, dtype))
    both(monkeypatch, lambda: [a.t().contiguous(), a[:, :-1].t().contiguous()])


@pytest.mark.parametrize("count", [1, 2, 3, 1000, 77_777])
def test_permutations(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    def compute() -> list[tsc.Tensor]:
        tsc.manual_seed(count)
        return [tsc.randperm(count)]

    both(monkeypatch, compute)


@pytest.mark.parametrize("blocks", [1, 3, 4097])
def test_normal_numbers_are_those_of_passes_to_the_last_bit(blocks: int) -> None:
    draws = np.random.default_rng(blocks).integers(0, 1 << 32, 16 * blocks, np.uint32)
    draws[:4] = 0, (1 << 32) - 1, 1 << 23, 1
    uniform = (draws & np.uint32((1 << 24) - 1)).astype(np.float32) * np.float32(2.0**-24)
    functions = cephes.logarithm, cephes.sine_and_cosine
    expected = _box_muller(uniform, 0.0, 1.0, functions)
    np.testing.assert_array_equal(large_arrays.normals(draws), expected)


@pytest.mark.parametrize("count", [2, 17, 5000])
def test_numbers_are_shuffled_one_after_the_other(
    count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(MODE, "plan", "native")
    draws = np.random.default_rng(count).integers(0, 1 << 32, count - 1, np.uint32)
    expected = np.arange(count)
    for place, draw in enumerate(draws.tolist()):
        other = place + draw % (count - place)
        expected[[place, other]] = expected[[other, place]]
    numbers = np.arange(count)
    assert large_arrays.shuffle(numbers, draws)
    np.testing.assert_array_equal(numbers, expected)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_bags_are_summed_up_row_by_row(dtype: type) -> None:
    random = np.random.default_rng(5)
    wide = random.standard_normal((30, 40)).astype(dtype)
    sizes = random.integers(0, 20, 25)
    names, bounds = random.integers(0, 30, sizes.sum()), np.append(0, np.cumsum(sizes))
    names %= 15
    for table in (wide, wide[:, 3:20], wide[::-2], wide[:, :1]):
        expected = np.zeros((len(sizes), table.shape[1]), dtype)
        for bag, (low, high) in enumerate(pairwise(bounds)):
            for name in names[low:high]:
                expected[bag] += table[name]
        for given in (names, names.astype(np.int32)):
            found = large_arrays.bag_sums(table, given, bounds)
            np.testing.assert_array_equal(found, expected)
