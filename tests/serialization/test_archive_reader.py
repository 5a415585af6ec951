"""Archives of PyTorch by their names: versions, byte orders, code, extra files."""

from __future__ import annotations

import pytest

from tsc.runtime.serialization.archive_reader import ArchiveReader
from tsc.runtime.serialization.errors import ArchiveError, RefusedName

from .hostile_zips import zip_of
from .samples import archive_path


def archive_with(**records: bytes) -> ArchiveReader:
    return ArchiveReader(zip_of({f"m/{name}": content for name, content in records.items()}))


def test_what_pytorch_wrote() -> None:
    archive = ArchiveReader(archive_path("attributes.pt"))
    assert (archive.folder, archive.version, archive.byte_order) == ("attributes", 3, "little")
    assert archive.is_torchscript
    assert archive.extra_files() == {"note.txt": b"hello"}
    assert set(archive.code_files()) == {
        "__torch__/torch/nn/modules/linear.py",
        "__torch__/tests/serialization/pytorch_archives.py",
    }
    assert archive.size("version") == 2
    assert archive.source_ranges("no/such/file.py") is None


def test_a_state_dict_is_no_torchscript() -> None:
    assert not ArchiveReader(archive_path("checkpoint.pth")).is_torchscript


@pytest.mark.parametrize(("content", "version"), [(b"1\n", 1), (b"10", 10), (b" 7 ", 7)])
def test_versions(content: bytes, version: int) -> None:
    assert archive_with(version=content).version == version


def test_the_version_of_old_archives_stands_elsewhere() -> None:
    records = {"m/.data/version": b"4", "m/version": b"nonsense"}
    assert ArchiveReader(zip_of(records)).version == 4


@pytest.mark.parametrize(
    ("content", "message"),
    [(b"0", "format version 0"), (b"11", "format version 11; 1 to 10"), (b"x", "is no version")],
)
def test_unknown_versions_are_refused(content: bytes, message: str) -> None:
    with pytest.raises(ArchiveError, match=message):
        _ = archive_with(version=content).version


def test_byte_orders() -> None:
    assert archive_with(version=b"3").byte_order == "little"
    assert archive_with(byteorder=b"big").byte_order == "big"
    with pytest.raises(ArchiveError, match="byteorder holds b'middle'"):
        _ = archive_with(byteorder=b"middle").byte_order


def test_an_archive_without_a_folder_is_refused() -> None:
    with pytest.raises(ArchiveError, match="its entries lie in no folder"):
        ArchiveReader(zip_of({"data.pkl": b""}))
    with pytest.raises(ArchiveError, match="its entries lie in no folder"):
        ArchiveReader(zip_of({}))


def test_errors_name_the_file_and_the_record() -> None:
    with pytest.raises(
        RefusedName, match=r"whole\.pth: data\.pkl: byte \d+: the pickle names torch\.nn"
    ):
        ArchiveReader(archive_path("whole.pth")).pickle("data.pkl")
    with pytest.raises(ArchiveError, match=r"<archive>: there is no m/data/0 in the archive"):
        archive_with(version=b"3").storage("0")


def test_code_that_is_no_text_is_refused() -> None:
    with pytest.raises(ArchiveError, match=r"code/a\.py is no UTF-8 text"):
        ArchiveReader(zip_of({"m/code/a.py": b"\xff"})).code_files()
