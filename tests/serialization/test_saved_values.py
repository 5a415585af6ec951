"""Files of ``torch.save``, in the format of today and in that of old."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tsc.runtime.serialization.errors import ArchiveError
from tsc.runtime.serialization.legacy_files import read_legacy_file
from tsc.runtime.serialization.saved_values import read_saved_values

from .samples import archive_path, described
from .test_tensors import ANSWERS

LEGACY = archive_path("legacy.pth").read_bytes()


def values(path: Path) -> Any:
    saved = read_saved_values(path)
    return json.loads(json.dumps(described(saved.value, saved.storages)))


@pytest.mark.parametrize("name", ["checkpoint.pth", "legacy.pth"])
def test_values_are_those_that_pytorch_had(name: str) -> None:
    assert values(archive_path(name)) == ANSWERS[name]


@pytest.mark.parametrize("name", ["checkpoint.pth", "legacy.pth"])
def test_views_share_their_storage(name: str) -> None:
    saved = read_saved_values(archive_path(name))
    whole, part = (saved.storages.tensor(record) for record in saved.value["views"])
    whole.array[2] = 42
    assert part.tolist() == [42.0, 3.0]


def test_what_is_no_file_of_torch_save_is_said() -> None:
    with pytest.raises(
        ArchiveError, match=r"this is no file of torch\.save, but a TorchScript archive"
    ):
        read_saved_values(archive_path("state.pt"))


def test_of_a_pickled_module_there_are_its_tensors() -> None:
    assert list(read_saved_values(archive_path("whole.pth")).value) == ["weight", "bias"]


def test_every_truncation_of_a_legacy_file_is_refused() -> None:
    for length in range(len(LEGACY)):
        with pytest.raises(ArchiveError):
            read_saved_values(LEGACY[:length])


def test_a_legacy_file_that_lies_is_refused() -> None:
    protocol = LEGACY.replace(b"M\xe9\x03.", b"M\xe8\x03.", 1)
    with pytest.raises(ArchiveError, match="has protocol 1000"):
        read_legacy_file(memoryview(protocol))
    place = LEGACY.rindex(b"e.") + 2  # behind the list of storages
    counted = LEGACY[:place] + (1 << 40).to_bytes(8, "little") + LEGACY[place + 8 :]
    with pytest.raises(ArchiveError, match="of the legacy file is cut off"):
        read_legacy_file(memoryview(counted))
