"""Zip archives that were made to mislead their reader."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib

from tsc.runtime.serialization import zip_format as layout


def zip_of(entries: dict[str, bytes], *, compress: bool = False) -> bytes:
    """An ordinary archive, as Python's zipfile writes it."""
    out = io.BytesIO()
    method = zipfile.ZIP_DEFLATED if compress else zipfile.ZIP_STORED
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, content in entries.items():
            archive.writestr(zipfile.ZipInfo(name), content, method)
    return out.getvalue()


def renamed(content: bytes, old: str, new: str) -> bytes:
    """An archive with another name of the same length, in both places."""
    assert len(old) == len(new)
    return content.replace(old.encode(), new.encode())


def with_central_fields(content: bytes, index: int, **fields: int) -> bytes:
    """An archive whose directory says something else about one entry."""
    start = content.index(layout.CENTRAL_SIGNATURE)
    for _ in range(index):
        start = content.index(layout.CENTRAL_SIGNATURE, start + 4)
    header = layout.CentralHeader._make(layout.CENTRAL.unpack_from(content, start))._replace(
        **fields
    )
    return content[:start] + layout.CENTRAL.pack(*header) + content[start + layout.CENTRAL.size :]


def with_end_fields(content: bytes, **fields: int) -> bytes:
    """An archive whose last record says something else."""
    start = content.rindex(layout.END_SIGNATURE)
    end = layout.EndRecord._make(layout.END.unpack_from(content, start))._replace(**fields)
    return content[:start] + layout.END.pack(*end) + content[start + layout.END.size :]


def overlapping(copies: int) -> bytes:
    """An archive whose entries all have the bytes of the first one: a bomb without nesting."""
    raw = zlib.compressobj(9, zlib.DEFLATED, -15)
    stored = raw.compress(bytes(1 << 20)) + raw.flush()
    body, directory = bytearray(), bytearray()
    checksum = zlib.crc32(bytes(1 << 20))
    sizes = (checksum, len(stored), 1 << 20)
    for number in range(copies):
        name = b"a/%04d" % number
        start = len(body)
        body += struct.pack("<4s5H3I2H", b"PK\3\4", 20, 0, 8, 0, 0, *sizes, len(name), 0) + name
        directory += layout.CENTRAL.pack(
            b"PK\1\2", 0, 20, 0, 8, 0, 0, *sizes, len(name), 0, 0, 0, 0, 0, start
        )
        directory += name
    body += stored
    end = layout.END.pack(b"PK\5\6", 0, 0, copies, copies, len(directory), len(body), 0)
    return bytes(body + directory + end)


def reaching_into_the_next() -> bytes:
    """An archive whose first entry is said, in both places, to be longer than it is."""
    content = zip_of({"a/x": bytes(50), "a/y": b"2"})
    size = struct.pack("<2I", 60, 60)
    longer = with_central_fields(content, 0, size=60, stored_size=60)
    return longer[:18] + size + longer[26:]
