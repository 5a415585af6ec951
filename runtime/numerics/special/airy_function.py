"""The Airy function Ai: a polynomial around 0, Hankel's and the exponential form beyond, by values of SciPy's.

Ours, for speed: SciPy computes all four Airy functions in complex numbers, which takes twenty times as long as PyTorch.
"""

from __future__ import annotations

import math

import numpy as np

from tsc.runtime.numerics import scipy_modules
from tsc.runtime.numerics.special.evaluation import in_double, replace_where
from tsc.runtime.numerics.special.interpolation import Interpolant

_DECAYS_FROM = 2.09
_OSCILLATES_FROM = -5.0
_VANISHES_FROM = 103.892
_CENTER, _RADIUS = (_DECAYS_FROM + _OSCILLATES_FROM) / 2, (_DECAYS_FROM - _OSCILLATES_FROM) / 2
_ZETA_DECAYING = 2 / 3 * _DECAYS_FROM**1.5
_ZETA_OSCILLATING = 2 / 3 * (-_OSCILLATES_FROM) ** 1.5
_SQRT_PI = math.sqrt(math.pi)


def _middle_at(t: np.ndarray) -> np.ndarray:
    return scipy_modules.special.airy(_CENTER + _RADIUS * t)[0]


def _decay_at(t: np.ndarray) -> np.ndarray:
    """Ai(x) exp(ζ) x^¼, where ζ = 2/3 x^(3/2) is 2 `_ZETA_DECAYING` / (1 + t)."""
    x = (3 * _ZETA_DECAYING / (1 + t)) ** (2 / 3)
    return scipy_modules.special.airye(x)[0] * np.sqrt(np.sqrt(x))


def _wave_factors_at(t: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """What cosine and sine are multiplied by at -y, where (ζ₀ / ζ)² of y is (1 + t) / 2."""
    inverse = np.sqrt((1 + t) / 2)
    zeta = _ZETA_OSCILLATING / inverse
    y = (1.5 * zeta) ** (2 / 3)
    first, _, second, _ = scipy_modules.special.airy(-y)
    angle = zeta - math.pi / 4
    cosine, sine = np.cos(angle), np.sin(angle)
    scale = _SQRT_PI * np.sqrt(np.sqrt(y))
    return scale * (cosine * first - sine * second), (
        scale * (sine * first + cosine * second) / inverse
    )


_middle = Interpolant(_middle_at, 36)
_decaying = Interpolant(_decay_at, 22)
_cosine_factor = Interpolant(lambda t: _wave_factors_at(t)[0], 12)
_sine_factor = Interpolant(lambda t: _wave_factors_at(t)[1], 12)


def _for_positive(x: np.ndarray) -> np.ndarray:
    root = np.sqrt(x)
    zeta = 2 / 3 * x * root
    return np.exp(-zeta) / np.sqrt(root) * _decaying(2 * _ZETA_DECAYING / zeta - 1)


def _for_negative(x: np.ndarray) -> np.ndarray:
    y = -x
    root = np.sqrt(y)
    zeta = 2 / 3 * y * root
    inverse = _ZETA_OSCILLATING / zeta
    place = 2 * inverse * inverse - 1
    angle = zeta - math.pi / 4
    waves = np.cos(angle) * _cosine_factor(place) + np.sin(angle) * inverse * _sine_factor(place)
    return waves / (_SQRT_PI * np.sqrt(root))


@in_double
def airy_ai(x: np.ndarray) -> np.ndarray:
    """NaN at both infinities, as in PyTorch; 0 from 103.892 on."""
    bounded = np.clip(x, _OSCILLATES_FROM, _DECAYS_FROM)
    result = _middle((bounded - _CENTER) / _RADIUS)
    replace_where(result, x > _DECAYS_FROM, _for_positive, x)
    replace_where(result, x < _OSCILLATES_FROM, _for_negative, x)
    np.putmask(result, x > _VANISHES_FROM, 0)
    np.putmask(result, np.isinf(x), np.nan)
    return result
