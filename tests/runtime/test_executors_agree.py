"""The profiling executor gives what the simple one gives, call after call, also where guards fail at random."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

import pytest

import tsc
from tests import work
from tests.oracle.programs import Program, all_programs
from tests.runtime.test_plans_agree import described
from tsc.runtime.execution.executor_mode import chosen_plan
from tsc.runtime.execution.profiling import random_failures

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")

PROGRAMS = [program for program in all_programs() if "time" not in program.name]
CALLS = 2
PARTS = 8
SHARE = 12
"""One program of so many is tried, unless the suite runs at its whole size."""


def sampled(programs: Iterable[tuple[int, Program]], part: int) -> Iterable[tuple[int, Program]]:
    chosen = islice(programs, part, None, PARTS)
    return chosen if work.whole_size else islice(chosen, 0, None, SHARE)


@pytest.fixture(autouse=True)
def simple_executor_afterwards() -> Iterator[None]:
    yield
    tsc.set_executor("simple")


def outcomes(program: Program, plan: str) -> list[Any]:
    """What each call of a program gives, prints or raises, when it is called several times."""
    with chosen_plan(plan):
        try:
            unit = tsc.CompilationUnit(program.source, filename=f"{program.key}.py")
        except tsc.CompileError as error:
            return [str(error)]
        functions = [function_of(unit, *numbered) for numbered in enumerate(program.calls)]
        return [[outcome(function) for _ in range(CALLS)] for function in functions]


def function_of(unit: Any, number: int, call: str) -> Any:
    name = f"call_{number}"
    try:
        unit.define(f"def {name}():\n    return {call}\n")
    except tsc.CompileError as error:
        return error
    return getattr(unit, name)


def outcome(function: Any) -> tuple[str, ...]:
    if isinstance(function, tsc.CompileError):
        return ("does not compile", str(function))
    printed = io.StringIO()
    tsc.manual_seed(0)
    try:
        with contextlib.redirect_stdout(printed):
            result = function()
    except (tsc.CompileError, tsc.ScriptError) as error:
        return type(error).__name__, str(error), printed.getvalue()
    return "result", described(result), printed.getvalue()


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_executors_agree(part: int) -> None:
    for seed, program in sampled(enumerate(PROGRAMS), part):
        tsc.set_executor("simple")
        expected = outcomes(program, "python")
        tsc.set_executor("profiling")
        plan = ("python", "bytecode")[seed % 2]
        with random_failures(seed, 0.2) if seed % 3 else contextlib.nullcontext():
            assert outcomes(program, plan) == expected, (program.key, plan)
