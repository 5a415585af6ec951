"""The zip reader: what it reads, and what it refuses."""

from __future__ import annotations

import io
import os
import zipfile
from pathlib import Path

import pytest

from tsc.runtime.serialization import zip_format as layout
from tsc.runtime.serialization.errors import ArchiveError
from tsc.runtime.serialization.limits import Limits
from tsc.runtime.serialization.zip_reader import ZipReader

from . import hostile_zips
from .hostile_zips import zip_of
from .samples import archive_path, archive_paths

ENTRIES = {"a/data.pkl": b"\x80\x02N.", "a/code/x.py": b"pass\n" * 50, "a/version": b"3\n"}
GOOD = zip_of(ENTRIES)


@pytest.mark.parametrize("compress", [False, True])
def test_reads_what_zipfile_writes(compress: bool) -> None:
    reader = ZipReader(zip_of(ENTRIES, compress=compress))
    assert {name: bytes(reader.read(name)) for name in reader} == ENTRIES


@pytest.mark.parametrize("path", [path for path in archive_paths() if "legacy" not in path.name])
def test_reads_archives_of_pytorch_as_zipfile_does(path: Path) -> None:
    reader = ZipReader(path)
    with zipfile.ZipFile(path) as archive:
        assert list(reader) == archive.namelist()
        for name in reader:
            assert bytes(reader.read(name)) == archive.read(name)


def test_stored_entries_are_views_of_the_mapped_file(tmp_path: Path) -> None:
    path = tmp_path / "large.pt"
    path.write_bytes(zip_of({"a/data/0": bytes(1 << 20)}))
    view = ZipReader(path).view("a/data/0")
    view[0] = 7
    assert view[0] == 7
    assert ZipReader(path).view("a/data/0")[0] == 0, "a change never reaches the file"


def test_a_sparse_archive_of_three_gigabytes_is_opened_without_reading_it(tmp_path: Path) -> None:
    """Its tensor is a hole in the file: reading it whole would take three gigabytes of memory."""
    size, path = 3 << 30, tmp_path / "sparse.pt"
    name = b"a/data/0"
    with path.open("wb") as file:
        header = layout.LOCAL.pack(b"PK\3\4", 0, 0, 0, 0, 0, 0, size, size, len(name), 0) + name
        file.write(header)
        file.seek(len(header) + size)
        directory = layout.CENTRAL.pack(
            b"PK\1\2", 0, 0, 0, 0, 0, 0, 0, size, size, len(name), 0, 0, 0, 0, 0, 0
        )
        file.write(directory + name)
        start = len(header) + size
        file.write(layout.END.pack(b"PK\5\6", 0, 0, 1, 1, len(directory) + len(name), start, 0))
    reader = ZipReader(path)
    assert reader.entries["a/data/0"].size == size
    assert bytes(reader.view("a/data/0")[-4:]) == bytes(4)


def test_names_above_the_directory_are_refused() -> None:
    for old, new in (
        ("a/version", "../etc/pw"),
        ("a/version", "a/../../x"),
        ("a/version", "/etc/pass"),
    ):
        with pytest.raises(ArchiveError, match="leads out of the archive"):
            ZipReader(hostile_zips.renamed(GOOD, old, new))
    with pytest.raises(ArchiveError, match="leads out of the archive"):
        ZipReader(hostile_zips.renamed(GOOD, "a/version", "a\\..\\..\\x"))
    with pytest.raises(ArchiveError, match="leads out of the archive"):
        ZipReader(hostile_zips.renamed(GOOD, "a/version", "C:\\window"))


def test_two_entries_of_one_name_are_refused() -> None:
    content = zip_of({"a/one": b"1", "a/two": b"2"})
    with pytest.raises(ArchiveError, match="two entries 'a/one'"):
        ZipReader(hostile_zips.renamed(content, "a/two", "a/one"))


def test_a_name_that_differs_in_the_directory_is_refused() -> None:
    at = GOOD.rindex(b"a/version")
    with pytest.raises(ArchiveError, match="calls itself otherwise"):
        ZipReader(GOOD[:at] + b"a/Version" + GOOD[at + 9 :])


def test_overlapping_entries_are_refused() -> None:
    with pytest.raises(ArchiveError, match="overlaps the next one"):
        ZipReader(hostile_zips.overlapping(100))
    with pytest.raises(ArchiveError, match="overlaps the next one"):
        ZipReader(hostile_zips.reaching_into_the_next())


def test_a_bomb_is_refused_before_it_is_inflated() -> None:
    content = zip_of({"a/data/0": bytes(200 << 20)}, compress=True)
    assert len(content) < 1 << 20
    with pytest.raises(ArchiveError, match="a zip bomb"):
        ZipReader(content).view("a/data/0")


def test_many_small_bombs_are_one_large_bomb() -> None:
    content = zip_of({f"a/{number}": bytes(50 << 20) for number in range(3)}, compress=True)
    reader = ZipReader(content)
    reader.read("a/0")
    reader.read("a/1")
    reader.read("a/1")
    with pytest.raises(ArchiveError, match="a zip bomb"):
        reader.read("a/2")


