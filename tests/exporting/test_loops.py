"""Loops, numbers and exceptions that data decides: programs do the same exported, here and when read back."""

from __future__ import annotations

import io
from typing import Any

import pytest

import tsc
from tsc.compiler.exir import data_numbers
from tsc.compiler.exir.node import Op
from tsc.compiler.exir.targets import WHILE_LOOP
from tsc.runtime.exporting.control_flow import conditions, number_arithmetic

from .looping_programs import ARGUMENTS, FAILING, PROGRAMS, REFUSED
from .test_branches import numbers


def exported(body: str) -> tuple[Any, Any]:
    f = tsc.CompilationUnit(body).f
    return f, tsc.export(f, (tsc.tensor(ARGUMENTS[0]),))


@pytest.mark.parametrize("name", PROGRAMS)
def test_results_are_the_programs(name: str) -> None:
    f, program = exported(PROGRAMS[name])
    file = io.BytesIO()
    tsc.save_exported(program, file)
    for module in (program.module(), tsc.load_exported(file.getvalue()).module()):
        for each in ARGUMENTS:
            assert numbers(module(tsc.tensor(each))) == numbers(f(tsc.tensor(each)))


@pytest.mark.parametrize("name", PROGRAMS)
def test_nothing_is_found_in_them(name: str) -> None:
    (explanation,) = [
        each for each in tsc.explain_export(tsc.CompilationUnit(PROGRAMS[name])) if each.name == "f"
    ]
    assert not explanation.findings


@pytest.mark.parametrize("name", FAILING)
def test_exceptions_are_assertions(name: str) -> None:
    _, program = exported(PROGRAMS[name])
    argument, text = FAILING[name]
    with pytest.raises(tsc.ScriptError, match=text):
        program.module()(tsc.tensor(argument))


def test_loops_are_kept_and_not_written_out() -> None:
    _, program = exported(PROGRAMS["while on a sum"])
    (loop,) = program.graph.find_nodes(Op.CALL_FUNCTION, WHILE_LOOP)
    assert len(list(program.graph.nodes)) < 12
    assert loop.meta["stack_trace"].strip().endswith("while bool(x.sum() < 100):")


@pytest.mark.parametrize("name", REFUSED)
def test_what_has_no_form_is_refused(name: str) -> None:
    body, message = REFUSED[name]
    with pytest.raises(tsc.ExportError, match=message) as caught:
        exported(body)
    assert "<--- HERE" in str(caught.value)
    assert caught.value.hint


def test_explanation_and_capture_compute_the_same() -> None:
    computed = {*number_arithmetic.BINARY, *number_arithmetic.UNARY, *number_arithmetic.INDICES}
    assert computed == data_numbers.ARITHMETIC
    assert set(conditions.LOGIC) == data_numbers.LOGIC
