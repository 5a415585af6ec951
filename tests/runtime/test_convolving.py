"""Convolutions by a kernel of one element, as products of planes where they lie."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tsc.runtime.numerics.neural.convolving import convolve, convolve_by_products

EXTENTS = ((7,), (1, 1), (5, 6), (0, 3), (2, 3, 4))


@pytest.mark.parametrize("dtype", [np.float32, np.complex64, np.int64])
@pytest.mark.parametrize("step", [1, 2])
@pytest.mark.parametrize("extents", EXTENTS)
@pytest.mark.parametrize("batch", [0, 1, 3])
def test_kernels_of_one_element(
    batch: int, extents: tuple[int, ...], step: int, dtype: Any
) -> None:
    random = np.random.default_rng(0)
    ones = (1,) * len(extents)
    a = (random.standard_normal((*extents, batch, 4)) * 5).astype(dtype)
    a = np.moveaxis(a, (-2, -1), (0, 1))
    weight = (random.standard_normal((3, 4, *ones)) * 5).astype(dtype)
    bias = np.arange(3).astype(dtype)
    steps, margins = [step] * len(extents), [(0, 0)] * len(extents)
    expected = convolve_by_products(a, weight, steps, margins, ones, 1)
    expected = expected + bias.reshape(-1, *ones)
    found = convolve(a, weight, steps, margins, ones, 1, bias)
    assert found.dtype == dtype
    assert found.flags.c_contiguous
    np.testing.assert_allclose(found, expected, 1e-5, 1e-5)
