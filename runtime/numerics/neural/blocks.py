"""Chains of elementwise operations, block by block, so that the steps between stay in the cache."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

BLOCK_ELEMENTS = 1 << 16

InPlace = Callable[..., object]
"""From arrays of one shape, the last of which is written to."""


def in_blocks(function: InPlace, *arrays: np.ndarray) -> np.ndarray:
    """What `function` writes for `arrays`, which have one shape and dtype."""
    first = arrays[0]
    result = np.empty_like(first)
    operands = (*arrays, result)
    if first.size <= BLOCK_ELEMENTS or any(a.strides[-1] != a.itemsize for a in operands):
        function(*operands)
        return result
    if all(a.flags.c_contiguous for a in operands):
        operands = tuple(a.reshape(-1) for a in operands)
    step = max(BLOCK_ELEMENTS * len(operands[0]) // first.size, 1)
    for start in range(0, len(operands[0]), step):
        function(*(a[start : start + step] for a in operands))
    return result
