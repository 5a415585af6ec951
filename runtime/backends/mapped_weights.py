"""Weights that a mapped file has: runtimes read them from the file, and not from memory, where they would be twice."""

from __future__ import annotations

import ctypes
import mmap
import os
import sys
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Final, cast

import numpy as np

from tsc.runtime.serialization.file_mapping import FileMapping

_ALIGNMENT: Final = 16
_CHUNK: Final = 1 << 20
_PAGEOUT: Final = 21
"""`MADV_PAGEOUT` of Linux: takes pages out of memory, and loses nothing that was written to them."""


@dataclass(slots=True)
class MappedFolder:
    """The weights that files of one folder have: `states` tells what these files were when they were read."""

    path: Path | None = None
    names: set[str] = field(default_factory=set[str])
    states: dict[Path, tuple[int, ...]] = field(default_factory=dict[Path, tuple[int, ...]])

    def place_of(self, name: str, weight: np.ndarray) -> tuple[str, int] | None:
        """The file that has a weight, and where; None where it is in memory alone."""
        mapping = _mapping_under(weight)
        if mapping is None or self.path not in (None, mapping.path.parent):
            return None
        offset = weight.ctypes.data - np.frombuffer(memoryview(mapping), np.uint8).ctypes.data
        if offset % _ALIGNMENT or not self._has(mapping.path, offset, weight):
            return None
        self.path = mapping.path.parent
        self.names.add(name)
        return mapping.path.name, offset

    def _has(self, path: Path, offset: int, weight: np.ndarray) -> bool:
        """Whether a file has the elements of a weight: a program may have written to it, and anyone to the file."""
        elements = weight.reshape(-1).view(np.uint8)
        try:
            with path.open("rb") as file:
                state = self.states.setdefault(path, _state(os.fstat(file.fileno())))
                if state != _state(os.fstat(file.fileno())):
                    return False
                file.seek(offset)
                for start in range(0, elements.size, _CHUNK):
                    wanted = elements[start : start + _CHUNK]
                    if not np.array_equal(np.frombuffer(file.read(wanted.size), np.uint8), wanted):
                        return False
        except OSError:
            return False
        return True

    def is_unchanged(self) -> bool:
        """Whether the files are still those that were read."""
        try:
            return all(_state(path.stat()) == state for path, state in self.states.items())
        except OSError:
            return False


def _state(status: os.stat_result) -> tuple[int, ...]:
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns


def _mapping_under(array: np.ndarray) -> FileMapping | None:
    """The file that a contiguous array is a view of."""
    if not array.flags.c_contiguous:
        return None
    found: Any = array
    while isinstance(found, np.ndarray):
        found = cast("Any", found.base)
    if isinstance(found, memoryview):
        found = found.obj
    return found if isinstance(found, FileMapping) else None


def leave_memory(arrays: Iterable[np.ndarray]) -> None:
    """Give pages of mapped files back to the system, which reads them again when they are needed.

    Does nothing where the system has no such call: memory alone depends on it.
    """
    advise = _advise()
    if advise is None:
        return
    for each in arrays:
        first = -(-each.ctypes.data // mmap.PAGESIZE) * mmap.PAGESIZE
        length = (each.ctypes.data + each.nbytes - first) // mmap.PAGESIZE * mmap.PAGESIZE
        if length > 0:
            advise(first, length, _PAGEOUT)


@cache
def _advise() -> Any:
    if sys.platform != "linux":
        return None
    try:
        found = ctypes.CDLL(None).madvise
    except (AttributeError, OSError):
        return None
    found.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)
    return found
