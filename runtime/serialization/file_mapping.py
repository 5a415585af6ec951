"""Files as memory."""

from __future__ import annotations

import mmap
from pathlib import Path
from typing import IO


class FileMapping(mmap.mmap):
    """A mapped file that knows its path. Pages that are changed become private, and never reach the file."""

    path: Path

    @classmethod
    def of(cls, file: IO[bytes], size: int) -> FileMapping:
        """Read-only where there is no memory to promise for changes."""
        try:
            made = cls(file.fileno(), size, access=mmap.ACCESS_COPY)
        except OSError:
            made = cls(file.fileno(), size, access=mmap.ACCESS_READ)
        made.path = Path(file.name).resolve()
        return made
