"""Whether there can be native code at all."""

from __future__ import annotations

import functools
import importlib.util


@functools.cache
def is_available() -> bool:
    """Whether llvmlite is installed; it is not imported for this."""
    return importlib.util.find_spec("llvmlite") is not None
