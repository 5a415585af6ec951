"""What ``torch.save`` wrote, in its format of today or of old, or a ``torch.package``: values with their tensors."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

from tsc.runtime.serialization.archive_reader import ArchiveReader
from tsc.runtime.serialization.errors import DAMAGED, ArchiveError, RefusedName
from tsc.runtime.serialization.kinds import Kind, identify
from tsc.runtime.serialization.legacy_files import LEGACY_MAGIC, LegacyFile, read_legacy_file
from tsc.runtime.serialization.limits import DEFAULT_LIMITS, Limits
from tsc.runtime.serialization.object_reader import read_objects_prefix
from tsc.runtime.serialization.object_tensors import named_tensors
from tsc.runtime.serialization.records import AnyTensorRecord
from tsc.runtime.serialization.tensors import Storages, archive_storages
from tsc.runtime.serialization.zip_reader import FileLike, mapped, source_name

_DATA = "data.pkl"
_PACKAGE_DATA = ".data/"


@dataclass(frozen=True, slots=True)
class SavedValues:
    """A value as `records`, and the storages that make its tensors."""

    value: Any
    storages: Storages
    storage_bytes: int = 0


def read_saved_values(source: FileLike, *, limits: Limits = DEFAULT_LIMITS) -> SavedValues:
    """Read a state_dict or another value of tensors, numbers, strings and containers.

    Of objects of Python, and of a package, the value is a dict of the tensors in them, by names.

    Raises:
        ArchiveError: the file is damaged, holds objects without tensors, or is something else.
    """
    view, name = mapped(source), source_name(source)
    if bytes(view[: len(LEGACY_MAGIC)]) == LEGACY_MAGIC:
        return _read_legacy(view, name, limits)
    found = identify(view, limits=limits)
    archive = partial(ArchiveReader, view, limits=limits, name=name)
    if found.kind in (Kind.STATE_DICT, Kind.PICKLED_OBJECTS):
        return _read_zip(archive())
    tensors = read_objects(view, found.kind, name, limits=limits)
    if tensors is not None:
        return tensors
    raise ArchiveError(
        f"{name}: this is no file of torch.save, but {found.description}", hint=found.advice
    )


def _read_zip(archive: ArchiveReader) -> SavedValues:
    try:
        return SavedValues(archive.pickle(_DATA), archive_storages(archive))
    except RefusedName as error:
        found = _tensors_of_zip(archive)
        if found is None:
            raise _without_tensors(error) from None
        return found


def _without_tensors(error: RefusedName) -> RefusedName:
    error.hint = "no tensor is in it that could be taken out"
    return error


def _read_legacy(view: memoryview, name: str, limits: Limits) -> SavedValues:
    try:
        file = read_legacy_file(view, limits=limits)
        return SavedValues(file.value, _legacy_storages(file, name))
    except RefusedName as error:
        found = read_objects(view, Kind.PICKLED_OBJECTS, name, limits=limits)
        if found is None:
            raise _without_tensors(error).within(name) from None
        return found
    except ArchiveError as error:
        raise error.within(name) from None


def _legacy_storages(file: LegacyFile, name: str) -> Storages:
    def read(key: str) -> memoryview:
        if key not in file.storages:
            raise ArchiveError(f"{name}: there is no storage {key} in the file")
        return file.storages[key]

    return Storages(read)


# Objects of Python ------------------------------------------------------------------------------


def read_objects(
    view: memoryview, kind: Kind, name: str, *, limits: Limits = DEFAULT_LIMITS
) -> SavedValues | None:
    """The tensors in pickled objects or in a package, by names; None if there are none.

    Raises:
        ArchiveError: the file is damaged.
    """
    if kind is Kind.PACKAGE:
        return _tensors_of_package(ArchiveReader(view, limits=limits, name=name))
    if kind is not Kind.PICKLED_OBJECTS:
        return None
    if bytes(view[: len(LEGACY_MAGIC)]) != LEGACY_MAGIC:
        return _tensors_of_zip(ArchiveReader(view, limits=limits, name=name))
    try:
        file = read_legacy_file(view, limits=limits, read=read_objects_prefix)
        tensors = named_tensors(file.value)
    except ArchiveError as error:
        raise error.within(name) from None
    size = sum(len(each) for each in file.storages.values())
    return SavedValues(tensors, _legacy_storages(file, name), size) if tensors else None


def _tensors_of_zip(archive: ArchiveReader) -> SavedValues | None:
    tensors = _tensors_of_pickle(archive, _DATA)
    size = _size_below(archive, "data/")
    return SavedValues(tensors, archive_storages(archive), size) if tensors else None


def _tensors_of_package(archive: ArchiveReader) -> SavedValues | None:
    """Those of all its pickles; if several have tensors, names begin with that of the pickle."""
    found: dict[str, dict[str, AnyTensorRecord]] = {}
    for entry in archive.names():
        if entry.endswith(".pkl") and not entry.startswith(_PACKAGE_DATA):
            tensors = _tensors_of_pickle(archive, entry)
            if tensors:
                found[entry.removesuffix(".pkl")] = tensors
    if not found:
        return None
    tensors = {
        f"{path}.{name}": each for path, named in found.items() for name, each in named.items()
    }
    if len(found) == 1:
        (tensors,) = found.values()

    def read(key: str) -> memoryview:
        return archive.view(f"{_PACKAGE_DATA}{key}.storage")

    storages = Storages(read, byte_order=archive.byte_order)
    return SavedValues(tensors, storages, _size_below(archive, _PACKAGE_DATA, ".storage"))


def _tensors_of_pickle(archive: ArchiveReader, entry: str) -> dict[str, AnyTensorRecord]:
    content = archive.zip.read(f"{archive.folder}/{entry}")
    try:
        value, end = read_objects_prefix(content, limits=archive.limits)
        if end != len(content):
            raise ArchiveError(f"{len(content) - end} bytes follow the pickle", hint=DAMAGED)
        return named_tensors(value)
    except ArchiveError as error:
        raise error.within(entry).within(archive.name) from None


def _size_below(archive: ArchiveReader, prefix: str, suffix: str = "") -> int:
    names = (each for each in archive.names() if each.startswith(prefix) and each.endswith(suffix))
    return sum(map(archive.size, names))
