"""Programs that would take all time or memory: compiling them ends in one clear error, or is right."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests import work
from tests.limits.hostile import command, written
from tests.limits.hostile_sources import FAMILIES, cases

_LONGEST = 40_000
"""Letters of a program that is hostile rather than long: the time that its length takes is no fault."""


def _tried() -> list[tuple[str, int]]:
    """All in ``make hostile``, a third under ``-m slow``; otherwise a family here and there, at a size that hurts."""
    every = [case for case in cases() if len(FAMILIES[case[0]](case[1])) < _LONGEST]
    if os.environ.get("TSC_EVERY_CASE"):
        return every
    return every[::3] if work.whole_size else every[605::80]


@pytest.mark.slow
@pytest.mark.parametrize(("family", "size"), _tried())
def test_compiling_ends(tmp_path: Path, family: str, size: int) -> None:
    file = written(tmp_path, "f.py", FAMILIES[family](size))
    command("compile", file, "--stage", "all", "-o", str(tmp_path / "out.txt")).check_calm()


@pytest.mark.slow
@pytest.mark.parametrize(("family", "size"), _tried()[::4])
def test_checking_ends(tmp_path: Path, family: str, size: int) -> None:
    command("check", written(tmp_path, "f.py", FAMILIES[family](size))).check_calm()
