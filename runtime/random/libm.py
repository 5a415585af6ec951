"""Functions of float64 numbers as the C library gives them, one by one: NumPy's own differ in the last bit."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np


def _applied(function: Callable[[float], float]) -> Callable[[np.ndarray], np.ndarray]:
    def apply(numbers: np.ndarray) -> np.ndarray:
        each = map(function, numbers.reshape(-1).tolist())
        return np.fromiter(each, np.float64, numbers.size).reshape(numbers.shape)

    return apply


def _exp(number: float) -> float:
    try:
        return math.exp(number)
    except OverflowError:
        return math.inf


log = _applied(math.log)
log1p = _applied(math.log1p)
exp = _applied(_exp)
tan = _applied(math.tan)
