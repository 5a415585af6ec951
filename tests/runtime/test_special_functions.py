"""Special functions against values of 17 digits, at edges, and in float32."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from tsc.runtime.numerics.special import (
    airy_function,
    bessel_functions,
    error_functions,
    gamma_functions,
    incomplete_gamma,
    inverse_error_functions,
    log_gamma,
    modified_bessel_functions,
    orthogonal_polynomials,
    zeta_function,
)
from tsc.runtime.numerics.special.evaluation import STRETCH

ANSWERS: dict[str, list[list[float]]] = json.loads(
    (Path(__file__).parent / "recorded" / "special_functions.json").read_text(encoding="utf-8")
)
MODULES = (
    airy_function,
    bessel_functions,
    error_functions,
    gamma_functions,
    incomplete_gamma,
    inverse_error_functions,
    log_gamma,
    modified_bessel_functions,
    zeta_function,
)
WITH_PARAMETER: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "polygamma_3": lambda x: gamma_functions.polygamma(3, x),
    "multigammaln_3": lambda x: gamma_functions.multigammaln(x, 3),
}
OSCILLATING = {"airy_ai", "bessel_j0", "bessel_j1", "bessel_y0", "bessel_y1", "spherical_bessel_j0"}
"""Functions with zeros, near which the absolute error counts."""


@pytest.fixture(autouse=True)
def _without_warnings() -> Iterator[None]:
    """Floating-point warnings are the caller's to silence."""
    with np.errstate(all="ignore"):
        yield


def function_called(name: str) -> Callable[..., np.ndarray]:
    if name in WITH_PARAMETER:
        return WITH_PARAMETER[name]
    return next(getattr(module, name) for module in MODULES if hasattr(module, name))


@pytest.mark.parametrize("name", ANSWERS)
def test_double_precision_keeps_twelve_digits(name: str) -> None:
    *arguments, expected = (np.array(column) for column in zip(*ANSWERS[name]))
    found = function_called(name)(*arguments)
    absolute = 1e-14 if name in OSCILLATING else 0
    np.testing.assert_allclose(found, expected, 2e-12, absolute)


@pytest.mark.parametrize("name", ANSWERS)
def test_single_precision_is_double_precision_rounded(name: str) -> None:
    columns = [np.array(column) for column in zip(*ANSWERS[name])][:-1]
    singles = [column.astype(np.float32) for column in columns]
    function = function_called(name)
    expected = function(*(single.astype(np.float64) for single in singles))
    found = function(*singles)
    assert found.dtype == np.float32
    rounded = expected.astype(np.float32)
    np.testing.assert_allclose(found, rounded, 3e-6, 3e-7 if name == "lgamma" else 1e-37)


@pytest.mark.parametrize("name", ["i0", "i0e", "i1", "i1e", "ndtr", "erfcx"])
def test_long_arrays_of_single_precision_have_the_values_of_short_ones(name: str) -> None:
    function = function_called(name)
    magnitudes = np.geomspace(1e-20, 1e4, 400)
    values = [*magnitudes, *np.linspace(0, 12, 400), *-np.linspace(0, 90, 400), -np.inf, 0.0, -0.0]
    long = np.array([*values, *-magnitudes, np.inf, np.nan, 3e38, -3e38], np.float32)
    expected = function(long.astype(np.float64)).astype(np.float32)
    overflowing = np.isinf(expected) | (np.abs(expected) > 1e37)
    found = function(long)
    np.testing.assert_allclose(found[~overflowing], expected[~overflowing], 4e-6, 1e-37)
    assert (np.abs(found[overflowing]) > 1e37).all()
    assert np.isnan(found[np.isnan(long)]).all()


