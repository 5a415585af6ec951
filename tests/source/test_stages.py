"""What a failure of tsc tells of the stages that it came through."""

from __future__ import annotations

import traceback
from collections.abc import Iterator

import pytest

from tsc.compiler.source import Error, Stage, note_stage, stages_of


def failing(error: BaseException) -> None:
    with Stage("emit", "function 'f'"), Stage("parsing"):
        raise error


def test_a_failure_tells_its_stages_the_innermost_first() -> None:
    with pytest.raises(TypeError) as caught:
        failing(TypeError("wrong"))
    assert stages_of(caught.value) == ["in parsing", "in emit of function 'f'"]
    lines = traceback.format_exception(caught.value)
    assert [line.strip() for line in lines[-3:]] == [
        "TypeError: wrong",
        "in parsing",
        "in emit of function 'f'",
    ]


def test_a_stage_is_told_once_and_other_notes_are_no_stages() -> None:
    error = TypeError("wrong")
    error.add_note("a remark of somebody else")
    for _ in range(2):
        with pytest.raises(TypeError):
            failing(error)
    assert stages_of(error) == ["in parsing", "in emit of function 'f'"]


@pytest.mark.parametrize("error", [Error("of the program"), KeyboardInterrupt()])
def test_what_is_no_failure_of_tsc_is_left_alone(error: BaseException) -> None:
    with pytest.raises(type(error)):
        failing(error)
    assert not hasattr(error, "__notes__")


def test_a_generator_tells_of_itself_alone() -> None:
    def numbers() -> Iterator[int]:
        with Stage("counting"):
            yield 1
            raise TypeError("out of numbers")

    given = numbers()
    with pytest.raises(ValueError, match="of the consumer") as outside:
        for _ in given:
            raise ValueError("of the consumer")
    assert stages_of(outside.value) == []
    with pytest.raises(TypeError) as inside:
        next(given)
    assert stages_of(inside.value) == ["in counting"]


def test_a_place_can_be_told_afterwards() -> None:
    error = TypeError()
    note_stage(error, "the operator aten::add")
    assert stages_of(error) == ["in the operator aten::add"]
