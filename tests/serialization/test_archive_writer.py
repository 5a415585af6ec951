"""Writing archives: layout, reproducible bytes, wide numbers, and files that are never half-written."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

from tsc.runtime.serialization import zip_writer
from tsc.runtime.serialization.archive_reader import ArchiveReader
from tsc.runtime.serialization.archive_writer import ArchiveContents, write_archive
from tsc.runtime.serialization.atomic_files import write_file
from tsc.runtime.serialization.errors import ArchiveError
from tsc.runtime.serialization.records import ObjectRecord
from tsc.runtime.serialization.zip_reader import ZipReader
from tsc.runtime.serialization.zip_writer import ZipWriter

from .samples import archive_path, described_archive

ROOT = Path(__file__).parent.parent.parent


def contents_of(path: Path) -> ArchiveContents:
    """All that an archive holds, to be written again."""
    archive = ArchiveReader(path)
    names, code = archive.names(), archive.code_files()

    def storages(folder: str) -> list[memoryview]:
        count = sum(name.startswith(f"{folder}/") for name in names)
        return [archive.storage(str(number), folder) for number in range(count)]

    ranges = {file: archive.source_ranges(file) for file in code}
    return ArchiveContents(
        archive.pickle("data.pkl"),
        storages("data"),
        code,
        {file: each for file, each in ranges.items() if each is not None},
        archive.pickle("constants.pkl"),
        storages("constants"),
        archive.extra_files(),
        archive.version,
    )


def written(contents: ArchiveContents) -> bytes:
    out = io.BytesIO()
    write_archive(out, contents)
    return out.getvalue()


SMALL = ArchiveContents(
    ObjectRecord("__torch__.M", {"x": 1}, has_state=True), code={"a.py": "pass\n"}
)


@pytest.mark.parametrize("name", ["attributes.pt", "tensors.pt", "state.pt", "frozen.pt"])
def test_an_archive_of_pytorch_is_the_same_when_it_is_written_again(
    name: str, tmp_path: Path
) -> None:
    path = tmp_path / name
    write_archive(path, contents_of(archive_path(name)))
    original, again = ArchiveReader(archive_path(name)), ArchiveReader(path)
    assert again.names() == original.names()
    assert described_archive(path) == described_archive(archive_path(name))
    assert again.code_files() == original.code_files()
    assert again.extra_files() == original.extra_files()
    for file in original.code_files():
        assert repr(again.source_ranges(file)) == repr(original.source_ranges(file))


def test_the_layout_is_that_of_pytorch() -> None:
    content = written(contents_of(archive_path("tensors.pt")))
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        assert archive.testzip() is None
        assert archive.namelist()[0] == "archive/extra/note.txt"
        assert archive.namelist()[-3:] == [
            *("archive/version", "archive/byteorder", "archive/.data/serialization_id"),
        ]
        assert len(archive.read("archive/.data/serialization_id")) == 40
        assert archive.read("archive/version") == b"3\n"
    assert all(entry.offset % 64 == 0 for entry in ZipReader(content).entries.values())


def test_the_same_contents_give_the_same_bytes(tmp_path: Path) -> None:
    first, second = tmp_path / "first.pt", tmp_path / "second.pt"
    write_archive(first, contents_of(archive_path("tensors.pt")))
    os.utime(first, (0, 0))
    write_archive(second, contents_of(archive_path("tensors.pt")))
    assert first.read_bytes() == second.read_bytes()


def test_sizes_and_offsets_beyond_four_gigabytes(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a sentinel of 100 bytes, entries behind byte 100 need the wide numbers."""
    monkeypatch.setattr(zip_writer.layout, "SENTINEL32", 100)
    content = written(contents_of(archive_path("tensors.pt")))
    monkeypatch.undo()
    content = content.replace((100).to_bytes(4, "little"), b"\xff" * 4)
    names = {f"archive/{name}" for name in ArchiveReader(archive_path("tensors.pt")).names()}
    assert set(ZipReader(content)) == names


def test_a_gigantic_entry_is_written_with_wide_numbers() -> None:
    """The bytes are thrown away; what remains is the header and the directory."""
    kept: list[bytes] = []

    def keep_small(content: bytes | memoryview) -> None:
        if len(content) < 1 << 20:
            kept.append(bytes(content))

    writer = ZipWriter(keep_small)
    writer.add("a/x", memoryview(bytearray(1 << 10)))
    writer._position += 5 << 30
    writer.add("a/y", b"after")
    writer.close()
    tail = b"".join(kept)
    assert ((5 << 30) + zip_writer.ALIGNMENT + (1 << 10) + 16).to_bytes(8, "little") in tail


