"""The order in which the elements of an array lie in memory: random numbers are drawn in it."""

from __future__ import annotations

import numpy as np


def in_memory_order(a: np.ndarray) -> np.ndarray:
    """A view of `a` whose dimensions go from the largest stride to the smallest."""
    if a.flags.c_contiguous:
        return a
    axes = sorted(range(a.ndim), key=lambda axis: -a.strides[axis])
    return a.transpose(axes)


def fill_in_memory_order(target: np.ndarray, numbers: np.ndarray) -> None:
    """Write numbers of one dimension into an array, one behind the other in its memory."""
    ordered = in_memory_order(target)
    ordered[...] = numbers.reshape(ordered.shape)
