"""Writing a file so that at every moment there is the old one or the new one, and nothing half-written."""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

from tsc.runtime.serialization.errors import ArchiveError

WriteTo = Callable[[Callable[[bytes | memoryview], object]], None]
"""Writes a content through the function that it is given."""


def write_file(target: str | os.PathLike[str] | IO[bytes], write_to: WriteTo) -> None:
    """Write a path atomically, or an open binary file; after an error both are as before.

    Raises:
        ArchiveError: the disk is full, the folder cannot be written, …
    """
    if not isinstance(target, (str, os.PathLike)) and not hasattr(target, "write"):
        raise ArchiveError(
            f"cannot write to an object of type {type(target).__name__!r}",
            hint="give a path, or a file that was opened for writing bytes",
        )
    try:
        if isinstance(target, (str, os.PathLike)):
            write_path(Path(target), write_to)
        else:
            _write_open_file(target, write_to)
    except (OSError, ValueError) as error:
        name = os.fspath(target) if isinstance(target, (str, os.PathLike)) else "the file"
        reason = error.strerror if isinstance(error, OSError) and error.strerror else error
        raise ArchiveError(f"{name}: cannot be written: {reason}") from None


def _write_open_file(file: Any, write_to: WriteTo) -> None:
    """What has been written is taken back after an error, where the file can seek."""
    start = file.tell() if file.seekable() else None
    try:
        write_to(_written_as_a_whole(file.write))
    except BaseException:
        if start is not None:
            with contextlib.suppress(OSError, ValueError):
                file.seek(start)
                file.truncate()
        raise


def _written_as_a_whole(
    write: Callable[[bytes | memoryview], int | None],
) -> Callable[[bytes | memoryview], object]:
    """A file without a buffer may take a part of what it is given, and says how much."""

    def write_all(content: bytes | memoryview) -> None:
        rest = memoryview(content).cast("B")
        while len(rest):
            count = write(rest)
            if count is not None and count <= 0:
                raise OSError("the file takes no more")
            rest = rest[len(rest) if count is None else count :]

    return write_all


def write_path(path: Path, write_to: WriteTo) -> None:
    """Write a path: a file whole or not at all, a device or a pipe at once. Raises `OSError`."""
    if path.exists() and not path.is_file():
        with path.open("wb") as device:  # a pipe or a terminal has no old content; a folder raises
            write_to(device.write)
        return
    path = path.resolve()  # not before: what /dev/stdout leads to has no path if it is a pipe
    temporary = path.with_name(f".{path.name[:100]}.{os.urandom(6).hex()}.tmp")
    try:
        if not _write_unnamed(path, temporary, write_to):
            with temporary.open("xb") as file:
                _fill(file, path, write_to)
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    _sync_folder(path.parent)


def _fill(file: IO[bytes], path: Path, write_to: WriteTo) -> None:
    """Write the content, with the permissions of the file that is replaced, down to the disk."""
    write_to(file.write)
    file.flush()
    if path.exists():
        os.chmod(file.fileno(), stat.S_IMODE(path.stat().st_mode))  # noqa: PTH101
    os.fsync(file.fileno())


def _write_unnamed(path: Path, temporary: Path, write_to: WriteTo) -> bool:
    """Write a file that gets its name when it is complete: a process that is killed leaves none behind.

    Returns False where the system has no such files.
    """
    descriptor = _open_unnamed(path.parent)
    if descriptor is None:
        return False
    with os.fdopen(descriptor, "wb") as file:
        _fill(file, path, write_to)
        return _name_file(descriptor, temporary)


def _open_unnamed(folder: Path) -> int | None:
    unnamed = getattr(os, "O_TMPFILE", None)
    if unnamed is None:
        return None
    try:
        return os.open(folder, unnamed | os.O_WRONLY | os.O_CLOEXEC, 0o666)
    except OSError:
        return None


def _name_file(descriptor: int, name: Path) -> bool:
    """Only with a folder's descriptor does Python make the system call that follows the link."""
    folder = os.open(name.parent, os.O_RDONLY)
    try:
        os.link(f"/proc/self/fd/{descriptor}", name, src_dir_fd=folder, follow_symlinks=True)
    except OSError:
        return False
    finally:
        os.close(folder)
    return True


def _sync_folder(folder: Path) -> None:
    """Make the new name last through a power failure, where folders can be synced."""
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
