"""Complex numbers and named tuples in native code are what they are by bytecode."""

from __future__ import annotations

import random
from typing import Any

import pytest

import tsc
from tsc.runtime.native.regions.groups import is_native

pytest.importorskip("llvmlite")

from .outcomes import outcomes

SOURCE = """
class Point(NamedTuple):
    x: float
    y: int

class Named(NamedTuple):
    p: Point
    name: str

def julia(size: int, limit: int) -> int:
    total = 0
    c = complex(-0.7, 0.27)
    for i in range(size):
        for j in range(size):
            z = complex(3.0 * i / size - 1.5, 2.0 * j / size - 1.0)
            for k in range(limit):
                if abs(z) > 2.0:
                    break
                z = z * z + c
                total += 1
    return total

def mixed(a: complex, b: complex, x: float, i: int):
    found: List[complex] = []
    for k in range(3):
        found.append(a + b)
        found.append(a - b)
        found.append(a * b)
        found.append(a + x)
        found.append(i - a)
        found.append(a - x)
        found.append(x * a)
        found.append(a * i)
        found.append(-a)
        found.append(complex(i, x))
        found.append(complex(k > 1, i))
        a = b
        b = found[k]
    return found, a, abs(b)

def points(n: int, given: List[Point]):
    made: List[Point] = []
    last: Optional[Named] = None
    total = 0.0
    for i in range(n):
        p = Point(float(i), i)
        made.append(p)
        q = given[i % len(given)]
        total += q.x * float(q.y)
        made[0] = Point(q.x, q.y + made[0].y)
        last = Named(p=q, name="a")
    return made, last, total
"""
PARTS = [0.0, -0.0, 1.5, -2.0, float("inf"), float("-inf"), float("nan"), 1e308, 3.0]


def calls_of(name: str) -> list[tuple[Any, ...]]:
    choose = random.Random(name)
    if name == "julia":
        return [(9, 20)]
    if name == "points":
        return [(4, [(1.0, 2), (0.5, 3)]), (0, [(1.0, 2)]), (2, [])]
    pairs = [
        [complex(choose.choice(PARTS), choose.choice(PARTS)) for _ in range(2)] for _ in range(200)
    ]
    return [(*each, choose.choice(PARTS), choose.choice([0, -3, 2**40, 7])) for each in pairs]


@pytest.mark.parametrize("name", ["julia", "mixed", "points"])
def test_they_are_as_by_bytecode(name: str) -> None:
    assert is_native(getattr(tsc.CompilationUnit(SOURCE), name).optimized_graph)
    given = calls_of(name)
    assert outcomes(SOURCE, name, "native", given) == outcomes(SOURCE, name, "bytecode", given)
