"""The zip archive itself: bytes that nobody owns, entries that nobody writes, sizes and checksums."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from tsc.runtime.audit import findings as rules
from tsc.runtime.audit.findings import Finding
from tsc.runtime.audit.pickle_scan import scan_pickle
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
_HARMLESS = (
    *(".txt", ".md", ".rst", ".json", ".yaml", ".yml", ".toml", ".csv", ".tsv", ".ini", ".cfg"),
    *(".png", ".jpg", ".jpeg", ".gif", ".license", "license", "readme", ".ds_store"),
)
"""How entries are called that people add to their archives."""
_BEGINNINGS_OF_PROGRAMS = (
    b"\x80",
    b"#!",
    b"MZ",
    b"\x7fELF",
    b"\xca\xfe\xba\xbe",
    b"PK",
    b"(",
    b"c",
)
"""Of pickles, scripts, programs of all systems, and archives."""
_MOST_EXAMINED = 1 << 20
_MOST_NAMED = 3
_TOLD_ONCE = {
    rules.COMPRESSED: "{} entries are compressed",
    rules.UNUSED_ENTRY: "{} entries that PyTorch does not write, and that are no programs",
}
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
        rule = rules.UNUSED_ENTRY if _is_harmless(reader, entry) else rules.FOREIGN_ENTRY
        yield Finding(rule, f"{size_text(entry.size)} that PyTorch does not write", name)
    extra = inner.removeprefix("extra/")
    if extra != inner and not matches(extra, policy.allowed_extra):
        yield Finding(rules.EXTRA_FILE, f"the policy does not allow the extra file {extra}", name)
    if entry.is_compressed and not inner.startswith("code/"):
        yield Finding(
            rules.COMPRESSED, f"compressed, {entry.stored_size} to {entry.size} bytes", name
        )
    if is_examined_by_its_container(name, entry):
        yield from _unreadable(reader, name)


def _is_harmless(reader: ZipReader, entry: ZipEntry) -> bool:
    """Whether an entry is what its harmless name says: no pickle, and no program of any kind."""
    if not entry.name.lower().endswith(_HARMLESS):
        return False
    if entry.is_compressed and entry.size > _MOST_EXAMINED:
        return False
    try:
        content = reader.view(entry.name) if not entry.is_compressed else reader.read(entry.name)
    except ArchiveError:
        return False
    if bytes(content[:4]).startswith(_BEGINNINGS_OF_PROGRAMS):
        return False
    return scan_pickle(content[:_MOST_EXAMINED]).problem is not None  # the oldest pickles are texts


def in_one_line(findings: Iterable[Finding]) -> Iterator[Finding]:
    """The findings, with all of a harmless kind as one, which stands where the first of them was."""
    findings = list(findings)
    alike: dict[str, list[Finding]] = {}
    for each in findings:
        alike.setdefault(each.rule.code, []).append(each)
    for each in findings:
        same = alike[each.rule.code]
        if each.rule not in _TOLD_ONCE or len(same) == 1:
            yield each
        elif each is same[0]:
            names = ", ".join(one.entry for one in same[:_MOST_NAMED])
            more = f" and {len(same) - _MOST_NAMED} more" if len(same) > _MOST_NAMED else ""
            yield Finding(each.rule, f"{_TOLD_ONCE[each.rule].format(len(same))}: {names}{more}")


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
