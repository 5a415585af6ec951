"""Whether there can be native code at all."""

from __future__ import annotations

import functools
import importlib.util


@functools.cache
def is_available() -> bool:
    """Whether llvmlite is installed; it is not imported for this."""
    return importlib.util.find_spec("llvmlite") is not None


_MANY = 1 << 12
"""Elements from which on a call of native code costs little beside what it does."""


def is_large_work(elements: int) -> bool:
    """Whether to ask native code for something that NumPy does element by element."""
    return elements >= _MANY and is_available()
