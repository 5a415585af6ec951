"""Random programs give the same by native code as by the interpreter of bytecode: results, lists, and errors."""

from __future__ import annotations

import copy
from typing import Any

import pytest

import tsc
from tests.random_programs import random_program
from tsc.runtime.execution.executor_mode import chosen_plan

pytest.importorskip("llvmlite")

ARGUMENTS = [(3, -2, 7, [1, 2, 3]), (-5, 0, 1, [4]), (20, -9, 3, [0, -1, 12])]


def outcomes(source: str, plan: str) -> list[Any]:
    """What the function `f` of a program gives, each with what became of its list."""
    function = tsc.CompilationUnit(source).f
    found: list[Any] = []
    with chosen_plan(plan):
        for arguments in copy.deepcopy(ARGUMENTS):
            try:
                found.append((function(*arguments), arguments))
            except tsc.ScriptError as error:
                found.append((str(error), arguments))
    return found


@pytest.mark.parametrize("seed", range(60))
def test_random_programs_agree(seed: int) -> None:
    source = random_program(seed)
    assert outcomes(source, "native") == outcomes(source, "bytecode"), source
