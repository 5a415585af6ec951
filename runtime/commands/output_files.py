"""Files that commands write: whole or not at all."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tsc.compiler.source import UsageError
from tsc.runtime.serialization.atomic_files import write_path


def write_text(text: str, path: str) -> None:
    """Write `text` to `path` as UTF-8, atomically."""
    write_bytes(text.encode("utf-8", "backslashreplace"), path)


def write_bytes(content: bytes, path: str) -> None:
    """Write `content` to `path`: whole or not at all, unless it is a device or a pipe."""

    def write_to(write: Callable[[bytes | memoryview], object]) -> None:
        write(content)

    try:
        write_path(Path(path), write_to)
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror or error}") from None
