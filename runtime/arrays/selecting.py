"""Choosing between two arrays element by element, without branches.

`np.where` decides anew for every element, and processors guess half of these decisions wrong where
the condition is random. Masks of bits cost the same for any condition.
"""

from __future__ import annotations

import numpy as np

SMALLEST = 1 << 11
"""Below this size, the fewer calls of `np.where` win."""

_BITS = {size: np.dtype(f"i{size}") for size in (1, 2, 4, 8)}


def select(condition: np.ndarray, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """``np.where(condition, a, b)`` for arrays of one dtype, which broadcast together."""
    bits = _BITS.get(a.dtype.itemsize)
    if condition.size < SMALLEST or bits is None or a.dtype.kind == "b":
        return np.where(condition, a, b)
    mask = condition.astype(bits)
    np.negative(mask, mask)
    first, second = a.view(bits), b.view(bits)
    chosen = np.bitwise_xor(first, second) & mask
    return (chosen ^ second).view(a.dtype)


def zeroed(a: np.ndarray, keep: np.ndarray) -> np.ndarray:
    """``np.where(keep, a, 0)`` for a `keep` that broadcasts to `a`."""
    bits = _BITS.get(a.dtype.itemsize)
    if bits is None:
        return np.where(keep, a, np.zeros((), a.dtype))
    mask = keep.astype(bits)
    np.negative(mask, mask)
    return np.bitwise_and(a.view(bits), mask).view(a.dtype)
