"""A share of the random programs of ``make fuzz``: native code gives what bytecode gives, and touches nothing else."""

from __future__ import annotations

import ctypes
import resource

import pytest

import tsc
from tsc.runtime.execution.executor_mode import chosen_plan

pytest.importorskip("llvmlite")

from . import fuzzing
from .guarded_memory import IS_POSSIBLE, GuardedMemory
from .random_cases import Case, case_of

SHARE = 15
"""Of the programs of a part; parts differ in how code is made, and whether memory is guarded."""


@pytest.mark.parametrize("first", range(0, 800, 100))
def test_random_programs_agree(first: int) -> None:
    outcome = fuzzing.run_part(first, SHARE)
    assert outcome.failure is None


def test_the_same_number_makes_the_same_program() -> None:
    assert [case_of(number).source for number in range(30)] == [
        case_of(number).source for number in range(30)
    ]


@pytest.mark.skipif(not IS_POSSIBLE, reason="pages are guarded on Linux")
@pytest.mark.parametrize("offset", [-4, 20])
def test_who_reads_beyond_a_tensor_is_killed(offset: int) -> None:
    def judge(_: int, guard: GuardedMemory) -> str | None:
        with guard.guarding(at_begin=offset < 0):
            x = tsc.zeros(5)
        assert x.array[4] == 0
        return str(ctypes.c_float.from_address(x.array.ctypes.data + offset))

    assert fuzzing.said(judge) == "the process died: SIGSEGV"


def test_what_is_wrong_is_made_short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Statements that do not matter are left out."""
    made = Case("def f(n: int):\n    m = n + 1\n    k = n * 2\n    return k\n", lambda _: [3])

    def wrong(case: Case, _number: int, _guard: GuardedMemory | None) -> str | None:
        return "wrong" if "n * 2" in case.source and "return" in case.source else None

    monkeypatch.setattr(fuzzing, "_failure", wrong)
    assert fuzzing.shortened(made, 0).source == "def f(n: int):\n    k = n * 2\n    return k\n"


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
