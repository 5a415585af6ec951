"""Calls of SciPy's functions; polynomials over arrays, a stretch that fits the cache at a time."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from tsc.runtime.arrays.dtypes import DOUBLE
from tsc.runtime.numerics import scipy_modules

ArrayFunction = Callable[..., np.ndarray]
STRETCH = 1 << 18
"""Bytes of an argument that are worked on at a time: several temporaries of this size fit the cache."""


class Polynomial:
    """A polynomial by Horner's rule, in the dtype of its argument; highest power first."""

    __slots__ = ("_by_dtype", "_coefficients")

    def __init__(self, coefficients: Sequence[float]) -> None:
        self._coefficients = coefficients
        self._by_dtype: dict[np.dtype, tuple[np.ndarray, ...]] = {}

    def __call__(self, x: np.ndarray) -> np.ndarray:
        """A new array; `x` is not written to."""
        coefficients = self._by_dtype.get(x.dtype) or self._prepared(x.dtype)
        result = np.multiply(x, coefficients[0])
        for coefficient in coefficients[1:-1]:
            np.add(result, coefficient, result)
            np.multiply(result, x, result)
        return np.add(result, coefficients[-1], result)

    def _prepared(self, dtype: np.dtype) -> tuple[np.ndarray, ...]:
        prepared = tuple(np.array(coefficient, dtype) for coefficient in self._coefficients)
        self._by_dtype[dtype] = prepared
        return prepared


def in_stretches(function: ArrayFunction) -> ArrayFunction:
    """`function`, which takes arrays of one dimension, for arrays of any shape and size."""

    def on_any(a: np.ndarray) -> np.ndarray:
        result = np.empty_like(a, subok=False)
        source, target = _flat(a, result), _flat(result, result)
        step = STRETCH // a.itemsize
        for start in range(0, a.size, step):
            target[start : start + step] = function(source[start : start + step])
        return result

    return on_any


def in_double(function: ArrayFunction) -> ArrayFunction:
    """`function`, which takes float64 arrays of one dimension, for all arrays; see `in_stretches`."""
    return in_stretches(lambda x: function(x if x.dtype is DOUBLE else x.astype(DOUBLE)))


def from_scipy(name: str) -> Callable[..., np.ndarray]:
    """SciPy's function called `name`, which is imported when it is first called."""

    def function(*arguments: np.ndarray) -> np.ndarray:
        return getattr(scipy_modules.special, name)(*arguments)

    return function


def _flat(a: np.ndarray, model: np.ndarray) -> np.ndarray:
    """The elements of `a` in the order in which those of `model` lie in memory."""
    if model.flags.c_contiguous:
        return a.reshape(-1)
    order = sorted(range(a.ndim), key=lambda axis: -model.strides[axis])
    return a.transpose(order).reshape(-1)


def replace_where(
    result: np.ndarray, chosen: np.ndarray, function: ArrayFunction, *arguments: np.ndarray
) -> None:
    """Overwrite `result` where `chosen` with `function` of the arguments there; for rare cases."""
    if chosen.any():
        places = np.flatnonzero(chosen)
        result[places] = function(*(argument[places] for argument in arguments))
