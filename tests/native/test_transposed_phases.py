"""Transposed convolutions by phases against those by products, over random kernels, strides and margins."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

pytest.importorskip("llvmlite")

from tsc.runtime.numerics.neural.convolving import convolve_transposed
from tsc.runtime.numerics.neural.transposed_phases import convolve_by_phases

DTYPES = {np.float32: 2e-6, np.float64: 1e-14}


def _numbers(random: Any, low: int, high: int, count: int) -> list[int]:
    return [int(each) for each in random.integers(low, high, count)]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("seed", range(40))
def test_phases_are_products_that_are_added_up(seed: int, dtype: Any) -> None:
    random = np.random.default_rng(seed)
    spatial, groups = int(random.integers(1, 4)), int(random.choice([1, 1, 2, 3]))
    kernel, dilation = _numbers(random, 1, 6 - spatial, spatial), _numbers(random, 1, 4, spatial)
    stride = _numbers(random, 1, 5, spatial)
    extra = [int(random.integers(0, max(each))) for each in zip(stride, dilation)]
    extents = _numbers(random, 1, 24 // spatial, spatial)
    sizes = [
        (n - 1) * s + d * (k - 1) + 1 + e
        for n, s, d, k, e in zip(extents, stride, dilation, kernel, extra)
    ]
    padding = [int(random.integers(0, (size + 1) // 2)) for size in sizes]
    counts = [size - 2 * p for size, p in zip(sizes, padding)]
    a = random.standard_normal((2, groups * 3, *extents)).astype(dtype)
    weight = random.standard_normal((groups * 3, 5, *kernel)).astype(dtype)
    bias = random.standard_normal(groups * 5).astype(dtype) if seed % 2 else None
    expected = convolve_transposed(a, weight, stride, padding, extra, dilation, groups)
    if bias is not None:
        expected += bias.reshape(-1, *(1,) * spatial)
    found = convolve_by_phases(a, weight, bias, stride, padding, dilation, groups, counts)
    assert found.shape == expected.shape
    assert found.dtype == expected.dtype
    np.testing.assert_allclose(found, expected, 0, DTYPES[dtype] * max(1, np.abs(expected).max()))
