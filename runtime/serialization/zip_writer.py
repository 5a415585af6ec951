"""Writing zip archives in PyTorch's layout: the same bytes for the same entries, on every day.

Bytes of an entry begin at a multiple of 64, after a padding field. Checksum and sizes follow in a
descriptor, so that tensors are gone through once. The directory has a zip64 record in any case.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field

from tsc.runtime.serialization import zip_format as layout

Write = Callable[[bytes | memoryview], object]
Content = bytes | bytearray | memoryview

ALIGNMENT = 64
_FLAGS = layout.DESCRIPTOR_FLAG | layout.UTF8_FLAG
_PADDING_EXTRA = b"FB"
_DEFLATE_VERSION, _ZIP64_VERSION, _MADE_BY = 20, 45, 0x031E
_CHUNK = 16 << 20


@dataclass(slots=True)
class ZipWriter:
    """Writes entries one after another through `write`; `close` writes the directory."""

    write: Write
    _position: int = 0
    _directory: list[bytes] = field(default_factory=list)

    def add(self, name: str, content: Content, *, compress: bool = False) -> int:
        """Write an entry; returns the checksum of its content."""
        view = memoryview(content).cast("B") if len(content) else memoryview(b"")
        checksum = 0
        for start in range(0, len(view), _CHUNK):
            checksum = zlib.crc32(view[start : start + _CHUNK], checksum)
        stored = memoryview(_deflated(view)) if compress else view
        header = self._position
        self._add_header(name, stored, compress=compress)
        for start in range(0, len(stored), _CHUNK):
            self._put(stored[start : start + _CHUNK])
        self._add_descriptor(checksum, len(stored), len(view))
        self._remember(name, checksum, len(stored), len(view), header, compress=compress)
        return checksum

    def close(self) -> None:
        """Write the directory, without which nothing of the archive can be read."""
        start, entries = self._position, len(self._directory)
        self._put(b"".join(self._directory))
        size, end = self._position - start, self._position
        record = layout.END64.size - 12
        versions = (_MADE_BY, _ZIP64_VERSION)
        self._put(
            layout.END64.pack(
                layout.END64_SIGNATURE, record, *versions, 0, 0, entries, entries, size, start
            )
        )
        self._put(layout.LOCATOR64.pack(layout.LOCATOR64_SIGNATURE, 0, end, 1))
        narrow = min(entries, layout.SENTINEL16)
        sizes = (min(size, layout.SENTINEL32), min(start, layout.SENTINEL32))
        self._put(layout.END.pack(layout.END_SIGNATURE, 0, 0, narrow, narrow, *sizes, 0))

    def _put(self, content: bytes | memoryview) -> None:
        self.write(content)
        self._position += len(content)

    def _add_header(self, name: str, stored: memoryview, *, compress: bool) -> None:
        raw = name.encode("utf-8")
        is_wide = len(stored) >= layout.SENTINEL32
        size = layout.SENTINEL32 if is_wide else 0
        extra = struct.pack("<2H2Q", layout.ZIP64_EXTRA, 16, 0, 0) if is_wide else b""
        before = self._position + layout.LOCAL.size + len(raw) + len(extra) + 4
        padding = -before % ALIGNMENT
        extra += _PADDING_EXTRA + struct.pack("<H", padding) + b"Z" * padding
        self._put(
            layout.LOCAL.pack(
                *(layout.LOCAL_SIGNATURE, *_version_and_method(compress)),
                *(0, 0, 0, size, size, len(raw), len(extra)),
            )
        )
        self._put(raw + extra)

    def _add_descriptor(self, checksum: int, stored: int, size: int) -> None:
        is_wide = max(stored, size) >= layout.SENTINEL32
        descriptor = layout.DESCRIPTOR64 if is_wide else layout.DESCRIPTOR
        self._put(descriptor.pack(layout.DESCRIPTOR_SIGNATURE, checksum, stored, size))

    def _remember(
        self, name: str, checksum: int, stored: int, size: int, header: int, *, compress: bool
    ) -> None:
        """Keep the entry for the directory; wide numbers go into a zip64 field."""
        raw = name.encode("utf-8")
        numbers = (size, stored, header)
        wide = [number for number in numbers if number >= layout.SENTINEL32]
        extra = (
            struct.pack(f"<2H{len(wide)}Q", layout.ZIP64_EXTRA, 8 * len(wide), *wide)
            if wide
            else b""
        )
        narrow_size, narrow_stored, narrow_header = (min(n, layout.SENTINEL32) for n in numbers)
        version, flags, method = _version_and_method(compress)
        self._directory.append(
            layout.CENTRAL.pack(
                *(layout.CENTRAL_SIGNATURE, 0, version, flags, method, 0, 0),
                *(checksum, narrow_stored, narrow_size, len(raw), len(extra), 0, 0, 0, 0),
                narrow_header,
            )
            + raw
            + extra
        )


def _version_and_method(compress: bool) -> tuple[int, int, int]:
    if compress:
        return _DEFLATE_VERSION, _FLAGS, layout.DEFLATED
    return 0, _FLAGS, layout.STORED


def _deflated(content: memoryview) -> bytes:
    deflater = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    return deflater.compress(content) + deflater.flush()
