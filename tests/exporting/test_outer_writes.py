"""Writes in branches and loops to tensors from outside: the results of the program, here and when read back."""

from __future__ import annotations

import io
from typing import Any

import pytest

import tsc

from .test_branches import numbers
from .writing_programs import ARGUMENTS, PROGRAMS, REFUSED


def exported(name: str) -> tuple[Any, Any]:
    f = tsc.CompilationUnit(PROGRAMS[name]).f
    return f, tsc.export(f, (tsc.tensor(ARGUMENTS[0]),))


@pytest.mark.parametrize("name", PROGRAMS)
def test_results_are_the_programs(name: str) -> None:
    f, program = exported(name)
    file = io.BytesIO()
    tsc.save_exported(program, file)
    for module in (program.module(), tsc.load_exported(file.getvalue()).module()):
        for each in ARGUMENTS:
            given, own = tsc.tensor(each), tsc.tensor(each)
            assert numbers(module(given)) == numbers(f(own))
            assert given.tolist() == own.tolist()


@pytest.mark.parametrize("name", PROGRAMS)
def test_capture_leaves_its_arguments_alone(name: str) -> None:
    given = tsc.tensor(ARGUMENTS[0])
    tsc.export(tsc.CompilationUnit(PROGRAMS[name]).f, (given,))
    assert given.tolist() == ARGUMENTS[0]


@pytest.mark.parametrize("name", REFUSED)
def test_tensors_of_two_names_are_refused(name: str) -> None:
    f = tsc.CompilationUnit(REFUSED[name]).f
    with pytest.raises(tsc.ExportError, match="to a tensor from outside") as caught:
        tsc.export(f, (tsc.tensor(ARGUMENTS[0]),))
    assert "<--- HERE" in str(caught.value)
