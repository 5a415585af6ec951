"""Mathematical functions NumPy lacks, on arrays of float32 or float64.

Sources: W. J. Cody, "Rational Chebyshev approximations for the error function" (Math. Comp. 23,
1969) for erf and erfc in float64; the inverse error function starts from M. Giles' approximation
(2010) and is refined by Newton steps; digamma uses its recurrence and asymptotic series (Abramowitz
and Stegun 6.3.6, 6.3.18).
"""

from __future__ import annotations

import math

import numpy as np

_SMALL_NUMERATOR = (
    1.85777706184603153e-1,
    3.16112374387056560e00,
    1.13864154151050156e02,
    3.77485237685302021e02,
    3.20937758913846947e03,
)
_SMALL_DENOMINATOR = (
    1.0,
    2.36012909523441209e01,
    2.44024637934444173e02,
    1.28261652607737228e03,
    2.84423683343917062e03,
)
_MIDDLE_NUMERATOR = (
    2.15311535474403846e-8,
    5.64188496988670089e-1,
    8.88314979438837594e0,
    6.61191906371416295e01,
    2.98635138197400131e02,
    8.81952221241769090e02,
    1.71204761263407058e03,
    2.05107837782607147e03,
    1.23033935479799725e03,
)
_MIDDLE_DENOMINATOR = (
    1.0,
    1.57449261107098347e01,
    1.17693950891312499e02,
    5.37181101862009858e02,
    1.62138957456669019e03,
    3.29079923573345963e03,
    4.36261909014324716e03,
    3.43936767414372164e03,
    1.23033935480374942e03,
)
_LARGE_NUMERATOR = (
    1.63153871373020978e-2,
    3.05326634961232344e-1,
    3.60344899949804439e-1,
    1.25781726111229246e-1,
    1.60837851487422766e-2,
    6.58749161529837803e-4,
)
_LARGE_DENOMINATOR = (
    1.0,
    2.56852019228982242e00,
    1.87295284992346725e00,
    5.27905102951428412e-1,
    6.05183413124413191e-2,
    2.33520497626869185e-3,
)


def _polynomial(coefficients: tuple[float, ...], x: np.ndarray) -> np.ndarray:
    result = np.full_like(x, coefficients[0])
    for coefficient in coefficients[1:]:
        result *= x
        result += coefficient
    return result


def _erf_small(x: np.ndarray) -> np.ndarray:
    square = x * x
    return x * _polynomial(_SMALL_NUMERATOR, square) / _polynomial(_SMALL_DENOMINATOR, square)


def _erfc_positive(x: np.ndarray) -> np.ndarray:
    """erfc for x > 0.46875, in float64."""
    scaled = _polynomial(_MIDDLE_NUMERATOR, x) / _polynomial(_MIDDLE_DENOMINATOR, x)
    large = x > 4
    if large.any():
        y = x[large]
        inverse = 1 / (y * y)
        ratio = _polynomial(_LARGE_NUMERATOR, inverse) / _polynomial(_LARGE_DENOMINATOR, inverse)
        scaled[large] = (1 / math.sqrt(math.pi) - inverse * ratio) / y
    return np.exp(-x * x) * scaled


def _by_size(a: np.ndarray, *, complement: bool) -> np.ndarray:
    x = np.atleast_1d(a).astype(np.float64)
    magnitude = np.abs(x)
    small = magnitude <= 0.46875
    result = np.empty_like(x)
    near = _erf_small(x[small])
    result[small] = 1 - near if complement else near
    rest = ~small
    tail = _erfc_positive(np.minimum(magnitude[rest], 30))
    negative = x[rest] < 0
    if complement:
        result[rest] = np.where(negative, 2 - tail, tail)
    else:
        result[rest] = np.where(negative, tail - 1, 1 - tail)
    result[np.isnan(x)] = np.nan
    return result.reshape(a.shape).astype(a.dtype)


_SINGLE_NUMERATOR = tuple(
    np.array(coefficient, np.float32)
    for coefficient in (
        1.986755e-06,
        2.84562597e-04,
        3.88330968e-03,
        5.31016394e-02,
        1.93544645e-01,
        1.12837914,
    )
)
_SINGLE_DENOMINATOR = tuple(
    np.array(coefficient, np.float32)
    for coefficient in (
        3.7419712e-05,
        1.18555788e-03,
        1.52071872e-02,
        1.15349781e-01,
        5.04857032e-01,
        1.0,
    )
)
_SINGLE_BOUND = np.array(4, np.float32)


