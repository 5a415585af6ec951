"""Where code comes from: the records of PyTorch read, and ours written."""

from __future__ import annotations

from typing import Any

import pytest

from tsc.compiler.source.source import Source
from tsc.runtime.serialization.archive_reader import ArchiveReader
from tsc.runtime.serialization.errors import ArchiveError
from tsc.runtime.serialization.pickle_writer import write_pickle
from tsc.runtime.serialization.records import ContainerRecord
from tsc.runtime.serialization.source_ranges import (
    CodeOrigin,
    SourceRanges,
    read_source_ranges,
    write_source_ranges,
)

from .samples import archive_path


def test_code_of_pytorch_leads_back_to_the_program() -> None:
    archive = ArchiveReader(archive_path("attributes.pt"))
    path = "__torch__/tests/serialization/pytorch_archives.py"
    code, ranges = archive.text(f"code/{path}"), archive.source_ranges(path)
    assert ranges is not None
    found = ranges.at(code.encode().index(b"(linear).forward"))
    assert found is not None
    assert found.filename == "pytorch_archives.py"
    assert found.text == "self.linear"
    assert found.highlight().splitlines()[0].strip().startswith("return self.linear(x)")


def test_offsets_before_and_behind_all_code() -> None:
    source = Source("a\nb\n", "x.py", 7)
    ranges = SourceRanges((CodeOrigin(5, source.range(2, 3)), CodeOrigin(9, None)))
    assert ranges.at(4) is None
    assert ranges.at(5) == ranges.at(8) == source.range(2, 3)
    assert ranges.at(1000) is None
    assert SourceRanges(()).at(0) is None


def test_what_is_written_is_read_again() -> None:
    source = Source("def f():\n    grün = '😀' + x\n", "src/f.py", 12)
    origins = (
        CodeOrigin(0, None),
        CodeOrigin(10, source.range(13, 17)),
        CodeOrigin(20, source.range(20, 27)),
        CodeOrigin(30, source.range(13, 17)),
    )
    again = read_source_ranges(write_source_ranges(SourceRanges(origins))).origins
    assert [origin.offset for origin in again] == [0, 10, 20, 30]
    assert again[0].range is None
    found = again[1].range
    assert found is not None
    assert (found.text, found.filename, found.line, found.column) == ("grün", "src/f.py", 13, 4)
    assert again[2].range is not None
    assert again[2].range.text == "'😀' + x"
    assert again[3].range is not None
    assert again[3].range.source is found.source


def test_the_older_forms() -> None:
    """Before the table of lines, sources were texts; before tags, rows were pairs."""
    source = ("def f():\n  return 1\n", "old.py", 4)
    for row in ((3, (source, 2, 5)), (3, 8, (source, 2, 5)), (3, (source, 2, 5), 8)):
        found = read_source_ranges(write_pickle((row,))).at(3)
        assert found is not None
        assert (str(found), found.source.first_line) == ("old.py:4:2", 4)
    nameless = read_source_ranges(write_pickle(((0, (("x", None, 0), 0, 1)),))).at(0)
    assert nameless is not None
    assert nameless.filename == "<unknown>"


TABLE = ("FORMAT_WITH_STRING_TABLE", ("", "line\n"))


@pytest.mark.parametrize(
    "value",
    [
        *(None, 5, (5,), ((),), ((1,),), ((1, 2, 3),), ((-1, (("", "", 0), 0, 0)),), [{}]),
        ((1, (("text", "file", -1), 0, 0)),),
        (*TABLE, ((0, ((ContainerRecord([9], "List[int]"), 1, 0), 0, 0), 0),)),
        (*TABLE, ((0, ((ContainerRecord([1], "List[int]"), 7, 0), 0, 0), 0),)),
        (*TABLE, ((0, ((ContainerRecord(["x"], "List[str]"), 1, 0), 0, 0), 0),)),
        (*TABLE, ((0, ((7, 1, 0), 0, 0), 0),)),
        (*TABLE, 5),
    ],
    ids=repr,
)
def test_garbled_ranges_are_refused(value: Any) -> None:
    with pytest.raises(ArchiveError, match="the source ranges are garbled"):
        read_source_ranges(write_pickle(value))


def test_a_small_table_does_not_make_endless_texts() -> None:
    lines = ContainerRecord([1] * 100_000, "List[int]")
    value = ("FORMAT_WITH_STRING_TABLE", ("", "x" * 100_000), ((0, ((lines, 0, 0), 0, 0), 0),))
    with pytest.raises(ArchiveError, match="the source ranges are garbled"):
        read_source_ranges(write_pickle(value))


def test_ends_behind_the_text_are_its_end() -> None:
    found = read_source_ranges(write_pickle(((0, (("abc", "f", 0), 1, 999)),))).at(0)
    assert found is not None
    assert found.text == "bc"
