"""What gets into a list may be of a subtype of its elements: None and an int into one of optional ints."""

from __future__ import annotations

import copy
from typing import Any

import pytest

import tsc
from tsc.runtime.execution.executor_mode import chosen_plan

pytest.importorskip("llvmlite")

ELEMENTS = {
    "Optional[int]": ["None", "i"],
    "Optional[float]": ["None", "i * 0.5"],
    "Optional[bool]": ["None", "i % 2 == 0"],
    "Optional[Tuple[int, float]]": ["None", "(i, 0.5)"],
    "Tuple[int, Optional[int]]": ["(i, None)", "(i, i)"],
    "Tuple[Optional[float], Tuple[Optional[int], bool]]": [
        "(None, (i, True))",
        "(0.5, (None, False))",
    ],
    "Optional[List[int]]": ["None", "[i]"],
}
GIVEN: dict[str, list[Any]] = {
    "Optional[int]": [None, 3],
    "Optional[float]": [0.5, None],
    "Optional[bool]": [True, None],
    "Optional[Tuple[int, float]]": [None, (1, 2.5)],
    "Tuple[int, Optional[int]]": [(1, None), (2, 3)],
    "Tuple[Optional[float], Tuple[Optional[int], bool]]": [(None, (None, True)), (1.5, (2, False))],
}
MADE = """
def f(n: int):
    made: List[{type}] = []
    for i in range(n):
        made.append({first})
        made.append({second})
        made[i] = {second}
        made[i + 1] = {first}
    return made
"""
WRITTEN = """
def f(given: List[{type}], n: int):
    for i in range(n):
        given.append({first})
        given.append({second})
        given[i] = {second}
        given[i + 1] = given[i + 3]
    return given
"""


def outcome(source: str, plan: str, *arguments: Any) -> Any:
    with chosen_plan(plan):
        return tsc.CompilationUnit(source).f(*copy.deepcopy(arguments))


@pytest.mark.parametrize("type", ELEMENTS)
def test_into_lists_that_are_made(type: str) -> None:
    first, second = ELEMENTS[type]
    source = MADE.format(type=type, first=first, second=second)
    assert outcome(source, "native", 5) == outcome(source, "bytecode", 5)


@pytest.mark.parametrize("type", GIVEN)
def test_into_lists_that_are_given(type: str) -> None:
    first, second = ELEMENTS[type]
    source = WRITTEN.format(type=type, first=first, second=second)
    assert outcome(source, "native", GIVEN[type], 5) == outcome(source, "bytecode", GIVEN[type], 5)
