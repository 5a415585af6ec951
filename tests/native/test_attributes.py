"""Attributes that native loops read and write are those that everybody else sees, also where a loop fails."""

from __future__ import annotations

from typing import Any

import pytest

import tsc
from tsc.runtime.execution.executor_mode import chosen_plan
from tsc.runtime.native.regions.groups import is_native

pytest.importorskip("llvmlite")

SOURCE = """
class Counter:
    def __init__(self, limit: int):
        self.limit = limit
        self.total = 0.0
        self.last: Optional[int] = None
        self.corner = (0, 0.5)
        self.items: List[int] = []

    def add(self, x: float, k: int) -> None:
        if len(self.items) == self.limit:
            raise ValueError("full")
        self.total += x
        self.last = k
        self.corner = (k, x)
        self.items.append(k)

def counted(xs: List[float], limit: int):
    counter = Counter(limit)
    for k, x in enumerate(xs):
        counter.add(x, k)
    return counter.total, counter.last, counter.corner, counter.items

def fill(counter: Counter, xs: List[float]) -> float:
    for k, x in enumerate(xs):
        counter.add(x, k)
    return counter.total

def shared(counters: List[Counter], n: int) -> float:
    for k in range(n):
        counters[k % len(counters)].add(0.5, k)
        counters[0].total += counters[-1].total
    return counters[0].total

def made(limit: int) -> Counter:
    return Counter(limit)
"""
XS = [0.25 * each for each in range(40)]


def attributes(counter: Any) -> tuple[Any, ...]:
    return counter.total, counter.last, counter.corner, list(counter.items)


@pytest.mark.parametrize("limit", [100, 7])
def test_native_loops_write_attributes_as_bytecode_does(limit: int) -> None:
    found = []
    for plan in ("native", "bytecode"):
        with chosen_plan(plan):
            unit = tsc.CompilationUnit(SOURCE)
            counter, twins = unit.made(limit), [unit.made(limit)] * 2
            outcomes = [
                outcome(unit.fill, counter, XS),
                outcome(unit.shared, [*twins, counter], 9),
                outcome(unit.counted, XS, limit),
            ]
            found.append((outcomes, attributes(counter), attributes(twins[0])))
    assert found[0] == found[1]


def outcome(run: Any, *arguments: Any) -> Any:
    try:
        return run(*arguments)
    except tsc.ScriptError as error:
        return str(error)


@pytest.mark.parametrize("name", ["fill", "shared"])
def test_functions_of_attributes_are_native(name: str) -> None:
    assert is_native(getattr(tsc.CompilationUnit(SOURCE), name).inlined_graph)
