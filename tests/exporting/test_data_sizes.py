"""Sizes that data decides: results of the program for arguments that give other sizes, here and when read back."""

from __future__ import annotations

import io
from typing import Any

import pytest

import tsc

from .data_sized_programs import ARGUMENTS, PROGRAMS
from .test_branches import numbers

pytest.importorskip("sympy")


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
            assert numbers(module(tsc.tensor(each))) == numbers(f(tsc.tensor(each)))


@pytest.mark.parametrize("name", PROGRAMS)
def test_nothing_is_found_in_them(name: str) -> None:
    (explanation,) = tsc.explain_export(tsc.CompilationUnit(PROGRAMS[name]))
    assert not explanation.findings
