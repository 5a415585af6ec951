"""A share of what ``make fuzz-archives`` tries: mutated archives, random pickles, every truncation."""

from __future__ import annotations

import contextlib
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.exir.recorded import recorded_path
from tsc.runtime.serialization.errors import ArchiveError
from tsc.runtime.serialization.kinds import identify
from tsc.runtime.serialization.limits import Limits
from tsc.runtime.serialization.pickle_reader import read_pickle

from .fuzzing import PROGRAMS, mutated, read_everything, run_part
from .samples import archive_path, archive_paths


def test_mutated_archives_end_in_archive_errors_alone() -> None:
    with ProcessPoolExecutor(1, get_context("spawn")) as process:  # its memory is its own
        outcome = process.submit(run_part, 0, 300).result()
    assert outcome.failure is None
    assert 100 < outcome.refused < 300


def test_the_same_number_makes_the_same_archive() -> None:
    assert [mutated(number) for number in range(20)] == [mutated(number) for number in range(20)]
    assert len({mutated(number) for number in range(100)}) > 95


@pytest.mark.parametrize(
    "path", [path for path in archive_paths() if path.suffix in (".pt", ".ptl")]
)
def test_what_is_mutated_can_be_read_as_it_is(path: object) -> None:
    read_everything(archive_path(str(path)).read_bytes())


@pytest.mark.parametrize("name", PROGRAMS)
def test_exported_programs_can_be_read_as_they_are(name: str) -> None:
    read_everything(recorded_path(name).read_bytes())


def test_every_truncation_of_an_archive_is_refused() -> None:
    content = archive_path("state.pt").read_bytes()
    for length in range(0, len(content), 3):
        with pytest.raises(ArchiveError):
            read_everything(content[:length])


def test_every_truncation_of_a_legacy_file_is_something() -> None:
    content = archive_path("legacy.pth").read_bytes()
    for length in range(0, len(content), 7):
        assert identify(content[:length]).advice


@given(st.binary(max_size=200))
def test_random_bytes_are_no_pickle_or_a_small_one(content: bytes) -> None:
    with contextlib.suppress(ArchiveError):
        read_pickle(b"\x80\x02" + content + b".", limits=Limits(pickle_memory=1 << 20))