def _erf_single(a: np.ndarray) -> np.ndarray:
    """erf in float32: a ratio of polynomials in the square, fitted over [-4, 4]."""
    x = np.atleast_1d(np.minimum(np.maximum(a, -_SINGLE_BOUND), _SINGLE_BOUND))
    square = x * x
    numerator = _horner(_SINGLE_NUMERATOR, square)
    np.multiply(numerator, x, numerator)
    np.true_divide(numerator, _horner(_SINGLE_DENOMINATOR, square), numerator)
    return np.minimum(np.maximum(numerator, -1), 1, out=numerator).reshape(a.shape)


def _horner(coefficients: tuple[np.ndarray, ...], x: np.ndarray) -> np.ndarray:
    result = np.multiply(x, coefficients[0])
    for coefficient in coefficients[1:-1]:
        np.add(result, coefficient, result)
        np.multiply(result, x, result)
    return np.add(result, coefficients[-1], result)


def erf(a: np.ndarray) -> np.ndarray:
    return _erf_single(a) if a.dtype == np.float32 else _by_size(a, complement=False)


def erfc(a: np.ndarray) -> np.ndarray:
    return _by_size(a, complement=True)


_GILES_CENTRAL = (
    2.81022636e-08,
    3.43273939e-07,
    -3.5233877e-06,
    -4.39150654e-06,
    0.00021858087,
    -0.00125372503,
    -0.00417768164,
    0.246640727,
    1.50140941,
)
_GILES_TAIL = (
    -0.000200214257,
    0.000100950558,
    0.00134934322,
    -0.00367342844,
    0.00573950773,
    -0.0076224613,
    0.00943887047,
    1.00167406,
    2.83297682,
)


def erfinv(a: np.ndarray) -> np.ndarray:
    x = np.asarray(a, np.float64)
    inside = np.abs(x) < 1
    y = np.where(inside, x, 0.0)
    w = -np.log((1 - y) * (1 + y))
    central = _polynomial(_GILES_CENTRAL, w - 2.5)
    tail = _polynomial(_GILES_TAIL, np.sqrt(np.maximum(w, 5.0)) - 3)
    root = np.where(w < 5, central, tail) * y
    for _ in range(2):
        root = root - (erf(root) - y) / (2 / math.sqrt(math.pi) * np.exp(-root * root))
    edge = np.where(np.abs(x) == 1, np.copysign(np.inf, x), np.nan)
    return np.where(inside, root, edge).astype(a.dtype)


_lgamma = np.frompyfunc(lambda x: _lgamma_of(x), 1, 1)


def _lgamma_of(x: float) -> float:
    if math.isnan(x):
        return math.nan
    if math.isinf(x) or (x <= 0 and x == math.floor(x)):
        return math.inf
    return math.lgamma(x)


def lgamma(a: np.ndarray) -> np.ndarray:
    return np.asarray(_lgamma(a.astype(np.float64)), dtype=a.dtype)


def digamma(a: np.ndarray) -> np.ndarray:
    x = a.astype(np.float64)
    reflected = x <= 0
    whole = reflected & (x == np.floor(x))
    y = np.where(reflected, 1 - x, x)
    shift = np.zeros_like(y)
    for _ in range(10):
        below = y < 10
        shift -= np.where(below, 1 / y, 0)
        y = np.where(below, y + 1, y)
    inverse = 1 / (y * y)
    series = inverse * _polynomial(
        (1 / 12, -691 / 32760, 1 / 132, -1 / 240, 1 / 252, -1 / 120, 1 / 12), inverse
    )
    result = np.log(y) - 0.5 / y - series + shift
    result = np.where(reflected, result - math.pi / np.tan(math.pi * x), result)
    result = np.where(whole, np.where(x == 0, -np.copysign(np.inf, x), np.nan), result)
    return result.astype(a.dtype)


_ONE = {np.dtype(kind): np.array(1, kind) for kind in "fdFD"}


def sigmoid_array(a: np.ndarray) -> np.ndarray:
    result = np.negative(a)
    if type(result) is not np.ndarray:
        return 1 / (1 + np.exp(result))
    np.exp(result, result)
    np.add(result, _ONE[a.dtype], result)
    return np.reciprocal(result, result)
