"""Random programs give the same by native code as by the interpreter of bytecode: results, lists, and errors."""

from __future__ import annotations

import copy
import resource
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


LISTS = """
def f(n: int) -> int:
    t = 0
    for i in range(n):
        keep: List[List[int]] = []
        for k in range(3):
            row = [i] * 1000
            row.append(k)
            keep.append(row)
        t += keep[1][1000] + len(keep[2]) + keep[0][5]
    return t

def g(n: int, turns: int) -> int:
    t = 0
    for z in range(turns):
        prev = [0] * n
        for i in range(n):
            cur = [i]
            for j in range(n - 1):
                cur.append(cur[j] + prev[j + 1] & 1023)
            prev = cur
        t += prev[n - 1]
    return t
"""


def test_lists_that_nobody_reaches_are_freed() -> None:
    unit = tsc.CompilationUnit(LISTS)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with chosen_plan("native"):
        assert unit.f(10_000) == 10_000 + 10_000 * 1001 + sum(range(10_000))
        assert unit.g(300, 20) == 20_320
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert grown < 150_000  # of kilobytes; the lists of `f` take 240,000
