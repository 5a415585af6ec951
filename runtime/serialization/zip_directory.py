"""Finding and reading the directory of a zip archive, believing none of its numbers."""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass

from tsc.runtime.serialization import zip_format as layout
from tsc.runtime.serialization.errors import DAMAGED, ELSEWHERE, HOSTILE, ArchiveError
from tsc.runtime.serialization.limits import Limits

_DRIVE = re.compile(r"[A-Za-z]:")
_LONGEST_NAME = 4096


@dataclass(frozen=True, slots=True)
class ZipEntry:
    """One file of a zip archive; its bytes stand at `offset`."""

    name: str
    method: int
    crc: int
    stored_size: int
    size: int
    header_offset: int
    offset: int

    @property
    def is_compressed(self) -> bool:
        return self.method != layout.STORED


@dataclass(frozen=True, slots=True)
class _Directory:
    """Where the directory stands, and how many entries it has."""

    offset: int
    size: int
    entries: int


def read_directory(view: memoryview, limits: Limits) -> dict[str, ZipEntry]:
    """All entries by their names, in the order of the directory; folders are left out."""
    directory = _find_directory(view)
    if directory.entries > limits.entries:
        raise ArchiveError(
            f"the zip directory has {directory.entries} entries, more than {limits.entries}",
            hint="if the file is yours, raise Limits.entries",
        )
    if directory.size > limits.directory_bytes:
        raise ArchiveError(
            f"the zip directory has {directory.size} bytes, more than {limits.directory_bytes}",
            hint="if the file is yours, raise Limits.directory_bytes",
        )
    headers = _central_headers(view, directory)
    _refuse_duplicates(headers)
    entries = [_located(view, header, name, directory.offset) for header, name in headers]
    _refuse_overlaps(entries, directory.offset)
    return {entry.name: entry for entry in entries if not entry.name.endswith("/")}


def _find_directory(view: memoryview) -> _Directory:
    position = _find_end(view)
    end = layout.EndRecord._make(layout.END.unpack_from(view, position))
    if end.disk or end.directory_disk:
        raise ArchiveError("the zip archive is split over several files", hint="join them first")
    directory = _Directory(end.directory_offset, end.directory_size, end.entries)
    wide = _find_wide_end(view, position)
    if wide is not None:
        position, directory = wide[0], _agreeing(end, wide[1])
    if directory.offset + directory.size != position:
        raise ArchiveError("the zip directory is not where the file says that it is", hint=DAMAGED)
    if directory.entries * layout.CENTRAL.size > directory.size:
        raise ArchiveError("the zip directory is smaller than its entries", hint=DAMAGED)
    return directory


def _find_end(view: memoryview) -> int:
    """The position of the record that ends the archive; its comment must end the file."""
    start = max(len(view) - layout.END.size - layout.LONGEST_COMMENT, 0)
    tail = bytes(view[start:])
    found = tail.rfind(layout.END_SIGNATURE)
    while found >= 0:
        if found + layout.END.size <= len(tail):
            comment = int.from_bytes(tail[found + 20 : found + 22], "little")
            if found + layout.END.size + comment == len(tail):
                return start + found
        found = tail.rfind(layout.END_SIGNATURE, 0, found)
    if bytes(view[:4]) == layout.LOCAL_SIGNATURE:
        raise ArchiveError("the end of the zip archive is missing", hint=DAMAGED)
    raise ArchiveError("this is no zip archive", hint=ELSEWHERE)


def _find_wide_end(view: memoryview, end: int) -> tuple[int, layout.End64Record] | None:
    """The zip64 record and its position, if there is one."""
    locator = end - layout.LOCATOR64.size
    if locator < 0:
        return None
    signature, _, position, _ = layout.LOCATOR64.unpack_from(view, locator)
    if signature != layout.LOCATOR64_SIGNATURE:
        return None
    if position + layout.END64.size > locator:
        raise ArchiveError("the zip64 record is not where the file says that it is", hint=DAMAGED)
    record = layout.End64Record._make(layout.END64.unpack_from(view, position))
    if record.signature != layout.END64_SIGNATURE:
        raise ArchiveError("the zip64 record is missing", hint=DAMAGED)
    if position + 12 + record.record_size != locator:
        raise ArchiveError("the zip64 record does not end where it should", hint=DAMAGED)
    return position, record


def _agreeing(end: layout.EndRecord, wide: layout.End64Record) -> _Directory:
    """What the zip64 record says, which the narrow record must not contradict."""
    pairs = (
        (end.entries, wide.entries, layout.SENTINEL16),
        (end.directory_size, wide.directory_size, layout.SENTINEL32),
        (end.directory_offset, wide.directory_offset, layout.SENTINEL32),
    )
    if any(narrow not in (full, sentinel) for narrow, full, sentinel in pairs):
        raise ArchiveError("the zip archive has two ends that contradict each other", hint=HOSTILE)
    return _Directory(wide.directory_offset, wide.directory_size, wide.entries)


