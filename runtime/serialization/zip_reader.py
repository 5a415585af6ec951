"""Our own reader of zip archives: memory-mapped, bounded, and refusing what it does not know.

Opening reads the directory and the header of each entry, never the bytes of one. Entries that
are stored, as tensors are, are views of the mapped file; compressed ones are inflated when read.
"""

from __future__ import annotations

import os
import stat
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from tsc.runtime.serialization import zip_format as layout
from tsc.runtime.serialization.errors import DAMAGED, HOSTILE, ArchiveError, MissingFile
from tsc.runtime.serialization.file_mapping import FileMapping
from tsc.runtime.serialization.limits import DEFAULT_LIMITS, Limits
from tsc.runtime.serialization.zip_directory import ZipEntry, read_directory

FileLike = str | os.PathLike[str] | IO[bytes] | bytes | bytearray | memoryview
"""A path, an open binary file, or the content of one."""

_CHUNK = 1 << 20
_SMALLEST_BUDGET = 128 << 20


class ZipReader:
    """The entries of a zip archive. Messages call it `name`, which is that of the file unless it is given.

    Raises:
        ArchiveError: the file cannot be read, or is no zip archive that can be trusted.
    """

    def __init__(
        self, source: FileLike, *, limits: Limits = DEFAULT_LIMITS, name: str | None = None
    ) -> None:
        self.name = source_name(source) if name is None else name
        self.limits = limits
        self._view = mapped(source)
        self._inflated: set[str] = set()
        self._budget = max(_SMALLEST_BUDGET, limits.inflation * len(self._view))
        try:
            self.entries = read_directory(self._view, limits)
        except ArchiveError as error:
            raise error.within(self.name) from None

    @property
    def size(self) -> int:
        """Of the whole file, in bytes."""
        return len(self._view)

    def __contains__(self, name: str) -> bool:
        return name in self.entries

    def __iter__(self) -> Iterator[str]:
        return iter(self.entries)

    def view(self, name: str) -> memoryview:
        """The bytes of an entry, of the file itself if they are stored; no checksum is compared."""
        entry = self._entry(name)
        stored = self._view[entry.offset : entry.offset + entry.stored_size]
        if entry.method == layout.STORED:
            return stored
        return memoryview(self._inflate(entry, stored))

    def read(self, name: str) -> memoryview:
        """The bytes of a text or pickle, whose size is limited and whose checksum is compared."""
        entry = self._entry(name)
        if entry.size > self.limits.record_bytes:
            raise self._error(
                f"{name} has {entry.size} bytes, more than {self.limits.record_bytes}",
                "if the file is yours, raise Limits.record_bytes",
            )
        view = self.view(name)
        self._compare_checksum(entry, zlib.crc32(view))
        return view

    def verify(self, name: str) -> None:
        """Compare the checksum of an entry of any size."""
        entry, view, checksum = self._entry(name), self.view(name), 0
        for start in range(0, len(view), _CHUNK):
            checksum = zlib.crc32(view[start : start + _CHUNK], checksum)
        self._compare_checksum(entry, checksum)

    def _entry(self, name: str) -> ZipEntry:
        entry = self.entries.get(name)
        if entry is None:
            raise self._error(f"there is no {name} in the archive", DAMAGED)
        return entry

    def _compare_checksum(self, entry: ZipEntry, checksum: int) -> None:
        """PyTorch can be told to write zeros instead of checksums."""
        if entry.crc not in (checksum, 0):
            raise self._error(f"the checksum of {entry.name} is wrong", DAMAGED)

    def _inflate(self, entry: ZipEntry, stored: memoryview) -> bytes:
        if entry.method != layout.DEFLATED:
            raise self._error(
                f"{entry.name} is compressed by method {entry.method}", "zip it again, by deflate"
            )
        self._charge(entry)
        inflater = zlib.decompressobj(-zlib.MAX_WBITS)
        try:
            content = inflater.decompress(stored, entry.size + 1)
        except zlib.error as error:
            raise self._error(f"{entry.name} cannot be inflated: {error}", DAMAGED) from None
        if len(content) != entry.size or not inflater.eof:
            raise self._error(f"{entry.name} is not as large as the archive says", DAMAGED)
        return content

    def _charge(self, entry: ZipEntry) -> None:
        """Count what all entries inflate to, so that many small bombs are as bad as a large one."""
        allowed = max(self.limits.record_bytes, self.limits.inflation * entry.stored_size)
        if entry.name not in self._inflated:
            self._inflated.add(entry.name)
            self._budget -= entry.size
        if entry.size > allowed or self._budget < 0:
            raise self._error(f"{entry.name} inflates to {entry.size} bytes: a zip bomb", HOSTILE)

    def _error(self, message: str, hint: str) -> ArchiveError:
        return ArchiveError(message, hint=hint).within(self.name)


def source_name(source: FileLike) -> str:
    """What messages call a file."""
    if isinstance(source, (str, os.PathLike)):
        return os.fspath(source)
    name = getattr(source, "name", None)
    return name if isinstance(name, str) else "<archive>"


def mapped(source: FileLike) -> memoryview:
    """The content of a file: mapped if there is a path, so that only what is used is read.

    The view is writable where a change stays in memory, and never reaches the file.
    """
    if isinstance(source, memoryview):
        return source
    if isinstance(source, (bytes, bytearray)):
        return memoryview(bytes(source))
    if not isinstance(source, (str, os.PathLike)):
        return memoryview(_content(source))
    try:
        with Path(source).open("rb") as file:
            status = os.fstat(file.fileno())
            if stat.S_ISREG(status.st_mode) and status.st_size:
                return memoryview(FileMapping.of(file, status.st_size))
            if stat.S_ISCHR(status.st_mode) or stat.S_ISBLK(status.st_mode):
                raise ArchiveError(f"{source_name(source)}: this is a device, not a file")
            return memoryview(file.read())
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else error
        kind = MissingFile if isinstance(error, FileNotFoundError) else ArchiveError
        raise kind(f"{source_name(source)}: {reason}") from None


def _content(file: Any) -> bytes:
    if not hasattr(file, "read"):
        refused = f"an object of type {type(file).__name__!r} cannot be read"
        raise ArchiveError(refused, hint="give a path, a file opened with mode 'rb', or bytes")
    try:
        content = file.read()
    except (OSError, ValueError) as error:
        raise ArchiveError(f"{source_name(file)}: {error}") from None
    if not isinstance(content, bytes):
        raise ArchiveError(f"{source_name(file)}: opened as text", hint="open it with mode 'rb'")
    return content
