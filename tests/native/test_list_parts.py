"""Parts of lists and what is computed of whole ones: native code does what bytecode does, whatever the bounds."""

from __future__ import annotations

import random
from typing import Any

import pytest

import tsc
from tsc.runtime.execution.executor_mode import chosen_plan
from tsc.runtime.native.regions.groups import is_native

pytest.importorskip("llvmlite")

from .outcomes import outcomes

SOURCE = """
def parts(a: List[int], b: List[float], n: int, m: int):
    c = list(a)
    d = list(a)
    h = list(b)
    t = 0
    s = 0.0
    for i in range(4):
        c.append(i)
        d = c[n:m]
        e = a[i:]
        g = c[:m:2]
        h = b[n:]
        t += sum(d) * 3 + len(e) + sum(g) + sum(a)
        s += sum(h) + sum(b)
        if len(d) > 0:
            t += max(d) - min(d)
    return t, s, c, d, h

def extremes(b: List[float], n: int) -> float:
    s = 0.0
    for i in range(n):
        s += max(b) - min(b[i:])
    return s

def pairs(p: List[Tuple[int, float]], n: int) -> float:
    s = 0.0
    for i in range(n):
        q = p.pop(i % 2)
        s += q[1] + p[-1][1] + float(q[0])
    return s

def joined(a: List[int], n: int):
    c = [n, 1]
    d = [0]
    for i in range(n):
        d = (a + c)[:7]
        c = (c + a)[:i] + a[1:]
    return c, d, a + d

def pops(a: List[int], n: int) -> int:
    t = 0
    for i in range(n):
        t += a.pop(-1) + max(a)
    return t
"""


def arguments(name: str, choose: random.Random) -> tuple[Any, ...]:
    whole = [choose.randint(-9, 9) for _ in range(choose.randint(0, 6))]
    floats = [1.5, -2.0, 0.0, -0.0, 3.25, float("nan"), float("inf")]
    real = [choose.choice(floats) for _ in range(choose.randint(0, 4))]
    turns = choose.randint(0, 5)
    if name == "parts":
        return whole, real, choose.randint(-8, 8), choose.randint(-8, 8)
    if name == "pairs":
        return [(choose.randint(0, 5), 0.5 * k) for k in range(choose.randint(0, 6))], turns
    return (whole if name in ("pops", "joined") else real), turns


@pytest.mark.parametrize("name", ["parts", "extremes", "pairs", "pops", "joined"])
def test_parts_of_lists(name: str) -> None:
    choose = random.Random(name)
    given = [arguments(name, choose) for _ in range(60)]
    assert is_native(getattr(tsc.CompilationUnit(SOURCE), name).optimized_graph)
    assert outcomes(SOURCE, name, "native", given) == outcomes(SOURCE, name, "bytecode", given)


def test_many_sums_take_no_more_of_the_stack() -> None:
    source = """
def f(a: List[int], n: int) -> int:
    t = 0
    for i in range(n):
        t += sum(a) + max(a)
    return t
"""
    with chosen_plan("native"):
        assert tsc.CompilationUnit(source).f([1, 2], 3_000_000) == 15_000_000
