"""Native transcendental functions against exact values, over all exponents."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tsc

pytest.importorskip("llvmlite")

from tsc.runtime.execution.executor_mode import MODE

RANDOM = np.random.default_rng(7)


def exact_erf(x: np.ndarray) -> np.ndarray:
    """2 / sqrt(pi) · exp(-x²) times a series of positive terms."""
    a = np.minimum(np.abs(x), 7)
    term = total = a
    for n in range(1, 200):
        term = term * (2 * a * a) / (2 * n + 1)
        total = total + term
    result = total * np.exp(-a * a) * 2 / np.sqrt(np.arccos(x.dtype.type(-1)))
    return np.copysign(result, x)


EXACT: dict[str, Callable[[Any], Any]] = {
    "exp": np.exp,
    "exp2": np.exp2,
    "expm1": np.expm1,
    "log": np.log,
    "log1p": np.log1p,
    "log2": np.log2,
    "log10": np.log10,
    "tanh": np.tanh,
    "erf": exact_erf,
    "sin": np.sin,
    "cos": np.cos,
    "tan": np.tan,
    "asin": np.arcsin,
    "acos": np.arccos,
    "atan": np.arctan,
    "sigmoid": lambda x: 1 / (1 + np.exp(-x)),
}
"""In a wider type: float64 for float32, the long double of C for float64."""


def arguments(count: int, dtype: type) -> np.ndarray:
    """Numbers of all signs and exponents, more of those that are common, and all special ones."""
    bits = np.int32 if dtype is np.float32 else np.int64
    limits = np.iinfo(bits)
    anything = RANDOM.integers(limits.min, limits.max, count, dtype=bits).view(dtype)
    common = (RANDOM.normal(size=count) * 10.0 ** RANDOM.integers(-3, 3, count)).astype(dtype)
    special = np.array(
        [0.0, -0.0, np.inf, -np.inf, np.nan, 1, -1, 88.7228, -103.97, 20, -20], dtype
    )
    return np.concatenate([special, anything, common])


def computed(name: str, x: np.ndarray, monkeypatch: pytest.MonkeyPatch) -> np.ndarray:
    """What a fused kernel makes of an array."""
    monkeypatch.setattr(MODE, "plan", "native")
    unit = tsc.CompilationUnit(f"def f(x: Tensor):\n    return torch.{name}(x) * 1.0")
    return unit.f(tsc.Tensor(x)).numpy()


def furthest(found: np.ndarray, exact: np.ndarray) -> float:
    """The largest error in units in the last place of the exact value; NaN must be NaN, zero have its sign."""
    assert np.array_equal(np.isnan(found), np.isnan(exact))
    rounded = exact.astype(found.dtype)
    assert np.array_equal(np.isinf(found), np.isinf(rounded)) or _nearly_infinite(found, rounded)
    finite = np.isfinite(found) & np.isfinite(rounded)
    unit = np.spacing(np.abs(rounded[finite]))
    return float(np.max(np.abs(found[finite].astype(exact.dtype) - exact[finite]) / unit))


def _nearly_infinite(found: np.ndarray, rounded: np.ndarray) -> bool:
    differ = np.isinf(found) != np.isinf(rounded)
    largest = np.finfo(found.dtype).max
    return bool(np.all(np.abs(np.where(np.isinf(found), rounded, found)[differ]) > largest * 0.999))


def check(name: str, dtype: type, wide: type, most: float, count: int, patch: Any) -> None:
    x = arguments(count, dtype)
    with np.errstate(all="ignore"):
        exact = EXACT[name](x.astype(wide))
        assert furthest(computed(name, x, patch), exact) <= most


@pytest.mark.parametrize("name", EXACT)
def test_float32_is_within_its_bound(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    check(name, np.float32, np.float64, 2.0, 50_000, monkeypatch)


@pytest.mark.parametrize("name", EXACT)
def test_float64_is_within_one_unit(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    check(name, np.float64, np.longdouble, 1.0, 20_000, monkeypatch)


def test_what_errors_lack_of_one(monkeypatch: pytest.MonkeyPatch) -> None:
    x = np.concatenate([arguments(5_000, np.float32), np.linspace(-5, 11, 40_000, dtype="float32")])
    with np.errstate(all="ignore"):
        exact = np.array([math.erfc(each) for each in x])
        assert furthest(computed("erfc", x, monkeypatch), exact) <= 1.0


def test_inverse_of_the_error_function(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its error function differs from the argument as it would, were the result the nearest number."""
    tails = 1 - 2.0 ** -RANDOM.uniform(0, 24, 10_000)
    x = np.concatenate([RANDOM.uniform(-1, 1, 10_000), tails, -tails]).astype(np.float32)
    found = computed("erfinv", x, monkeypatch)
    middle = np.clip(found.astype(np.float64), -5, 5)
    slope = np.exp(-(middle**2)) * 2 / np.sqrt(np.pi)
    missed = np.array([math.erf(each) for each in middle]) - x
    errors = np.abs(missed / slope) / np.spacing(np.abs(found))
    assert np.max(errors[np.abs(x) < 1]) <= 1.0
    special = np.array([1, -1, 0.0, -0.0, 1.5, np.nan, np.inf], np.float32)
    expected = np.array([np.inf, -np.inf, 0.0, -0.0, np.nan, np.nan, np.nan], np.float32)
    made = computed("erfinv", special, monkeypatch)
    assert np.array_equal(made, expected, equal_nan=True)
    assert np.signbit(made[3])


