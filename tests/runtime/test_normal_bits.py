"""Normal numbers agree with PyTorch's in every bit."""

from __future__ import annotations

import zlib

import numpy as np
import pytest

from tsc.runtime.arrays.dtypes import DOUBLE, FLOAT
from tsc.runtime.random import cephes, libm
from tsc.runtime.random.generator import Generator

CHECKSUMS = {
    # seed, count, mean, deviation: of the bytes of PyTorch's float32 numbers
    (0, 16, 0.0, 1.0): 2298586490,
    (1, 17, 0.0, 1.0): 341482391,
    (2, 31, 0.5, 0.02): 840108458,
    (3, 100, 0.0, 1.0): 1237155572,
    (4, 4096, 0.0, 0.02): 176639903,
    (42, 50000, -1.0, 3.0): 4149971661,
}


@pytest.mark.parametrize(("seed", "count", "mean", "std"), CHECKSUMS)
def test_normal_floats_have_the_bits_of_pytorchs(seed, count, mean, std) -> None:
    numbers = Generator(seed).normal(count, FLOAT, mean, std)
    assert zlib.crc32(numbers.tobytes()) == CHECKSUMS[seed, count, mean, std]


@pytest.mark.oracle
@pytest.mark.parametrize("kind", ["float32", "float64"])
@pytest.mark.parametrize("count", [15, 16, 17, 31, 100, 4096])
def test_normal_numbers_of_many_seeds_have_the_bits_of_pytorchs(kind: str, count: int) -> None:
    torch = pytest.importorskip("torch")
    dtype = FLOAT if kind == "float32" else DOUBLE
    for seed in range(20):
        torch.manual_seed(seed)
        expected = torch.empty(count, dtype=getattr(torch, kind)).normal_(0.1, 0.02)
        got = Generator(seed).normal(count, dtype, 0.1, 0.02)
        assert got.tobytes() == expected.numpy().tobytes(), seed


@pytest.mark.parametrize("name", ["exponential_", "log_normal_", "cauchy_", "geometric_"])
@pytest.mark.oracle
def test_numbers_of_other_distributions_have_the_bits_of_pytorchs(name: str) -> None:
    torch = pytest.importorskip("torch")
    import tsc

    arguments = (0.3,) if name == "geometric_" else ()
    torch.manual_seed(3)
    expected = getattr(torch.empty(5000, dtype=torch.float64), name)(*arguments)
    tsc.manual_seed(3)
    unit = tsc.CompilationUnit(
        f"def f() -> Tensor:\n    return torch.empty(5000, dtype=torch.double).{name}{arguments}\n"
    )
    assert unit.f().numpy().tobytes() == expected.numpy().tobytes()


def test_polynomials_are_as_good_as_float32_allows() -> None:
    numbers = np.linspace(1e-7, 1, 10_001, dtype=np.float32)
    exact = np.log(numbers.astype(np.float64))
    np.testing.assert_allclose(cephes.logarithm(numbers), exact, rtol=2e-7)
    angles = np.linspace(0, 50, 10_001, dtype=np.float32)
    sine, cosine = cephes.sine_and_cosine(angles)
    np.testing.assert_allclose(sine, np.sin(angles.astype(np.float64)), atol=2e-7)
    np.testing.assert_allclose(cosine, np.cos(angles.astype(np.float64)), atol=2e-7)


def test_exponentials_may_be_infinite() -> None:
    assert libm.exp(np.array([0.0, 1000.0, -1000.0])).tolist() == [1.0, np.inf, 0.0]
