"""Native convolutions and pooling against NumPy's, over random shapes, strides, margins, groups and layouts."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

pytest.importorskip("llvmlite")

from tsc.runtime.arrays.blas_threads import get_num_threads, set_num_threads
from tsc.runtime.native.large_windows import large_windows
from tsc.runtime.native.large_windows.window_layout import tables_of
from tsc.runtime.numerics.neural.convolving import convolve_by_products
from tsc.runtime.numerics.neural.native_work import is_native_work
from tsc.runtime.numerics.neural.pooling import EvenWindows, pooled_maximum, pooled_sum
from tsc.runtime.numerics.neural.windows import window_counts

from .fuzzing import said
from .guarded_memory import IS_POSSIBLE, GuardedMemory

DTYPES = (np.float32, np.float64)
TOLERANCE = {np.float32: 2e-6, np.float64: 1e-14}


def numbers(random: Any, low: int, high: int, count: int) -> tuple[int, ...]:
    return tuple(int(each) for each in random.integers(low, high, count))


def array_of(random: Any, shape: tuple[int, ...], dtype: Any) -> np.ndarray:
    """In one of several layouts: contiguous, channels last, every other column, or turned around."""
    kind = int(random.integers(0, 5))
    if kind == 1:
        last = random.standard_normal((shape[0], *shape[2:], shape[1])).astype(dtype)
        return np.moveaxis(last, -1, 1)
    if kind == 2:
        return random.standard_normal((*shape[:-1], 2 * shape[-1])).astype(dtype)[..., ::2]
    if kind == 3:
        return random.standard_normal(shape).astype(dtype)[..., ::-1]
    if kind == 4:
        return np.broadcast_to(random.standard_normal((1, *shape[1:])).astype(dtype), shape)
    return random.standard_normal(shape).astype(dtype)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("seed", range(40))
def test_convolutions_are_those_of_products(seed: int, dtype: Any) -> None:
    random = np.random.default_rng(seed)
    spatial, groups = int(random.integers(1, 4)), int(random.choice([1, 1, 2, 5]))
    channels, outputs = (groups * int(random.integers(1, most)) for most in (5, 20))
    kernel, dilation = numbers(random, 1, 4, spatial), numbers(random, 1, 3, spatial)
    stride, before = numbers(random, 1, 4, spatial), numbers(random, 0, 3, spatial)
    after = numbers(random, 0, 3, spatial)
    extents = numbers(random, 5, 24 // spatial + 5, spatial)
    a = array_of(random, (int(random.integers(1, 4)), channels, *extents), dtype)
    weight = array_of(random, (outputs, channels // groups, *kernel), dtype)
    bias = random.standard_normal(outputs).astype(dtype) if seed % 2 else None
    margins = list(zip(before, after))
    counts = window_counts([n + sum(m) for n, m in zip(extents, margins)], kernel, stride, dilation)
    expected = convolve_by_products(a, weight, stride, margins, dilation, groups)
    if bias is not None:
        expected += bias.reshape(-1, *(1,) * spatial)
    found = large_windows.convolve(a, weight, bias, stride, before, dilation, groups, counts)
    assert found.dtype == expected.dtype
    np.testing.assert_allclose(found, expected, 0, TOLERANCE[dtype] * np.abs(expected).max())


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("seed", range(30))
def test_pooling_is_that_of_passes(seed: int, dtype: Any) -> None:
    random = np.random.default_rng(seed)
    spatial = int(random.integers(1, 4))
    extents = numbers(random, 5, 24 // spatial + 5, spatial)
    kernel, stride = numbers(random, 1, 4, spatial), numbers(random, 1, 4, spatial)
    before = [int(random.integers(0, size // 2 + 1)) for size in kernel]
    a = array_of(random, (2, 3, *extents), dtype)
    if seed % 3 == 0:
        a = np.where(a > 1.5, np.nan, a)
    counts = [(n + 2 * p - k) // s + 1 for n, p, k, s in zip(extents, before, kernel, stride)]
    axes = [
        EvenWindows(n, k, s, p, 1, c)
        for n, k, s, p, c in zip(extents, kernel, stride, before, counts)
    ]
    ones = (1,) * spatial
    found = large_windows.pool(a, kernel, stride, before, ones, counts, None)
    np.testing.assert_array_equal(found, pooled_maximum(a, axes))
    sizes = random.integers(1, 9, counts)
    means = large_windows.pool(a, kernel, stride, before, ones, counts, sizes)
    expected = pooled_sum(a, axes) / sizes.astype(dtype)
    np.testing.assert_allclose(means, expected, 1e-5, 1e-5)


@pytest.mark.parametrize("shape", [(5, 4, 4), (8, 5, 5), (2, 9), (7, 3)])
def test_images_are_layers_of_one(shape: tuple[int, ...]) -> None:
    """Where that fills vectors better: the same sums in the same order."""
    random = np.random.default_rng(1)
    images, *extents = shape
    spatial = len(extents)
    a = random.standard_normal((images, 6, *extents)).astype(np.float32)
    weight = random.standard_normal((9, 6, *(2,) * spatial)).astype(np.float32)
    ones, counts = (1,) * spatial, [n - 1 for n in extents]
    wanted = large_windows.Convolution(a, weight, ones, (0,) * spatial, ones, counts)
    assert wanted.may_have_layers
    assert wanted.of_layers().vectors(9) <= images * wanted.vectors(9)
    found = large_windows.convolve(a, weight, None, ones, (0,) * spatial, ones, 1, counts)
    alone = [
        large_windows.convolve(
            each[np.newaxis], weight, None, ones, (0,) * spatial, ones, 1, counts
        )
        for each in a
    ]
    np.testing.assert_array_equal(found, np.concatenate(alone))


@pytest.mark.parametrize("shape", [(1, 16, 60, 60), (3, 16, 60, 60), (1, 16, 9, 61)])
@pytest.mark.parametrize("groups", [1, 2, 16])
def test_results_depend_on_no_number_of_threads(shape: tuple[int, ...], groups: int) -> None:
    random = np.random.default_rng(0)
    a = random.standard_normal(shape).astype(np.float32)
    weight = random.standard_normal((64, 16 // groups, 3, 3)).astype(np.float32)
    twos, ones = (2, 2), (1, 1)
    counts = window_counts([n + 2 for n in shape[2:]], (3, 3), twos, ones)
    before = get_num_threads()
    found: list[bytes] = []
    try:
        for threads in (1, 2, 3):
            set_num_threads(threads)
            result = large_windows.convolve(a, weight, None, twos, ones, ones, groups, counts)
            found.append(result.tobytes())
    finally:
        set_num_threads(before)
    assert len(set(found)) == 1


@pytest.mark.skipif(not IS_POSSIBLE, reason="pages are guarded on Linux")
@pytest.mark.parametrize("end", [False, True])
@pytest.mark.parametrize("extents", [(5, 5), (7, 16), (13, 29)])
@pytest.mark.parametrize(
    ("kernel", "margin", "stride"), [(1, 0, 1), (3, 0, 1), (3, 1, 1), (2, 0, 2)]
)
@pytest.mark.parametrize("images", [1, 4])
def test_nothing_is_read_beyond_arrays(
    extents: tuple[int, int], kernel: int, margin: int, stride: int, images: int, end: bool
) -> None:
    def judge(_: int, guard: GuardedMemory) -> None:
        random = np.random.default_rng(0)
        with guard.guarding(at_begin=not end):
            a = random.standard_normal((images, 3, *extents)).astype(np.float32)
            weight = random.standard_normal((3, 11, kernel, kernel)).astype(np.float32)
            weight = weight.swapaxes(0, 1)[..., ::-1]
            pair = [(each,) * 2 for each in (stride, margin, 1)]
            counts = window_counts(
                [n + 2 * margin for n in extents], (kernel,) * 2, pair[0], pair[2]
            )
            found = large_windows.convolve(a, weight, None, *pair, 1, counts)
            large_windows.pool(a, (kernel,) * 2, pair[0], pair[1], pair[2], counts, None)
        expected = convolve_by_products(a, weight, pair[0], [(margin, margin)] * 2, pair[2], 1)
        np.testing.assert_allclose(found, expected, 1e-4, 1e-5)

    assert said(judge) is None


def test_only_what_is_large_is_native_work() -> None:
    assert not is_native_work(np.dtype(np.float32), 1000)
    assert not is_native_work(np.dtype(np.int64), 1 << 40)
    assert is_native_work(np.dtype(np.float32), 1 << 30)
    assert is_native_work(np.dtype(np.float64), 1 << 20)


@pytest.mark.parametrize("kernel", [(3, 3), (5, 5), (2, 3)])
@pytest.mark.parametrize("stride", [1, 2, 3])
def test_channels_by_themselves_are_those_of_products(kernel: tuple[int, int], stride: int) -> None:
    random = np.random.default_rng(stride)
    for extents in ((9, 7), (23, 61)):
        dilation, before = numbers(random, 1, 3, 2), numbers(random, 1, 3, 2)
        a = random.standard_normal((2, 3, *extents)).astype(np.float32)
        weight = random.standard_normal((6, 1, *kernel)).astype(np.float32)
        margins = [(each, each) for each in before]
        steps = (stride, stride)
        counts = window_counts(
            [n + 2 * b for n, b in zip(extents, before)], kernel, steps, dilation
        )
        expected = convolve_by_products(a, weight, steps, margins, dilation, 3)
        found = large_windows.convolve(a, weight, None, steps, before, dilation, 3, counts)
        np.testing.assert_allclose(found, expected, 1e-4, 1e-5)


def test_vectors_begin_where_windows_do() -> None:
    """Rows of 32 windows in planes of 68 elements: two vectors each, and none across a margin."""
    a = np.zeros((1, 1, 32, 32), np.float32)
    pairs = [(each,) * 2 for each in (3, 1, 18, 18, 32)]
    geometry = large_windows.geometry_of(a, *pairs, 1, (0, 0, 0))
    tables = tables_of(geometry)
    assert tables.vectors == 32 * -(-32 // geometry.lanes)
    assert tables.lanes.all()
