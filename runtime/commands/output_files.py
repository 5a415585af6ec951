"""Files that commands write: whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

from tsc.compiler.source import UsageError


def write_text(text: str, path: str) -> None:
    """Write `text` to `path` as UTF-8, atomically."""
    write_bytes(text.encode("utf-8", "backslashreplace"), path)


def write_bytes(content: bytes, path: str) -> None:
    """Write `content` to `path`: whole or not at all, unless it is a device or a pipe."""
    target = Path(path)
    try:
        if target.exists() and not target.is_file() and not target.is_dir():
            target.write_bytes(content)
        else:
            replace_file(target.resolve(), content)
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror or error}") from None


def replace_file(target: Path, content: bytes) -> None:
    """Write `content` to a temporary file beside `target`, then rename it."""
    import tempfile  # takes half as long to import as click, and most commands write no file

    mode = target.stat().st_mode if target.is_file() else 0o666 & ~current_umask()
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        temporary.chmod(mode)
        temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)


def current_umask() -> int:
    """The process's file mode mask."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
