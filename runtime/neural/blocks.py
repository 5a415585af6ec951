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
    if first.size <= BLOCK_ELEMENTS or not all(a.flags.c_contiguous for a in arrays):
        function(*arrays, result)
        return result
    flat = [a.reshape(-1) for a in (*arrays, result)]
    for start in range(0, first.size, BLOCK_ELEMENTS):
        function(*(a[start : start + BLOCK_ELEMENTS] for a in flat))
    return result
