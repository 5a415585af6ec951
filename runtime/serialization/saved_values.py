"""What ``torch.save`` wrote, in its format of today or of old: values with their tensors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tsc.runtime.serialization.archive_reader import ArchiveReader
from tsc.runtime.serialization.errors import ArchiveError
from tsc.runtime.serialization.kinds import Kind, identify
from tsc.runtime.serialization.legacy_files import LEGACY_MAGIC, read_legacy_file
from tsc.runtime.serialization.limits import DEFAULT_LIMITS, Limits
from tsc.runtime.serialization.tensors import Storages, archive_storages
from tsc.runtime.serialization.zip_reader import FileLike, mapped, source_name


@dataclass(frozen=True, slots=True)
class SavedValues:
    """A value as `records`, and the storages that make its tensors."""

    value: Any
    storages: Storages


def read_saved_values(source: FileLike, *, limits: Limits = DEFAULT_LIMITS) -> SavedValues:
    """Read a state_dict or another value of tensors, numbers, strings and containers.

    Raises:
        ArchiveError: the file is damaged, holds Python objects, or is something else.
    """
    view, name = mapped(source), source_name(source)
    if bytes(view[: len(LEGACY_MAGIC)]) == LEGACY_MAGIC:
        return _read_legacy(view, name, limits)
    found = identify(view, limits=limits)
    if found.kind in (Kind.STATE_DICT, Kind.PICKLED_OBJECTS):
        archive = ArchiveReader(view, limits=limits, name=name)
        return SavedValues(archive.pickle("data.pkl"), archive_storages(archive))
    raise ArchiveError(
        f"{name}: this is no file of torch.save, but {found.description}", hint=found.advice
    )


def _read_legacy(view: memoryview, name: str, limits: Limits) -> SavedValues:
    try:
        file = read_legacy_file(view, limits=limits)
    except ArchiveError as error:
        raise error.within(name) from None

    def read(key: str) -> memoryview:
        if key not in file.storages:
            raise ArchiveError(f"{name}: there is no storage {key} in the file")
        return file.storages[key]

    return SavedValues(file.value, Storages(read))
