"""All problems of a program are found, and no others: programs with marks, in ``cases/*.txt``."""

from __future__ import annotations

import pytest

from tests.check.marked_programs import MarkedProgram, problems_of, read_marked_programs


@pytest.mark.parametrize(
    "program",
    [pytest.param(each, id=f"{each.topic}: {each.name}") for each in read_marked_programs()],
)
def test_all_problems_are_found_and_no_others(program: MarkedProgram) -> None:
    assert problems_of(program.source) == program.marks
