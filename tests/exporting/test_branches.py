"""Branches that data decides: `cond` with the results of the program, whichever way the data goes."""

from __future__ import annotations

import io
from typing import Any

import pytest

import tsc
from tsc.compiler.exir.node import Op
from tsc.compiler.exir.targets import COND

from .branching_programs import ARGUMENTS, PROGRAMS, REFUSED, TEXT


def function(body: str) -> Any:
    return tsc.CompilationUnit(TEXT + body).f


def numbers(value: Any) -> Any:
    if isinstance(value, tuple | list):
        return [numbers(each) for each in value]
    return value.tolist() if isinstance(value, tsc.Tensor) else value


@pytest.mark.parametrize("name", PROGRAMS)
def test_results_are_the_programs(name: str) -> None:
    f = function(PROGRAMS[name])
    program = tsc.export(f, (tsc.tensor(ARGUMENTS[0]),))
    assert program.graph.find_nodes(Op.CALL_FUNCTION, COND)
    file = io.BytesIO()
    tsc.save_exported(program, file)
    for module in (program.module(), tsc.load_exported(file.getvalue()).module()):
        for each in ARGUMENTS:
            assert numbers(module(tsc.tensor(each))) == numbers(f(tsc.tensor(each)))


@pytest.mark.parametrize("name", REFUSED)
def test_what_no_branch_can_do_is_refused(name: str) -> None:
    body, message = REFUSED[name]
    with pytest.raises(tsc.ExportError, match=message) as caught:
        tsc.export(function(body), (tsc.tensor(ARGUMENTS[0]),))
    assert "<--- HERE" in str(caught.value)
