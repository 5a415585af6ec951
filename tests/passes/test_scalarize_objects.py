"""Objects that become values: which do and which stay, and that programs do the same as with objects."""

from __future__ import annotations

import random
from typing import Any

import pytest

import tsc
from tsc.compiler import pipelines
from tsc.compiler.ir import prim

CLASSES = """
class Box:
    def __init__(self, n: int):
        self.n = n
        self.items: List[int] = [n]
        self.last: Optional[int] = None

    def put(self, x: int) -> int:
        self.items.append(x)
        self.last = x
        self.n += 1
        return self.n

class Point:
    def __init__(self, x: int, y: int):
        self.x = x
        self.y = y

    def moved(self, d: int):
        return Point(self.x + d, self.y * 2 - d)

class Pair:
    def __init__(self, box: Box):
        self.box = box
"""
GONE = {
    "in a loop": "b = Box(n)\n    for i in range(n):\n        b.put(i)\n    return b.n",
    "in branches": "b = Box(n)\n    if n > 2:\n        b.n = 5\n        b.last = None\n"
    "    return b.n, b.last, b.items",
    "made in each turn": "t = 0\n    for i in range(n):\n        t += Box(i).put(t)\n    return t",
    "a variable": "p = Point(0, n)\n    q = p\n    for i in range(n):\n        if i % 3 == 0:\n            q = p\n"
    "            p = p.moved(i)\n        elif i % 5 == 0:\n            p = q\n    return p.x, q.y",
    "a while": "p = Point(n, 1)\n    while p.x > 0:\n        p = p.moved(-1)\n    return p.y",
    "not read": "b = Box(n)\n    return n",
    "written in vain": "b = Box(n)\n    b.items[n] = 5\n    return n",
    "emptied in vain": "b = Box(n)\n    for i in range(n):\n        b.items.pop()\n    return n",
}
KEPT = {
    "returned": "b = Box(n)\n    b.put(1)\n    return b",
    "in a list": "l = [Point(n, n)]\n    return l[0].x",
    "in an object": "return Pair(Box(n)).box.n",
    "a variable that may be None": "p: Optional[Point] = None\n    for i in range(n):\n        p = Point(i, n)\n"
    "    return 0 if p is None else p.x",
    "compared": "b = Box(n)\n    return b is b",
    "a variable that is written": "b = Box(1)\n    c = Box(2)\n    if n > 1:\n        b = c\n"
    "    c.n = 9\n    return b.n",
    "a variable from outside": "p = Point(1, 2)\n    if n > 1:\n        p = [Point(3, 4)][0]\n    return p.x",
}


def unit(body: str) -> tsc.CompilationUnit:
    return tsc.CompilationUnit(f"{CLASSES}\ndef f(n: int):\n    {body}\n")


def objects_in(body: str) -> int:
    return len(unit(body).f.optimized_graph.find_all_nodes(prim.CreateObject))


@pytest.fixture
def with_objects(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Runs something where no object goes."""
    from tsc.runtime.execution import optimization

    names = tuple(name for name in pipelines.BEFORE_RUNNING if name != "scalarize_objects")

    def run(body: str, given: list[int]) -> list[str]:
        with monkeypatch.context() as patch:
            patch.setattr(optimization, "BEFORE_RUNNING", names)
            assert objects_in("b = Box(n)\n    return b.n") == 1
            return results(body, given)

    return run


def results(body: str, given: list[int]) -> list[str]:
    function, found = unit(body).f, []
    for each in given:
        try:
            found.append(repr(function(each)))
        except tsc.ScriptError as error:
            found.append(str(error))
    return found


@pytest.mark.parametrize("name", GONE)
def test_what_goes(name: str, with_objects: Any) -> None:
    assert objects_in(GONE[name]) == 0
    assert results(GONE[name], [0, 1, 3, 9]) == with_objects(GONE[name], [0, 1, 3, 9])


@pytest.mark.parametrize("name", KEPT)
def test_what_stays(name: str, with_objects: Any) -> None:
    assert objects_in(KEPT[name]) > 0
    if name != "returned":
        assert results(KEPT[name], [0, 1, 3, 9]) == with_objects(KEPT[name], [0, 1, 3, 9])


STATEMENTS = (
    *("b.n = {i}", "b.put({i})", "b.items = [{i}, {i}]", "b.last = None", "b.last = {i}"),
    *("p = p.moved({i})", "q = p", "p = q", "p = Point({i}, {i})", "n = {i}", "b.items[{i}] = n"),
    *("c = Box({i})", "n += c.put({i})", "m = b.last"),
)
NUMBERS = (
    "n",
    "b.n",
    "p.x",
    "p.y",
    "q.x",
    "c.n",
    "len(b.items)",
    "b.items[-1]",
    "1",
    "7",
    "(n % 5)",
)


def random_body(seed: int) -> str:
    choose = random.Random(seed)
    lines = [
        "b, c = Box(1), Box(2)",
        "p = Point(n, 2)",
        "q = Point(3, n)",
        "m: Optional[int] = None",
    ]

    def block(indent: str, depth: int) -> None:
        for _ in range(choose.randint(1, 4)):
            kind = choose.random()
            if kind < 0.65 or depth == 0:
                text = choose.choice(STATEMENTS)
                lines.append(
                    indent + text.replace("{i}", choose.choice(NUMBERS), 1).replace("{i}", "n")
                )
            else:
                number = choose.choice(NUMBERS)
                head = f"if {number} % 3 == 0:" if kind < 0.82 else f"for _ in range({number} % 4):"
                lines.append(indent + head)
                if kind > 0.95:
                    lines.append(f"{indent}    if p.x > 40:\n    {indent}        break")
                block(f"{indent}    ", depth - 1)

    block("", 3)
    lines.append("return n, b.n, b.items, b.last, c.n, p.x, p.y, q.x, q.y, m")
    return "\n    ".join(lines)


def test_random_programs_do_the_same(with_objects: Any) -> None:
    bodies = [random_body(seed) for seed in range(60)]
    assert sum(objects_in(body) == 0 for body in bodies) > 40
    for body in bodies:
        assert results(body, [0, 2, 5]) == with_objects(body, [0, 2, 5]), body