def test_powers_of_float32(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every pair of special numbers, and many others."""
    monkeypatch.setattr(MODE, "plan", "native")
    large, small = 2.0**24 + 1, 1e-40
    numbers = [0.0, 0.5, 1, 2, 2.5, 3, large, small, np.inf, np.nan]
    special = np.array([*numbers, *(-each for each in numbers)], np.float32)
    pairs = [each.ravel() for each in np.meshgrid(special, special)]
    x = np.concatenate([pairs[0], RANDOM.lognormal(0, 2, 20_000).astype(np.float32)])
    y = np.concatenate([pairs[1], RANDOM.normal(0, 5, 20_000).astype(np.float32)])
    unit = tsc.CompilationUnit("def f(x: Tensor, y: Tensor):\n    return x ** y * 1.0")
    found = unit.f(tsc.Tensor(x), tsc.Tensor(y)).numpy()
    with np.errstate(all="ignore"):
        exact = np.power(x.astype(np.float64), y.astype(np.float64))
        assert furthest(found, exact) <= 1.0
    known = ~np.isnan(exact)
    assert np.array_equal(np.signbit(found[known]), np.signbit(exact[known]))


@pytest.mark.parametrize(("dtype", "wide"), [("float32", "float64"), ("float64", "longdouble")])
def test_angles_of_points(dtype: str, wide: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every pair of special numbers, and many others."""
    monkeypatch.setattr(MODE, "plan", "native")
    limits = np.finfo(dtype)
    numbers = [0.0, 1.0, np.inf, np.nan, limits.max, limits.tiny, limits.smallest_subnormal]
    special = np.array([*numbers, *(-each for each in numbers)], dtype)
    pairs = [each.ravel() for each in np.meshgrid(special, special)]
    y, x = (np.concatenate([each, arguments(20_000, special.dtype.type)]) for each in pairs)
    unit = tsc.CompilationUnit("def f(y: Tensor, x: Tensor):\n    return torch.atan2(y, x) * 1.0")
    found = unit.f(tsc.Tensor(y), tsc.Tensor(x)).numpy()
    with np.errstate(all="ignore"):
        exact = np.arctan2(y.astype(wide), x.astype(wide))
    assert furthest(found, exact) <= 1.0
    known = ~np.isnan(exact)
    assert np.array_equal(np.signbit(found[known]), np.signbit(exact[known]))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_large_arguments_beside_others(dtype: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """One of a vector is large, in each of its places, and the one that is nearest to quarter turns."""
    x = np.linspace(-9, 9, 64).astype(dtype)
    for place in range(16):
        x[place::17] = 6381956970095103.0 * 2.0 ** (797 if dtype == "float64" else 60)
        exact = np.cos(x.astype(np.longdouble))
        assert furthest(computed("cos", x, monkeypatch), exact) <= 1.0


@pytest.mark.slow
@pytest.mark.parametrize("name", EXACT)
def test_many_of_float32(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    check(name, np.float32, np.float64, 2.0, 2_000_000, monkeypatch)
