"""Integers as TorchScript has them: 64 bits, two's complement, wrapping around."""

from __future__ import annotations

import math

LARGEST = 2**63 - 1
SMALLEST = -(2**63)
_MODULUS = 2**64


def wrap(value: int) -> int:
    """The 64-bit integer with the lowest 64 bits of `value`."""
    if SMALLEST <= value <= LARGEST:
        return value
    value &= _MODULUS - 1
    return value - _MODULUS if value > LARGEST else value


def truncate(value: float) -> int:
    """As the processor converts: towards zero; what does not fit becomes the smallest integer."""
    if not math.isfinite(value):
        return SMALLEST
    number = int(value)
    return number if SMALLEST <= number <= LARGEST else SMALLEST
