"""Every program of the corpus does the same by every plan: results, what is printed, errors with their places."""

from __future__ import annotations

import contextlib
import io
import math
from typing import Any

import pytest

import tsc
from tests.oracle.programs import Program, all_programs
from tsc.runtime.execution.executor_mode import chosen_plan

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")

PROGRAMS = all_programs()


def outcomes(program: Program, plan: str) -> list[Any]:
    """What the calls of a program give, print or raise."""
    with chosen_plan(plan):
        try:
            unit = tsc.CompilationUnit(program.source, filename=f"{program.key}.py")
        except tsc.CompileError as error:
            return [str(error)]
        return [outcome(unit, *numbered) for numbered in enumerate(program.calls)]


def outcome(unit: Any, number: int, call: str) -> tuple[str, ...]:
    name = f"call_{number}"
    printed = io.StringIO()
    tsc.manual_seed(0)
    try:
        unit.define(f"def {name}():\n    return {call}\n")
        with contextlib.redirect_stdout(printed):
            result = getattr(unit, name)()
    except (tsc.CompileError, tsc.ScriptError) as error:
        return type(error).__name__, str(error), printed.getvalue()
    return "result", described(result), printed.getvalue()


def described(value: Any) -> str:
    if isinstance(value, float) and math.isnan(value):
        return "nan"
    return repr(value) if " at 0x" not in repr(value) else type(value).__name__


@pytest.mark.parametrize("topic", sorted({program.topic for program in PROGRAMS}))
def test_plans_agree(topic: str) -> None:
    for program in PROGRAMS:
        if program.topic == topic and "time" not in program.name:
            assert outcomes(program, "python") == outcomes(program, "bytecode"), program.key
