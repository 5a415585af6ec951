"""Transforms are NumPy's and SciPy's, over any dimension of any array, and keep the precision of their argument."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.fft

from tsc.runtime.numerics import fourier_transforms

SHAPES = ((7,), (3, 4), (2, 3, 5), (300, 200), (2, 40000), (40000, 2), (5, 300, 40), (1, 70000, 1))
NAMES = ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("shape", SHAPES)
def test_transforms_over_every_dimension(name: str, shape: tuple[int, ...]) -> None:
    random = np.random.RandomState(7)
    a = random.standard_normal(shape)
    if name in ("irfft", "hfft"):
        a = a + 1j * random.standard_normal(shape)
    function, reference = getattr(fourier_transforms, name), getattr(np.fft, name)
    for axis in range(len(shape)):
        for count, norm in ((shape[axis], None), (6, "ortho"), (9, "forward")):
            expected = reference(a, count, axis, norm)
            found = function(a, count, axis, norm)
            assert found.flags.c_contiguous
            np.testing.assert_allclose(found, expected, 1e-9, 1e-9 * np.abs(expected).max())


@pytest.mark.parametrize("name", ["fft", "ifft"])
def test_whole_spectra_of_complex_numbers_and_in_single_precision(name: str) -> None:
    a = (np.arange(70000).reshape(700, 100) % 11 * (1 - 2j)).astype(np.complex64)
    found = getattr(fourier_transforms, name)(a, 100, 0, None)
    assert found.dtype == np.complex64
    np.testing.assert_allclose(found, getattr(np.fft, name)(a, 100, 0), 1e-4, 1e-2)


def test_an_argument_that_is_not_contiguous() -> None:
    a = np.arange(120000.0).reshape(300, 400)[::2, ::-1].T
    np.testing.assert_allclose(fourier_transforms.rfft(a, 150, 1, None), np.fft.rfft(a), 1e-9, 1e-3)


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.complex64, np.complex128])
@pytest.mark.parametrize("name", [*NAMES, "fftn", "ifftn", "rfftn", "irfftn"])
def test_few_points_are_those_of_scipy(name: str, dtype: type) -> None:
    if name in ("rfft", "ihfft", "rfftn") and dtype in (np.complex64, np.complex128):
        pytest.skip("takes real numbers")
    a = np.random.RandomState(7).standard_normal((5, 12)).astype(dtype)
    for count in (None, 4, 20):
        where = (count, 0) if not name.endswith("n") else (count and [count, 3], [0, 1])
        found = getattr(fourier_transforms, name)(a, *where, "ortho")
        expected = getattr(scipy.fft, name)(a, *where, "ortho")
        assert found.dtype == expected.dtype and found.flags.c_contiguous
        np.testing.assert_allclose(found, expected, 1e-5, 1e-6)