def _central_headers(
    view: memoryview, directory: _Directory
) -> list[tuple[layout.CentralHeader, str]]:
    """The headers of the directory with their names; sizes and offsets are the full ones."""
    position, end = directory.offset, directory.offset + directory.size
    headers: list[tuple[layout.CentralHeader, str]] = []
    for _ in range(directory.entries):
        if position + layout.CENTRAL.size > end:
            raise ArchiveError("the zip directory ends too early", hint=DAMAGED)
        header = layout.CentralHeader._make(layout.CENTRAL.unpack_from(view, position))
        position += layout.CENTRAL.size
        after = position + header.name_length + header.extra_length + header.comment_length
        if header.signature != layout.CENTRAL_SIGNATURE or after > end:
            raise ArchiveError("the zip directory is garbled", hint=DAMAGED)
        name = _decoded(bytes(view[position : position + header.name_length]), header.flags)
        position += header.name_length
        extra = bytes(view[position : position + header.extra_length])
        headers.append((_with_wide_numbers(header, extra, name), name))
        position = after
    if position != end:
        raise ArchiveError("the zip directory is longer than its entries", hint=DAMAGED)
    return headers


def _decoded(raw: bytes, flags: int) -> str:
    """The name of an entry, if it is one that can be trusted not to leave the archive."""
    try:
        name = raw.decode("utf-8" if flags & layout.UTF8_FLAG else "cp437")
    except UnicodeDecodeError:
        raise ArchiveError(
            f"the name of an entry is not UTF-8: {raw[:60]!r}", hint=DAMAGED
        ) from None
    parts = name.replace("\\", "/").split("/")
    if not name or len(raw) > _LONGEST_NAME or "\0" in name:
        raise ArchiveError(f"an entry has an impossible name: {name[:60]!r}", hint=HOSTILE)
    if ".." in parts or not parts[0] or _DRIVE.match(name):
        raise ArchiveError(f"the entry {name[:200]!r} leads out of the archive", hint=HOSTILE)
    return name


def _with_wide_numbers(
    header: layout.CentralHeader, extra: bytes, name: str
) -> layout.CentralHeader:
    """The header with what stands in its zip64 field instead."""
    wanted = [
        field
        for field in ("size", "stored_size", "header_offset")
        if getattr(header, field) == layout.SENTINEL32
    ]
    if not wanted:
        return header
    field = _extra_field(extra, layout.ZIP64_EXTRA)
    if field is None or len(field) < 8 * len(wanted):
        raise ArchiveError(f"the entry {name!r} lacks its zip64 sizes", hint=DAMAGED)
    numbers = struct.unpack_from(f"<{len(wanted)}Q", field)
    return header._replace(**dict(zip(wanted, numbers)))


def _extra_field(extra: bytes, kind: int) -> bytes | None:
    position = 0
    while position + 4 <= len(extra):
        found, length = struct.unpack_from("<2H", extra, position)
        if found == kind:
            return extra[position + 4 : position + 4 + length]
        position += 4 + length
    return None


def _refuse_duplicates(headers: list[tuple[layout.CentralHeader, str]]) -> None:
    seen: set[str] = set()
    for _, name in headers:
        if name in seen:
            raise ArchiveError(f"there are two entries {name!r}", hint=HOSTILE)
        seen.add(name)


def _located(
    view: memoryview, header: layout.CentralHeader, name: str, directory_offset: int
) -> ZipEntry:
    """The entry with the position of its bytes, which the header before them tells."""
    start = header.header_offset
    if start + layout.LOCAL.size > directory_offset:
        raise ArchiveError(f"the entry {name!r} lies outside of the file", hint=DAMAGED)
    local = layout.LocalHeader._make(layout.LOCAL.unpack_from(view, start))
    name_start = start + layout.LOCAL.size
    offset = name_start + local.name_length + local.extra_length
    if local.signature != layout.LOCAL_SIGNATURE or offset > directory_offset:
        raise ArchiveError(f"the entry {name!r} does not begin where it should", hint=DAMAGED)
    raw = bytes(view[name_start : name_start + local.name_length])
    if _decoded(raw, local.flags) != name or local.method != header.method:
        raise ArchiveError(f"the entry {name!r} calls itself otherwise", hint=HOSTILE)
    _check_sizes(header, local, name)
    if offset + header.stored_size > directory_offset:
        raise ArchiveError(f"the entry {name!r} lies outside of the file", hint=DAMAGED)
    return ZipEntry(name, header.method, header.crc, header.stored_size, header.size, start, offset)


def _check_sizes(header: layout.CentralHeader, local: layout.LocalHeader, name: str) -> None:
    if header.flags & layout.ENCRYPTED_FLAG:
        raise ArchiveError(f"the entry {name!r} is encrypted", hint="decrypt the archive first")
    if header.method == layout.STORED and header.size != header.stored_size:
        raise ArchiveError(f"the entry {name!r} has two sizes", hint=HOSTILE)
    if local.flags & layout.DESCRIPTOR_FLAG:
        return
    for narrow, full in ((local.size, header.size), (local.stored_size, header.stored_size)):
        if narrow not in (full, layout.SENTINEL32):
            raise ArchiveError(f"the entry {name!r} has two sizes", hint=HOSTILE)


def _refuse_overlaps(entries: list[ZipEntry], directory_offset: int) -> None:
    """No byte may belong to two entries: that is how small archives grow beyond all bounds."""
    ordered = sorted(entries, key=lambda entry: entry.header_offset)
    ends = [entry.header_offset for entry in ordered[1:]] + [directory_offset]
    for entry, end in zip(ordered, ends):
        if entry.offset + entry.stored_size > end:
            raise ArchiveError(f"the entry {entry.name!r} overlaps the next one", hint=HOSTILE)