def test_an_entry_larger_than_it_says_is_refused() -> None:
    content = zip_of({"a/x": bytes(1000)}, compress=True)
    smaller = hostile_zips.with_central_fields(content, 0, size=10)
    with pytest.raises(ArchiveError, match="two sizes"):
        ZipReader(smaller)
    start = smaller.index(layout.LOCAL_SIGNATURE)
    both = smaller[: start + 22] + (10).to_bytes(4, "little") + smaller[start + 26 :]
    with pytest.raises(ArchiveError, match="not as large as the archive says"):
        ZipReader(both).read("a/x")


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"entries": 2}, "longer than its entries"),
        ({"entries": 4}, "smaller than its entries"),
        ({"entries": 60_000}, "smaller than its entries"),
        ({"directory_offset": 0}, "not where the file says"),
        ({"directory_size": 1 << 31}, "not where the file says"),
        ({"disk": 1}, "split over several files"),
        ({"comment_length": 9}, "the end of the zip archive is missing"),
    ],
)
def test_an_end_that_lies_is_refused(fields: dict[str, int], message: str) -> None:
    with pytest.raises(ArchiveError, match=message):
        ZipReader(hostile_zips.with_end_fields(GOOD, **fields))


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"header_offset": 1 << 31}, "lies outside of the file"),
        ({"header_offset": 1}, "does not begin where it should"),
        ({"stored_size": 1 << 30, "size": 1 << 30}, "has two sizes|outside of the file"),
        ({"stored_size": 0xFFFFFFFF, "size": 0xFFFFFFFF}, "lacks its zip64 sizes"),
        ({"size": 1}, "has two sizes"),
        ({"flags": 1}, "is encrypted"),
        ({"name_length": 60_000}, "garbled"),
        ({"method": 12}, "calls itself otherwise"),
    ],
)
def test_a_directory_that_lies_is_refused(fields: dict[str, int], message: str) -> None:
    with pytest.raises(ArchiveError, match=message):
        ZipReader(hostile_zips.with_central_fields(GOOD, 0, **fields))


def test_a_wrong_checksum_is_refused_and_none_is_allowed() -> None:
    with pytest.raises(ArchiveError, match=r"checksum of a/data\.pkl is wrong"):
        ZipReader(hostile_zips.with_central_fields(GOOD, 0, crc=1)).read("a/data.pkl")
    unchecked = ZipReader(hostile_zips.with_central_fields(GOOD, 0, crc=0))
    assert bytes(unchecked.read("a/data.pkl")) == ENTRIES["a/data.pkl"]


def test_verify_finds_a_flipped_bit_in_a_tensor() -> None:
    content = bytearray(archive_path("tensors.pt").read_bytes())
    reader = ZipReader(bytes(content))
    entry = reader.entries["tensors/data/0"]
    reader.verify(entry.name)
    content[entry.offset] ^= 1
    with pytest.raises(ArchiveError, match="checksum of tensors/data/0 is wrong"):
        ZipReader(bytes(content)).verify(entry.name)


def test_an_unknown_compression_is_named() -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_BZIP2) as archive:
        archive.writestr("a/x", b"1" * 100)
    with pytest.raises(ArchiveError, match="compressed by method 12"):
        ZipReader(out.getvalue()).read("a/x")


def test_more_entries_than_allowed_are_refused() -> None:
    with pytest.raises(ArchiveError, match="3 entries, more than 2") as raised:
        ZipReader(GOOD, limits=Limits(entries=2))
    assert str(raised.value).endswith("hint: if the file is yours, raise Limits.entries")


def test_a_directory_of_gigantic_names_is_refused() -> None:
    content = zip_of({f"a/{number}{'n' * 3000}": b"" for number in range(20)})
    with pytest.raises(ArchiveError, match=r"the zip directory has \d+ bytes, more than 50000"):
        ZipReader(content, limits=Limits(directory_bytes=50_000))


def test_a_record_larger_than_allowed_is_refused() -> None:
    reader = ZipReader(GOOD, limits=Limits(record_bytes=100))
    with pytest.raises(ArchiveError, match="has 250 bytes, more than 100"):
        reader.read("a/code/x.py")


def test_every_truncation_is_refused() -> None:
    content = archive_path("state.pt").read_bytes()
    for length in range(len(content)):
        with pytest.raises(ArchiveError):
            ZipReader(content[:length])


def test_files_that_cannot_be_opened_are_named(tmp_path: Path) -> None:
    with pytest.raises(ArchiveError, match=r"missing\.pt: No such file"):
        ZipReader(tmp_path / "missing.pt")
    with pytest.raises(ArchiveError, match="Is a directory"):
        ZipReader(tmp_path)
    with pytest.raises(ArchiveError, match="a device, not a file"):
        ZipReader(os.devnull)
    with pytest.raises(ArchiveError, match="opened as text"):
        ZipReader(io.StringIO("text"))  # type: ignore[arg-type]
    with pytest.raises(ArchiveError, match="no zip archive"):
        ZipReader(b"")


def test_an_open_file_is_read_from_where_it_stands(tmp_path: Path) -> None:
    path = tmp_path / "x.pt"
    path.write_bytes(b"before" + GOOD)
    with path.open("rb") as file:
        file.seek(6)
        assert set(ZipReader(file)) == set(ENTRIES)
