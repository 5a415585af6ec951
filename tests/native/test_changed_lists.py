"""What looks through lists, changes them in the middle or sorts them gives the same natively as by bytecode."""

from __future__ import annotations

import random
from typing import Any

import pytest

import tsc
from tsc.runtime.native.regions.groups import is_native

pytest.importorskip("llvmlite")

from .outcomes import outcomes

TEMPLATE = """
def looks(a: List[E], n: int):
    t = 0
    made = list(a)
    for i in range(n):
        x = a[i]
        t += a.index(x) * 3 + made.index(x) + a.count(x) + made.count(x)
        if x in made[i:]:
            t += 1
        if made[:i] == a[:i]:
            t += 100
        made[0] = x
        if made != a:
            t += 1000
    return t

def takes_out(a: List[E], n: int):
    made = list(a)
    for i in range(n):
        x = made[i]
        made.remove(x)
        made.insert(i - 2, x)
        made.insert(100, x)
        del made[i - 3]
        made.insert(-100, made[-1])
    return made

def takes_out_of_given(a: List[E], n: int):
    b = a
    for i in range(n):
        x = a[-1]
        b.remove(x)
        a.insert(i - 2, x)
        b.insert(100, x)
        del a[i - 3]
    return a

def extends(a: List[E], b: List[E], n: int):
    made = list(a)
    for i in range(n):
        made.extend(a)
        made += b[i:]
        made.extend(made)
        a.extend(made[:2])
        a += b
        b.extend(b[:i])
        made = made[-7:] + b + a
        made.reverse()
        if i == 2:
            a.reverse()
    return made, a, b

def sorts(a: List[E], b: List[E], n: int):
    made = list(a)
    for i in range(n):
        first = sorted(b)
        made += first + sorted(a)
        if i % 2 == 0:
            made.sort()
        else:
            made.sort(reverse=True)
        if i == 3:
            b.sort(reverse=True)
            a.sort()
    return made, a, b, sorted(made)

def truths(a: List[E], n: int):
    t = 0
    for i in range(n):
        t += (1 if any(a[i:]) else 0) + (2 if all(a[i:]) else 0)
        t += int(max(a)) - int(min(a[i:]))
        t += int(sum(a[i:]))
    return t
"""
FUNCTIONS = {text.split("(")[0]: f"def {text}" for text in TEMPLATE.split("\ndef ")[1:]}
VALUES: dict[str, list[Any]] = {
    "int": [0, 1, -1, 5, 2**62, -(2**63)],
    "float": [0.0, -0.0, 1.5, -2.0, 1e300],
    "bool": [True, False],
    "str": ["", "a", "ab", "b", "é", "😀", "Ā"],
}
NAN = float("nan")
SORTED: dict[str, list[Any]] = {
    **VALUES,
    "float ": [0.0, 1.5, NAN, -1.0, float("inf")],
    "Tuple[int, float]": [(a, b) for a in (1, 2) for b in (0.5, -0.5, 0.0, -0.0)],
    "Tuple[float, str]": [(a, b) for a in (1.0, -2.0) for b in ("x", "", "y")],
    "Tuple[str, Tuple[bool, int]]": [(a, (b, 1)) for a in ("x", "éa") for b in (True, False)],
}


def check(name: str, element: str, values: list[Any], *, native: bool = True) -> None:
    source = FUNCTIONS[name].replace("E]", f"{element}]")
    if element == "bool":  # there is no `in` for them
        source = source.replace("x in made[i:]", "x")
    choose = random.Random(name + element)

    def some(count: int) -> list[Any]:
        return [choose.choice(values) for _ in range(choose.randint(0, count))]

    lists = 2 if name in ("extends", "sorts") else 1
    given = [(*(some(9) for _ in range(lists)), choose.randint(0, 5)) for _ in range(40)]
    if native:
        assert is_native(getattr(tsc.CompilationUnit(source), name).optimized_graph)
    assert outcomes(source, name, "native", given) == outcomes(source, name, "bytecode", given)


@pytest.mark.parametrize("element", VALUES)
@pytest.mark.parametrize("name", ["looks", "takes_out", "takes_out_of_given", "extends"])
def test_lists_are_looked_through_and_changed(name: str, element: str) -> None:
    check(name, element, VALUES[element], native=False)


@pytest.mark.parametrize("element", ["int", "float", "bool"])
def test_truths_and_extremes(element: str) -> None:
    values = [each for each in VALUES[element] if not isinstance(each, int) or abs(each) < 2**61]
    check("truths", element, values)


@pytest.mark.parametrize("element", SORTED)
def test_lists_are_sorted(element: str) -> None:
    check("sorts", element, SORTED[element])


@pytest.mark.parametrize("element", ["int", "float", "Tuple[int, int]"])
def test_long_lists_are_sorted(element: str) -> None:
    source = f"""
def f(a: List[{element}], n: int):
    made = list(a)
    for i in range(n):
        b = made[i:] + a[:3]
        b.sort(reverse=i % 2 == 1)
        made = b[1:] + made[:2]
    return made
"""
    choose = random.Random(element)
    calls: list[Any] = []
    for count in (7, 8, 9, 16, 17, 100, 1000):
        numbers = [choose.randint(-count, count) for _ in range(count)]
        by_type = {"int": numbers, "float": [each / 4 for each in numbers]}
        calls.append((by_type.get(element, [(each, k) for k, each in enumerate(numbers)]), 3))
    assert is_native(tsc.CompilationUnit(source).f.optimized_graph)
    assert outcomes(source, "f", "native", calls) == outcomes(source, "f", "bytecode", calls)
