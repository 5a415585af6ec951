"""The memory of this process, which the system tells."""

from __future__ import annotations

import os
from typing import Final

_PAGE: Final = os.sysconf("SC_PAGESIZE") if hasattr(os, "sysconf") else 4096


class _ProcessMemory:
    """Bytes that the process has written to, but for mapped files; 0 where the system does not tell."""

    __slots__ = ("_file", "_process")

    def __init__(self) -> None:
        self._file = -1
        self._process = 0

    def read(self) -> int:
        if self._process != os.getpid():  # a fork has another file
            self._open()
        if self._file < 0:
            return 0
        fields = os.pread(self._file, 128, 0).split()
        return (int(fields[1]) - int(fields[2])) * _PAGE

    def _open(self) -> None:
        self._process = os.getpid()
        try:
            self._file = os.open("/proc/self/statm", os.O_RDONLY | os.O_CLOEXEC)
        except OSError:
            self._file = -1


_process_memory: Final = _ProcessMemory()


def memory_in_use() -> int:
    """Bytes of memory that the process has for itself."""
    return _process_memory.read()
