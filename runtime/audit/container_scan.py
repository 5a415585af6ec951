"""The zip archive itself: bytes that nobody owns, entries that nobody writes, sizes and checksums."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tsc.runtime.audit import findings as rules
from tsc.runtime.audit.findings import Finding
from tsc.runtime.audit.policy import Policy, matches
from tsc.runtime.inspection.visible import counted, size_text
from tsc.runtime.serialization import zip_format as layout
from tsc.runtime.serialization.errors import ArchiveError
from tsc.runtime.serialization.zip_directory import ZipEntry
from tsc.runtime.serialization.zip_reader import ZipReader

_LARGEST_DESCRIPTOR = layout.DESCRIPTOR64.size
_WRITTEN = re.compile(
    r"(?:data|constants|bytecode|traced_inputs|mobile_debug_handles|attributes)\.pkl"
    r"|(?:data|constants|tensors|traced_inputs|bytecode)/[^/]+|code/.+\.py(?:\.debug_pkl)?"
    r"|version|byteorder|\.data/(?:version|serialization_id)|\.format_version|\.storage_alignment|extra/.+|model\.json"
)
_TEXTS = (".py", ".pkl", ".debug_pkl", "version", "byteorder", ".json")


def scan_container(
    reader: ZipReader, view: memoryview, policy: Policy, *, is_ours: bool = True
) -> Iterator[Finding]:
    """What is odd about an archive whose directory could be read.

    `is_ours` says that it should have the entries of a TorchScript archive or of torch.save, and no others.
    """
    entries = list(reader.entries.values())
    if len(entries) > policy.max_entries:
        found = f"{len(entries)} entries, more than {policy.max_entries}"
        yield Finding(rules.TOO_LARGE, found)
    yield from _hidden_bytes(entries, view)
    folder = entries[0].name.partition("/")[0] if entries else ""
    for entry in entries:
        yield from _scan_entry(reader, entry, folder, policy, is_ours)


def _hidden_bytes(entries: list[ZipEntry], view: memoryview) -> Iterator[Finding]:
    """Between entries there may be a descriptor of sizes, as Python's zipfile writes it, and no more."""
    position, previous = 0, "the beginning of the file"
    for entry in sorted(entries, key=lambda each: each.header_offset):
        yield from _gap(view, position, entry.header_offset, previous)
        position, previous = entry.offset + entry.stored_size, entry.name
    start = max(len(view) - layout.LONGEST_COMMENT - layout.END.size, 0)
    tail = bytes(view[start:])
    end = tail.rfind(layout.END_SIGNATURE)
    directory = int.from_bytes(tail[end + 16 : end + 20], "little")
    if directory != layout.SENTINEL32:
        yield from _gap(view, position, directory, previous)
    comment = len(tail) - end - layout.END.size
    if comment:
        yield Finding(rules.HIDDEN_BYTES, f"a comment of {counted(comment, 'byte')} ends the file")


def _gap(view: memoryview, start: int, end: int, previous: str) -> Iterator[Finding]:
    """What lies between two entries, but for descriptors and folders."""
    signature = bytes(view[start : start + 4])
    if signature == layout.DESCRIPTOR_SIGNATURE and end - start <= _LARGEST_DESCRIPTOR:
        return
    while signature == layout.LOCAL_SIGNATURE and start + layout.LOCAL.size <= end:
        header = layout.LocalHeader._make(layout.LOCAL.unpack_from(view, start))
        name_end = start + layout.LOCAL.size + header.name_length
        if header.stored_size or bytes(view[name_end - 1 : name_end]) != b"/":
            break
        start = name_end + header.extra_length
        signature = bytes(view[start : start + 4])
    if start < end:
        yield Finding(rules.HIDDEN_BYTES, f"{counted(end - start, 'byte')} behind {previous}")


def _scan_entry(
    reader: ZipReader, entry: ZipEntry, folder: str, policy: Policy, is_ours: bool
) -> Iterator[Finding]:
    name = entry.name
    inner = name.removeprefix(f"{folder}/")
    if is_ours and (inner == name or _WRITTEN.fullmatch(inner) is None):
        yield Finding(
            rules.FOREIGN_ENTRY, f"{size_text(entry.size)} that PyTorch does not write", name
        )
    extra = inner.removeprefix("extra/")
    if extra != inner and not matches(extra, policy.allowed_extra):
        yield Finding(rules.EXTRA_FILE, f"the policy does not allow the extra file {extra}", name)
    if entry.is_compressed and not inner.startswith("code/"):
        yield Finding(
            rules.COMPRESSED, f"compressed, {entry.stored_size} to {entry.size} bytes", name
        )
    if is_examined_by_its_container(name, entry):
        yield from _unreadable(reader, name)


def is_examined_by_its_container(name: str, entry: ZipEntry) -> bool:
    """Whether an entry is read whole here, so that nobody else need say that it cannot be."""
    return entry.is_compressed or name.endswith(_TEXTS)


def _unreadable(reader: ZipReader, name: str) -> Iterator[Finding]:
    try:
        reader.verify(name)
    except ArchiveError as error:
        message = error.message.removeprefix(f"{reader.name}: ").replace(f" of {name}", "")
        rule = rules.BOMB if "zip bomb" in message else rules.WRONG_CHECKSUM
        yield Finding(rule, message, name)
