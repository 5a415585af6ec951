"""Dictionaries in loops: native code does what bytecode does, to results, order, aliases, errors and memory."""

from __future__ import annotations

import resource
from typing import Any

import pytest

import tsc
from tests.native.outcomes import outcomes
from tsc.runtime.execution.executor_mode import chosen_plan
from tsc.runtime.native.native_report import explanation

pytest.importorskip("llvmlite")

SOURCE = """
def counted(xs: List[int], d: Dict[int, int]) -> Dict[int, int]:
    for x in xs:
        d[x] = d.get(x, 0) + 1
    return d

def grouped(words: List[str]) -> Dict[str, List[int]]:
    d: Dict[str, List[int]] = {}
    for i in range(len(words)):
        w = words[i].upper()
        if w not in d:
            d[w] = torch.jit.annotate(List[int], [])
        d[w].append(i)
    return d

def least(d: Dict[str, float]) -> str:
    best = ""
    for key, value in d.items():
        if best == "" or value < d[best]:
            best = key
    return best

def missing(d: Dict[str, int], words: List[str]) -> int:
    total = 0
    for w in words:
        total = total * 10 + d[w]
    return total

def taken(d: Dict[int, str], n: int) -> str:
    text = ""
    for i in range(n):
        found = d.get(i)
        if found is not None:
            text += found + d.pop(i)
        else:
            d.setdefault(i, str(i))
        del d[i - 1]
    return text

def kept(n: int) -> List[int]:
    d = {0: [1]}
    held = d[0]
    for i in range(n):
        held = d[i % 3] if i % 3 in d else held
        d[i % 3] = [i]
        held.append(i)
        if i % 7 == 0:
            d.clear()
    return held

def nested(n: int) -> int:
    outer: Dict[str, Dict[int, int]] = {}
    total = 0
    for i in range(n):
        key = str(i % 5)
        if key not in outer or i % 11 == 0:
            outer[key] = {i: i}
        inner = outer[key]
        inner[i % 7] = i
        total = (total * 31 + len(inner)) % 1000003
    return total

def rows(n: int) -> int:
    made: List[Dict[int, int]] = []
    for i in range(n):
        made.append({i: i})
    return len(made)
"""
CALLS: dict[str, list[Any]] = {
    "counted": [([3, 1, 3, 2, 1], {7: 1, 1: 5}), ([], {}), ([1 << 40] * 2, {})],
    "grouped": [(["b", "ä", "b", "ß", ""],), ([],)],
    "least": [({"x": 2.0, "y": 1.0, "z": 1.0},), ({"q": float("nan"), "r": 1.0},), ({},)],
    "missing": [({"a": 1, "漢": 2}, ["a", "漢"]), ({"a": 1}, ["a", "b"]), ({}, ["x"])],
    "taken": [({-1: "u", 0: "a", 2: "c"}, 1), ({-1: "é", 1: "b"}, 2), ({}, 3)],
    "kept": [(50,), (0,), (20000,)],
    "nested": [(100,), (20000,)],
    "rows": [(3,)],
}


@pytest.mark.parametrize("name", list(CALLS))
def test_native_code_does_the_same(name: str) -> None:
    found = outcomes(SOURCE, name, "native", CALLS[name])
    assert found == outcomes(SOURCE, name, "bytecode", CALLS[name])


def test_a_key_that_is_not_there_is_told_at_its_place() -> None:
    second = outcomes(SOURCE, "missing", "native", CALLS["missing"])[1]
    assert "KeyError: b" in second
    assert "total * 10 + d[w]" in second


@pytest.mark.parametrize("name", [name for name in CALLS if name != "rows"])
def test_loops_with_dictionaries_are_native(name: str) -> None:
    told = explanation(getattr(tsc.CompilationUnit(SOURCE), name).function)
    assert "not native" not in told
    assert "native" in told


def test_dictionaries_in_new_lists_are_python() -> None:
    told = explanation(tsc.CompilationUnit(SOURCE).rows.function)
    assert "a new list of dictionaries" in told


def test_what_nothing_leads_to_is_let_go_of() -> None:
    function = tsc.CompilationUnit(SOURCE).nested
    with chosen_plan("native"):
        function(10_000)
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        function(1_000_000)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 20_000
