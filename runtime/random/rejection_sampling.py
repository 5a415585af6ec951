"""Samplers that draw until a number is accepted, one element after the other.

Gamma: G. Marsaglia and W. Tsang, ACM Trans. Math. Software 26, 2000. Poisson: W. Hörmann, Insurance: Mathematics
and Economics 12, 1993 (from 10 on), and products of uniform numbers. Binomial: W. Hörmann, J. Stat.
Comput. Simul. 46, 1993, and sums of geometric numbers. In what order numbers are drawn, and what is computed
in float32, are facts about PyTorch.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np

from tsc.runtime.random.generator import Draws, Generator

_STIRLING = tuple(
    math.lgamma(k + 1) - (k + 0.5) * math.log(k + 1) + (k + 1) - math.log(2 * math.pi) / 2
    for k in range(10)
)
_MANY = 10.0
"""The expected number from which on rejection is used instead of counting."""

_THIRD = float(np.float32(1 / 3))
_SQUEEZE = float(np.float32(0.0331))


def gamma(shapes: Iterable[float], generator: Generator) -> list[float]:
    """Gamma distributed numbers of scale 1."""
    with generator.one_by_one() as draws:
        return [_gamma(shape, draws) for shape in shapes]


def _gamma(shape: float, draws: Draws) -> float:
    scale = 1.0
    if shape < 1:
        if shape == 0:
            return 0.0
        scale = _power(1 - draws.uniform(), 1 / shape)
        shape += 1
    d = shape - _THIRD
    c = 1 / math.sqrt(9 * d) if d > 0 else math.nan
    while True:
        x = draws.normal()
        y = 1 + c * x
        while y <= 0:
            x = draws.normal()
            y = 1 + c * x
        v = y * y * y
        u = 1 - draws.uniform()
        square = x * x
        if u < 1 - _SQUEEZE * square * square:
            return scale * d * v
        if math.log(u) < 0.5 * square + d * (1 - v + math.log(v)):
            return scale * d * v


def _power(base: float, exponent: float) -> float:
    try:
        return base**exponent
    except OverflowError:
        return math.inf


def poisson(rates: Iterable[float], generator: Generator) -> list[int]:
    """Poisson distributed numbers; rates are not negative."""
    with generator.one_by_one() as draws:
        return [
            _poisson_of_many(rate, draws) if rate >= _MANY else _poisson_of_few(rate, draws)
            for rate in rates
        ]


def _poisson_of_few(rate: float, draws: Draws) -> int:
    if rate == 0:
        return 0
    limit, product, count = math.exp(-rate), draws.uniform(), 0
    while product > limit:
        count += 1
        product *= draws.uniform()
    return count


def _poisson_of_many(rate: float, draws: Draws) -> int:
    root, logarithm = math.sqrt(rate), math.log(rate)
    b = 0.931 + 2.53 * root
    a = -0.059 + 0.02483 * b
    inverse_alpha = 1.1239 + 1.1328 / (b - 3.4)
    bound = 0.9277 - 3.6224 / (b - 2)
    while True:
        u, v = draws.uniform() - 0.5, draws.uniform()
        distance = 0.5 - abs(u)
        k = _whole((2 * a / distance + b) * u + rate + 0.43)
        if distance >= 0.07 and v <= bound:
            return k
        if k < 0 or (distance < 0.013 and v > distance):
            continue
        hat = math.log(v) + math.log(inverse_alpha) - math.log(a / (distance * distance) + b)
        if hat <= -rate + k * logarithm - math.lgamma(k + 1):
            return k


def _whole(number: float) -> int:
    """The next lower integer of 64 bits; what does not fit becomes the lowest one."""
    return math.floor(number) if abs(number) < 2.0**63 else -(1 << 63)


def binomial(
    counts: Iterable[float], probabilities: Iterable[float], generator: Generator
) -> list[float]:
    """Numbers of successes; counts are numbers."""
    with generator.one_by_one() as draws:
        return [
            _binomial(count, probability, draws)
            for count, probability in zip(counts, probabilities)
        ]


def _binomial(count: float, probability: float, draws: Draws) -> float:
    if count <= 0 or probability <= 0:
        return 0.0
    if probability >= 1 or count == math.inf:
        return count
    if probability <= 0.5:
        return _successes(count, probability, draws)
    if probability > 0.5:
        return count - _successes(count, 1 - probability, draws)
    return math.nan


def _successes(count: float, probability: float, draws: Draws) -> float:
    if count * probability >= _MANY:
        return _binomial_of_many(count, probability, draws)
    logarithm = math.log1p(-probability)
    total, successes = 0.0, 0
    while True:
        uniform = draws.uniform()
        total += math.ceil(math.log(uniform) / logarithm) if uniform else math.inf
        if total > count:
            return successes
        successes += 1


def _binomial_of_many(count: float, probability: float, draws: Draws) -> float:
    deviation = math.sqrt(count * probability * (1 - probability))
    b = 1.15 + 2.53 * deviation
    a = -0.0873 + 0.0248 * b + 0.01 * probability
    centre = count * probability + 0.5
    bound = 0.92 - 4.2 / b
    odds = probability / (1 - probability)
    alpha = (2.83 + 5.1 / b) * deviation
    mode = math.floor((count + 1) * probability)
    while True:
        u, v = draws.uniform() - 0.5, draws.uniform()
        distance = 0.5 - abs(u)
        k = math.floor((2 * a / distance + b) * u + centre)
        if distance >= 0.07 and v <= bound:
            return k
        if k < 0 or k > count:
            continue
        hat = math.log(v * alpha / (a / (distance * distance) + b))
        rest, rest_of_mode = count - k + 1, count - mode + 1
        limit = (
            (mode + 0.5) * math.log((mode + 1) / (odds * rest_of_mode))
            + (count + 1) * math.log(rest_of_mode / rest)
            + (k + 0.5) * math.log(odds * rest / (k + 1))
            + _stirling_rest(mode)
            + _stirling_rest(count - mode)
            - _stirling_rest(k)
            - _stirling_rest(count - k)
        )
        if hat <= limit:
            return k


def _stirling_rest(k: float) -> float:
    """log k! less Stirling's approximation in k + 1."""
    if k < len(_STIRLING):
        return _STIRLING[int(k)]
    square = (k + 1) * (k + 1)
    return (1 / 12 - (1 / 360 - 1 / 1260 / square) / square) / (k + 1)


def dirichlet(concentrations: np.ndarray, generator: Generator) -> np.ndarray:
    """Rows of numbers that add to 1, in float64."""
    flat = gamma(concentrations.reshape(-1).tolist(), generator)
    numbers = np.array(flat).reshape(concentrations.shape)
    np.fmax(numbers, np.finfo(numbers.dtype).tiny, numbers)
    return numbers / numbers.sum(-1, keepdims=True)
