"""Slices of lists and of strings."""

from __future__ import annotations

from tsc.runtime.arrays.integers import SMALLEST
from tsc.runtime.context.errors import ScriptError


def check_slice_step(step: int) -> None:
    """Steps go either way, but the smallest integer has no positive counterpart."""
    if step == 0:
        raise ScriptError("RuntimeError", "List slice should have non-zero step")
    if step == SMALLEST:
        raise ScriptError("RuntimeError", "List slice step is out of bounds")