@pytest.mark.parametrize("name", ["../x", "a/../x"])
def test_extra_files_that_lead_out_are_refused(name: str) -> None:
    with pytest.raises(ArchiveError, match="cannot have the entry"):
        written(ArchiveContents(None, extra_files={name: b""}))


# Atomic files -----------------------------------------------------------------------------------


def failing_after(count: int) -> Any:
    """Writes pieces, and fails after some of them."""

    def write_to(write: Any) -> None:
        for number in range(10):
            if number == count:
                raise OSError(28, "No space left on device")
            write(b"new" * 1000)

    return write_to


@pytest.mark.parametrize("count", range(10))
def test_a_failed_write_leaves_the_old_file_and_nothing_else(count: int, tmp_path: Path) -> None:
    path = tmp_path / "model.pt"
    path.write_bytes(b"old")
    with pytest.raises(ArchiveError, match=r"model\.pt: cannot be written: No space left"):
        write_file(path, failing_after(count))
    assert [each.name for each in tmp_path.iterdir()] == ["model.pt"]
    assert path.read_bytes() == b"old"


def test_a_failed_write_to_an_open_file_is_taken_back() -> None:
    file = io.BytesIO(b"old")
    file.seek(3)
    with pytest.raises(ArchiveError, match="the file: cannot be written"):
        write_file(file, failing_after(5))
    assert file.getvalue() == b"old"


def test_without_unnamed_files_it_is_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(os, "O_TMPFILE")
    path = tmp_path / "model.pt"
    with pytest.raises(ArchiveError):
        write_file(path, failing_after(3))
    assert not list(tmp_path.iterdir())
    write_archive(path, SMALL)
    assert [each.name for each in tmp_path.iterdir()] == ["model.pt"]
    assert ArchiveReader(path).code_files() == {"a.py": "pass\n"}


def test_an_archive_is_written_over_itself_while_it_is_mapped(tmp_path: Path) -> None:
    path = tmp_path / "model.pt"
    write_archive(path, contents_of(archive_path("tensors.pt")))
    before = described_archive(path)
    write_archive(path, contents_of(path))
    assert described_archive(path) == before


def test_links_permissions_and_folders(tmp_path: Path) -> None:
    real, link = tmp_path / "real.pt", tmp_path / "link.pt"
    real.write_bytes(b"")
    real.chmod(0o640)
    link.symlink_to(real)
    write_archive(link, SMALL)
    assert link.is_symlink()
    assert real.stat().st_mode & 0o777 == 0o640
    assert ArchiveReader(real).version == 3
    with pytest.raises(ArchiveError, match="Is a directory"):
        write_archive(tmp_path, SMALL)
    with pytest.raises(ArchiveError, match="No such file or directory"):
        write_archive(tmp_path / "no" / "such.pt", SMALL)


def test_what_cannot_be_saved_touches_no_file(tmp_path: Path) -> None:
    path = tmp_path / "model.pt"
    with pytest.raises(ArchiveError, match="type object cannot be saved"):
        write_archive(path, ArchiveContents(object()))
    assert not list(tmp_path.iterdir())


_KILLED = """
import os, signal, sys
from tsc.runtime.serialization.atomic_files import write_file
def write_to(write):
    for number in range(4):
        if number == int(sys.argv[2]):
            os.kill(os.getpid(), signal.SIGKILL)
        write(b"new" * 100000)
write_file(sys.argv[1], write_to)
"""


@pytest.mark.parametrize("count", [0, 3, 4])
def test_a_killed_process_leaves_the_old_file_or_the_new_one(count: int, tmp_path: Path) -> None:
    path = tmp_path / "model.pt"
    path.write_bytes(b"old")
    done = subprocess.run(
        [sys.executable, "-c", _KILLED, str(path), str(count)], cwd=ROOT, check=False
    )
    killed = count < 4
    assert done.returncode == (-signal.SIGKILL if killed else 0)
    assert path.read_bytes() == (b"old" if killed else b"new" * 400_000)
    assert [each.name for each in tmp_path.iterdir()] == ["model.pt"]
