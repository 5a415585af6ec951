"""Logarithm, sine and cosine in float32, by the polynomials of the Cephes library (Moshier, 1989).

PyTorch makes normal float32 numbers of them. Where one of its products goes into one sum, it is not
rounded before: a product of two float32 numbers is exact in float64, so that sums in float64 are
rounded but once. The coefficients are Cephes's of ``logf``, ``sinf`` and ``cosf``.
"""

from __future__ import annotations

import numpy as np

LOGARITHM = (
    *(7.0376836292e-2, -1.1514610310e-1, 1.1676998740e-1, -1.2420140846e-1, 1.4249322787e-1),
    *(-1.6668057665e-1, 2.0000714765e-1, -2.4999993993e-1, 3.3333331174e-1),
)
SINE = (-1.9515295891e-4, 8.3321608736e-3, -1.6666654611e-1)
COSINE = (2.443315711809948e-5, -1.388731625493765e-3, 4.166664568298827e-2)
LN2 = (np.float32(0.693359375), np.float32(-2.12194440e-4))
"""The logarithm of two, in two parts: multiples of the first one are exact."""
QUARTER_PI = (0.78515625, 2.4187564849853515625e-4, 3.77489497744594108e-8)
"""A quarter of pi, in three parts."""
HALF_ROOT = np.float32(0.5**0.5)
_HALF = np.float32(0.5)
_ONE = np.float32(1)


def logarithm(numbers: np.ndarray) -> np.ndarray:
    """The natural logarithm of positive normal numbers."""
    fractions, exponents = np.frexp(numbers)
    small = fractions < HALF_ROOT
    exponents = (exponents - small).astype(np.float32)
    x = np.where(small, fractions + fractions, fractions) - _ONE
    square = x * x
    cubic = _polynomial(x, LOGARITHM) * x
    rest = _fused(cubic, square, exponents * LN2[1])
    rest = _fused(-square, _HALF, rest)
    return _fused(exponents, LN2[0], x + rest)


def sine_and_cosine(angles: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Both, of angles from zero to 8192."""
    octants = (angles * np.float32(4 / np.pi)).astype(np.int32)
    octants += octants & 1
    turns = octants.astype(np.float32)
    x = angles
    for part in QUARTER_PI:
        x = _fused(turns, -np.float32(part), x)
    square = x * x
    cosine = _polynomial(square, COSINE) * square
    cosine = _fused(cosine, square, -(square * _HALF)) + _ONE
    sine = _fused(_polynomial(square, SINE) * square, x, x)
    swapped = octants & 2 != 0
    first, second = np.where(swapped, cosine, sine), np.where(swapped, sine, cosine)
    np.negative(first, first, where=octants & 4 != 0)
    np.negative(second, second, where=octants + 2 & 4 != 0)
    return first, second


def _polynomial(x: np.ndarray, coefficients: tuple[float, ...]) -> np.ndarray:
    """By Horner's rule, the highest power first."""
    value = np.full_like(x, coefficients[0])
    for coefficient in coefficients[1:]:
        value = _fused(value, x, np.float32(coefficient))
    return value


def _fused(a: np.ndarray, b: np.ndarray | np.float32, c: np.ndarray | np.float32) -> np.ndarray:
    """``a * b + c``, rounded once."""
    exact = np.multiply(a, b, dtype=np.float64)
    return np.add(exact, c, exact).astype(np.float32)
