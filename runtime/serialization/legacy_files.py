"""What ``torch.save`` wrote before PyTorch 1.6: pickles in a row and raw storages, or a tar archive."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from tsc.runtime.serialization.errors import DAMAGED, ArchiveError
from tsc.runtime.serialization.limits import DEFAULT_LIMITS, Limits
from tsc.runtime.serialization.pickle_reader import read_pickle_prefix
from tsc.runtime.serialization.pickle_structure import children
from tsc.runtime.serialization.records import (
    QuantizedTensorRecord,
    RecordValue,
    StorageRecord,
    TensorRecord,
)

LEGACY_MAGIC = b"\x80\x02\x8a\x0a" + 0x1950A86A20F9469CFC6C.to_bytes(10, "little") + b"."
"""The pickle of a number, with which such files begin."""
_PROTOCOL = 1001
_COUNT_SIZE = 8
_TAR_BLOCK, _TAR_NAME, _MOST_TAR_ENTRIES = 512, 100, 16


@dataclass(frozen=True, slots=True)
class LegacyFile:
    """The value that was saved, as `records`, and the bytes of its storages by their keys."""

    value: Any
    storages: dict[str, memoryview]


ReadPrefix = Callable[..., tuple[Any, int]]


def read_legacy_file(
    view: memoryview, *, limits: Limits = DEFAULT_LIMITS, read: ReadPrefix = read_pickle_prefix
) -> LegacyFile:
    """Read the pickles of a file; its storages are views of it. `read` is what reads the value.

    Raises:
        ArchiveError: damaged, or more than data.
    """
    protocol, position = read_pickle_prefix(view, len(LEGACY_MAGIC), limits=limits)
    if protocol != _PROTOCOL:
        raise ArchiveError(
            f"the legacy file has protocol {protocol}, which is unknown", hint=DAMAGED
        )
    _, position = read_pickle_prefix(view, position, limits=limits)  # of the machine that wrote it
    value, position = read(view, position, limits=limits)
    keys: RecordValue
    keys, position = read_pickle_prefix(view, position, limits=limits)
    if type(keys) is not list:
        raise ArchiveError("the legacy file has no list of its storages", hint=DAMAGED)
    return LegacyFile(value, _read_storages(view, position, keys, _storage_records(value)))


def _storage_records(value: Any) -> dict[str, StorageRecord]:
    """The storages that a value refers to."""
    found: dict[str, StorageRecord] = {}
    pending, seen = [value], set[int]()
    while pending:
        each = pending.pop()
        if isinstance(each, QuantizedTensorRecord):
            pending.append(each.tensor)
        if isinstance(each, TensorRecord):
            each = each.storage
        if isinstance(each, StorageRecord):
            found[each.key] = each
        elif id(each) not in seen:
            seen.add(id(each))
            pending.extend(children(each))
    return found


def _read_storages(
    view: memoryview, position: int, keys: list[Any], records: dict[str, StorageRecord]
) -> dict[str, memoryview]:
    """The storages one after another, each behind the number of its elements."""
    storages: dict[str, memoryview] = {}
    for key in keys:
        record = records.get(key) if type(key) is str else None
        if record is None:
            raise ArchiveError("the legacy file has a storage that nothing uses", hint=DAMAGED)
        count = int.from_bytes(view[position : position + _COUNT_SIZE], "little")
        start = position + _COUNT_SIZE
        position = start + record.nbytes
        if count != record.count or position > len(view):
            raise ArchiveError(f"the storage {key} of the legacy file is cut off", hint=DAMAGED)
        storages[key] = view[start:position]
    return storages


def is_tar(view: memoryview) -> bool:
    """Whether there is the mark of a tar archive in its first header."""
    return bytes(view[257:262]) == b"ustar"


def is_legacy_tar(view: memoryview) -> bool:
    """Whether a tar archive has the files that PyTorch put into one."""
    names = {name.removeprefix("./") for name in _tar_names(view)}
    return {"pickle", "storages", "tensors"} <= names


def _tar_names(view: memoryview) -> Iterator[str]:
    """The names of the first entries of a tar archive, as far as their headers make sense."""
    position = 0
    for _ in range(_MOST_TAR_ENTRIES):
        header = bytes(view[position : position + _TAR_BLOCK])
        digits = header[124:136].strip(b" \0")
        if len(header) < _TAR_BLOCK or not header[0] or not digits.isdigit():
            return
        try:
            size = int(digits, 8)
        except ValueError:
            return
        yield header[:_TAR_NAME].split(b"\0")[0].decode("latin1")
        position += _TAR_BLOCK + -(-size // _TAR_BLOCK) * _TAR_BLOCK
