"""Memory that was freed goes back to the system: glibc's malloc keeps what capture and other runtimes have used."""

from __future__ import annotations

import ctypes
from functools import cache
from typing import Any


def give_back() -> None:
    """Nothing where the system's library has no such function."""
    trim = _trim()
    if trim is not None:
        trim(0)


@cache
def _trim() -> Any:
    try:
        return ctypes.CDLL(None).malloc_trim
    except (AttributeError, OSError, TypeError):  # other systems than those of glibc
        return None