@pytest.mark.parametrize("name", ["erf", "erfc", "lgamma", "digamma", "bessel_j0", "i0", "airy_ai"])
def test_any_shape_order_and_length_gives_the_same_numbers(name: str) -> None:
    function = function_called(name)
    x = np.linspace(0.1, 12, 24).reshape(2, 3, 4)
    each = np.array([function(np.array(value)) for value in x.reshape(-1)]).reshape(x.shape)
    np.testing.assert_array_equal(function(x), each)
    np.testing.assert_array_equal(function(x.transpose(2, 0, 1)), each.transpose(2, 0, 1))
    np.testing.assert_array_equal(function(x[:, ::2]), each[:, ::2])
    long = np.resize(x, STRETCH // 8 * 2 + 5)
    np.testing.assert_array_equal(function(long), np.resize(each, long.shape))
    assert function(np.empty((0, 3))).shape == (0, 3)


def test_layout_of_a_transposed_argument_is_kept() -> None:
    x = np.ones((3, 4)).T
    assert error_functions.erf(x).strides == x.strides


INF, NAN = np.inf, np.nan
EDGES = {
    "erf": [(0.0, 0.0), (INF, 1.0), (-INF, -1.0), (NAN, NAN)],
    "erfc": [(INF, 0.0), (-INF, 2.0), (NAN, NAN), (30.0, 0.0)],
    "erfcx": [(INF, 0.0), (-INF, INF), (-27.0, INF)],
    "erfinv": [(1.0, INF), (-1.0, -INF), (1.5, NAN), (-2.0, NAN), (0.0, 0.0)],
    "ndtri": [(0.0, -INF), (1.0, INF), (-0.5, NAN), (1.5, NAN), (0.5, 0.0)],
    "log_ndtr": [(INF, 0.0), (-INF, -INF)],
    "lgamma": [(0.0, INF), (-1.0, INF), (INF, INF), (-INF, INF), (1.0, 0.0), (2.0, 0.0)],
    "digamma": [(0.0, -INF), (-0.0, INF), (-3.0, NAN), (INF, INF), (-INF, NAN)],
    "bessel_y0": [(0.0, -INF), (-1.0, NAN)],
    "k0": [(0.0, INF), (-1.0, NAN), (800.0, 0.0), (INF, 0.0)],
    "k1": [(0.0, INF), (-1.0, NAN)],
    "i0": [(0.0, 1.0), (800.0, INF)],
    "i1": [(0.0, 0.0), (-800.0, -INF)],
    "airy_ai": [(INF, NAN), (-INF, NAN), (104.0, 0.0)],
    "spherical_bessel_j0": [(0.0, 1.0), (INF, 0.0), (-INF, 0.0)],
}


@pytest.mark.parametrize("name", EDGES)
def test_edges(name: str) -> None:
    arguments, expected = (np.array(column) for column in zip(*EDGES[name]))
    for dtype in (np.float64, np.float32):
        found = function_called(name)(arguments.astype(dtype))
        np.testing.assert_array_equal(found, expected.astype(dtype))


@pytest.mark.parametrize("name", ["erf", "erfinv"])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_zero_keeps_its_sign(name: str, dtype: str) -> None:
    assert list(np.signbit(function_called(name)(np.array([0.0, -0.0], dtype)))) == [False, True]


def test_incomplete_gamma_functions_at_edges() -> None:
    a = np.array([0.0, 0.0, 2.0, 2.0, INF, INF, -1.0, 1.0, NAN])
    x = np.array([0.0, 3.0, 0.0, INF, 3.0, INF, 1.0, -1.0, 1.0])
    lower = np.array([NAN, 1.0, 0.0, 1.0, 0.0, NAN, NAN, NAN, NAN])
    np.testing.assert_array_equal(incomplete_gamma.igamma(a, x), lower)
    np.testing.assert_array_equal(incomplete_gamma.igammac(a, x), 1 - lower)


def test_hurwitz_zeta_at_edges() -> None:
    s = np.array([1.0, 0.5, 3.0, 3.5, 3.0, 2.0])
    q = np.array([2.0, 2.0, -2.0, -1.5, 0.0, INF])
    found = zeta_function.hurwitz_zeta(s, q)
    np.testing.assert_array_equal(found, [INF, NAN, INF, NAN, INF, NAN])


POLYNOMIALS = {
    "chebyshev_t": np.polynomial.chebyshev.Chebyshev,
    "hermite_h": np.polynomial.hermite.Hermite,
    "hermite_he": np.polynomial.hermite_e.HermiteE,
    "laguerre_l": np.polynomial.laguerre.Laguerre,
    "legendre_p": np.polynomial.legendre.Legendre,
}


@pytest.mark.parametrize("name", POLYNOMIALS)
def test_polynomials_agree_with_their_series(name: str) -> None:
    x = np.array([-2.0, -1.0, -0.7, 0.0, 0.3, 1.0, 1.7])
    for degree in (0, 1, 2, 5, 9, 14):
        expected = POLYNOMIALS[name].basis(degree)(x)
        found = getattr(orthogonal_polynomials, name)(x, np.full_like(x, degree))
        np.testing.assert_allclose(found, expected, 1e-11, 1e-12)


@pytest.mark.parametrize("kind", "tuvw")
def test_chebyshev_polynomials_are_ratios_of_sines_and_cosines(kind: str) -> None:
    angle = np.linspace(0.1, 3, 7)
    for n in (0, 1, 3, 8, 30):
        expected = {
            "t": np.cos(n * angle),
            "u": np.sin((n + 1) * angle) / np.sin(angle),
            "v": np.cos((n + 0.5) * angle) / np.cos(angle / 2),
            "w": np.sin((n + 0.5) * angle) / np.sin(angle / 2),
        }[kind]
        polynomial = getattr(orthogonal_polynomials, f"chebyshev_{kind}")
        degree = np.full_like(angle, n)
        np.testing.assert_allclose(polynomial(np.cos(angle), degree), expected, 1e-11, 1e-12)
        shifted = polynomial.shifted((np.cos(angle) + 1) / 2, degree)
        np.testing.assert_allclose(shifted, expected, 1e-10, 1e-12)


def test_degrees_that_are_negative_or_not_finite_give_zero() -> None:
    x = np.full(3, 0.5)
    n = np.array([-1.0, INF, NAN])
    np.testing.assert_array_equal(orthogonal_polynomials.legendre_p(x, n), np.zeros(3))


def test_a_huge_degree_that_overflows_ends() -> None:
    x = np.array([1.5])
    found = orthogonal_polynomials.chebyshev_t(x, np.array([1e15]))
    assert np.isnan(found).all()
