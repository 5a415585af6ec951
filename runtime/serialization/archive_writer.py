"""Writing TorchScript archives, which ``torch.jit.load`` reads, and files of tensors: PyTorch's entries and order."""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import IO, Any

from tsc.runtime.serialization.atomic_files import write_file
from tsc.runtime.serialization.errors import ArchiveError
from tsc.runtime.serialization.pickle_writer import write_pickle
from tsc.runtime.serialization.source_ranges import SourceRanges, write_source_ranges
from tsc.runtime.serialization.zip_writer import ZipWriter

FOLDER = "archive"
OLDEST_WRITTEN_VERSION = 3
"""What PyTorch writes for programs whose operators have never changed."""

_TENSOR_FILE_VERSION = 3

Bytes = bytes | bytearray | memoryview


@dataclass(frozen=True, slots=True)
class ArchiveContents:
    """All that an archive holds.

    `data` and `constants` are values of `records`; `storages` and `constant_storages` hold the bytes behind
    their tensors: the storage with the key "3" is the one at index 3. `code` maps paths such as
    ``__torch__/models.py`` to TorchScript.
    """

    data: Any
    storages: Sequence[Bytes] = ()
    code: Mapping[str, str] = field(default_factory=dict[str, str])
    source_ranges: Mapping[str, SourceRanges] = field(default_factory=dict[str, SourceRanges])
    constants: tuple[Any, ...] = ()
    constant_storages: Sequence[Bytes] = ()
    extra_files: Mapping[str, bytes | str] = field(default_factory=dict[str, bytes | str])
    version: int = OLDEST_WRITTEN_VERSION


@dataclass(frozen=True, slots=True)
class Entry:
    """A record of a file: its path in it, and what it holds."""

    name: str
    content: Bytes
    compress: bool = False


def write_archive(target: str | os.PathLike[str] | IO[bytes], contents: ArchiveContents) -> None:
    """Write an archive to a path, atomically, or to an open binary file.

    The same contents give the same bytes. Everything is pickled before the file is touched.

    Raises:
        ArchiveError: something cannot be saved, or the file cannot be written.
    """
    entries = list(_entries(contents))
    _refuse_duplicates(entries)
    write_entries(target, entries)


def write_tensor_file(
    target: str | os.PathLike[str] | IO[bytes], data: Any, storages: Sequence[Bytes]
) -> None:
    """Write what ``torch.load`` reads: values of `records`, and the bytes behind their tensors; no program.

    Raises:
        ArchiveError: something cannot be saved, or the file cannot be written.
    """
    write_entries(
        target, [*_pickle_entries("data", data, storages), *_about_the_file(_TENSOR_FILE_VERSION)]
    )


def write_entries(target: str | os.PathLike[str] | IO[bytes], entries: Sequence[Entry]) -> None:
    """Write records in PyTorch's layout, and after them a number that is theirs, to a path or an open file."""

    def write_to(write: Callable[[bytes | memoryview], object]) -> None:
        archive = ZipWriter(write)
        identity = hashlib.sha256()
        for entry in entries:
            name = f"{FOLDER}/{entry.name}"
            checksum = archive.add(name, entry.content, compress=entry.compress)
            identity.update(f"{name}:{checksum:08x};".encode())
        digits = str(int.from_bytes(identity.digest(), "big"))[:40].zfill(40)
        archive.add(f"{FOLDER}/.data/serialization_id", digits.encode("ascii"))
        archive.close()

    write_file(target, write_to)


def _entries(contents: ArchiveContents) -> Iterator[Entry]:
    for name, extra in contents.extra_files.items():
        yield Entry(f"extra/{name}", extra.encode() if isinstance(extra, str) else extra)
    yield from _pickle_entries("data", contents.data, contents.storages)
    for path, text in contents.code.items():
        yield Entry(f"code/{path}", text.encode("utf-8"), compress=True)
        if path in contents.source_ranges:
            ranges = write_source_ranges(contents.source_ranges[path])
            yield Entry(f"code/{path}.debug_pkl", ranges, compress=True)
    yield from _pickle_entries("constants", contents.constants, contents.constant_storages)
    yield from _about_the_file(contents.version)


def _about_the_file(version: int) -> Iterator[Entry]:
    yield Entry("version", f"{version}\n".encode("ascii"))
    yield Entry("byteorder", sys.byteorder.encode("ascii"))


def _pickle_entries(name: str, value: Any, storages: Sequence[Bytes]) -> Iterator[Entry]:
    """A pickle after the storages that it refers to."""
    pickle = write_pickle(value)
    for number, storage in enumerate(storages):
        yield Entry(f"{name}/{number}", storage)
    yield Entry(f"{name}.pkl", pickle)


def _refuse_duplicates(entries: list[Entry]) -> None:
    seen: set[str] = set()
    for entry in entries:
        if entry.name in seen or ".." in entry.name.split("/"):
            raise ArchiveError(f"an archive cannot have the entry {entry.name!r} (once more)")
        seen.add(entry.name)
