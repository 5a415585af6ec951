"""The Airy function Ai: a polynomial around 0, Hankel's and the exponential form beyond."""

from __future__ import annotations

import math

import numpy as np

from tsc.runtime.numerics.special.evaluation import Polynomial, in_double, replace_where
from tsc.runtime.numerics.special.tables import airy

_decaying = Polynomial(airy.AIRY_DECAYING)
_middle = Polynomial(airy.AIRY_MIDDLE)
_cosine_factor = Polynomial(airy.AIRY_P)
_sine_factor = Polynomial(airy.AIRY_Q)
_DECAYS_FROM = 2.09
_OSCILLATES_FROM = -5.0
_VANISHES_FROM = 103.892
_SQRT_PI = math.sqrt(math.pi)


def _zeta(x: np.ndarray | float) -> np.ndarray | float:
    return 2 / 3 * x * np.sqrt(x)


_ZETA_DECAYING = _zeta(_DECAYS_FROM)
_ZETA_OSCILLATING = _zeta(-_OSCILLATES_FROM)


def _for_positive(x: np.ndarray) -> np.ndarray:
    zeta = _zeta(x)
    ratio = _decaying(2 * _ZETA_DECAYING / zeta - 1)
    return 0.5 * np.exp(-zeta) / (_SQRT_PI * np.sqrt(np.sqrt(x))) * ratio


def _for_negative(x: np.ndarray) -> np.ndarray:
    y = -x
    zeta = _zeta(y)
    inverse = _ZETA_OSCILLATING / zeta
    place = 2 * inverse * inverse - 1
    angle = zeta - math.pi / 4
    waves = np.cos(angle) * _cosine_factor(place) + np.sin(angle) * inverse * _sine_factor(place)
    return waves / (_SQRT_PI * np.sqrt(np.sqrt(y)))


@in_double
def airy_ai(x: np.ndarray) -> np.ndarray:
    """NaN at both infinities, as in PyTorch; 0 from 103.892 on."""
    bounded = np.clip(x, _OSCILLATES_FROM, _DECAYS_FROM)
    result = _middle((2 * bounded + 2.91) / 7.09)
    replace_where(result, x > _DECAYS_FROM, _for_positive, x)
    replace_where(result, x < _OSCILLATES_FROM, _for_negative, x)
    result = np.where(x > _VANISHES_FROM, 0.0, result)
    return np.where(np.isinf(x), np.nan, result)
