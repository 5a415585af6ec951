"""Random programs give the same by native code as by the interpreter of bytecode: results, lists, and errors."""

from __future__ import annotations

import copy
import math
import resource
from collections.abc import Sequence
from typing import Any

import pytest

import tsc
from tests.random_mixed_programs import random_mixed_program
from tests.random_programs import random_program
from tsc.runtime.execution.executor_mode import chosen_plan

pytest.importorskip("llvmlite")

ARGUMENTS = [(3, -2, 7, [1, 2, 3]), (-5, 0, 1, [4]), (20, -9, 3, [0, -1, 12])]


MIXED_ARGUMENTS = [
    (3, 0.5, None, [1.0, -2.0], [[1.0, 2.0], [3.0]], [(1, 2.0), (0, -0.0)], [None, 1.5]),
    (-5, -0.0, 2, [math.nan], [[0.0, 1.0]] * 2, [(2, 0.5)], [2.5, None, None]),
    (20, 1e10, -1, [0.25] * 6, [[1.0, -1.0], [0.5, 3.0]], [(7, 1.0), (-7, 0.0)], [None] * 3),
]


def outcomes(source: str, plan: str, calls: Sequence[tuple[Any, ...]]) -> list[str]:
    """What the function `f` of a program gives, each with what became of its lists; NaN is like NaN in a text."""
    function = tsc.CompilationUnit(source).f
    found: list[str] = []
    with chosen_plan(plan):
        for arguments in copy.deepcopy(calls):
            try:
                found.append(repr((function(*arguments), arguments)))
            except tsc.ScriptError as error:
                found.append(repr((str(error), arguments)))
    return found


@pytest.mark.parametrize("seed", range(60))
def test_random_programs_agree(seed: int) -> None:
    source = random_program(seed)
    assert outcomes(source, "native", ARGUMENTS) == outcomes(source, "bytecode", ARGUMENTS), source


@pytest.mark.parametrize("seed", range(60))
def test_random_programs_of_floats_tuples_and_optionals_agree(seed: int) -> None:
    source = random_mixed_program(seed)
    expected = outcomes(source, "bytecode", MIXED_ARGUMENTS)
    assert outcomes(source, "native", MIXED_ARGUMENTS) == expected, source


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
