"""Long sums keep their digits whatever the axis."""

from __future__ import annotations

import numpy as np
import pytest

from tsc.runtime.operators.reduction.reduction import mean_dim, sum_dim
from tsc.runtime.values.tensor import Tensor


@pytest.mark.parametrize("axes", [[0], [1], [0, 1], None])
def test_long_sums_are_accurate(axes: list[int] | None) -> None:
    numbers = np.random.RandomState(0).rand(100_000, 4).astype(np.float32)
    exact = numbers.astype(np.float64).sum(None if axes is None else tuple(axes))
    found = sum_dim(Tensor(numbers), axes).array
    assert found.dtype == np.float32
    assert np.allclose(found, exact, rtol=3e-7)
    count = numbers.size / exact.size
    assert np.allclose(mean_dim(Tensor(numbers), axes).array, exact / count, rtol=3e-7)
