"""What native code calls by name: code holds no addresses, so that it runs in other processes too."""

from __future__ import annotations

import ctypes
import functools
from collections.abc import Mapping
from typing import Any

from tsc.runtime.native.code.interpreter import address_of


def object_symbols(**objects: Any) -> dict[str, int]:
    """Objects of Python that live as long as the process, under names that code calls them by."""
    classes = {each.__name__: each for each in (int, float, tuple)}
    kept = {"none": None, "true": True, "false": False, "zero": 0, **classes, **objects}
    return {f"object_{name}": id(each) for name, each in kept.items()}


@functools.cache
def math_symbols(names: frozenset[str]) -> Mapping[str, int]:
    """Functions of C's mathematical library, under names that LLVM takes nothing for granted of."""
    process = ctypes.CDLL(None)
    return {f"math_{name}": address_of(getattr(process, name)) for name in names}
