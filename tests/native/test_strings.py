"""Strings are read where they lie: native code finds in them what bytecode does, however wide their letters are."""

from __future__ import annotations

import random

import pytest

import tsc
from tsc.runtime.execution.executor_mode import chosen_plan
from tsc.runtime.native.code.text_layout import texts_are_as_expected
from tsc.runtime.native.regions.groups import is_native

pytest.importorskip("llvmlite")

from .outcomes import outcomes

SOURCE = """
def letters(s: str, t: str, n: int):
    total = 0
    found: List[str] = []
    last = ""
    for i in range(n):
        c = s[i]
        total = total * 31 + ord(c)
        if c == "a" or t != c:
            found.append(c)
        last = max_of(c, last)
    return total, found, last

def max_of(a: str, b: str) -> str:
    return a if a > b else b

def orders(s: str, t: str, n: int):
    found: List[bool] = []
    for i in range(n):
        a = s[:i]
        b = t[-i:]
        found += [a < b, a <= b, a > b, a >= b, a == b, a != b, a == "é", "ab" == b, b == ""]
    return found

def parts(s: str, t: str, n: int):
    found: List[str] = []
    for i in range(-n, n):
        found.append(s[i:])
        found.append(s[:i])
        found.append(s[i : i + 3])
        found.append(t[1:-1])
    return found

def places(s: str, t: str, n: int):
    found: List[int] = []
    for i in range(-n, n):
        for c in t:
            found.append(s.find(c, i))
            found.append(s.find(c, 0, i))
            found.append(1 if c in s else 0)
        found.append(s.find(t, i))
        found.append(s.find("", i, n))
        found.append(len(s))
    return found

def kinds(s: str, t: str, n: int):
    found: List[bool] = []
    for k in range(n):
        for c in s:
            found += [c.isdigit(), c.isalpha(), c.isalnum(), c.isspace(), c.isdecimal(), c.isnumeric()]
        found += [s.isdigit(), t.isalpha(), t.isalnum(), s[k:].isspace(), "12".isdecimal()]
    return found

def words(s: str, t: str, n: int):
    given = t.split(" ")
    count = 0
    longest: Optional[str] = None
    pairs: List[Tuple[str, int]] = []
    for i in range(n):
        for word in given:
            if word == s[i : i + len(word)]:
                count += 1
            if longest is None or len(word) > len(longest):
                longest = word
        pairs.append((given[i % len(given)], i))
    return count, longest, pairs, list(s)

def codes(s: str, t: str, n: int):
    total = 0
    for i in range(n):
        total += ord(s[i : i + i])
    return total
"""
TEXTS = ["", "a", "abcab", "a1 b2\t ", "été", "Āaāab", "😀ab😀", "٣²½", "  ", "ab" * 30]


def test_strings_are_laid_out_as_expected() -> None:
    assert texts_are_as_expected()


@pytest.mark.parametrize(
    "name", ["letters", "orders", "parts", "places", "kinds", "words", "codes"]
)
def test_strings_are_read_in_place(name: str) -> None:
    choose = random.Random(name)
    given = [(choose.choice(TEXTS), choose.choice(TEXTS), choose.randint(0, 7)) for _ in range(80)]
    if name not in ("orders", "kinds", "words"):
        assert is_native(getattr(tsc.CompilationUnit(SOURCE), name).optimized_graph)
    assert outcomes(SOURCE, name, "native", given) == outcomes(SOURCE, name, "bytecode", given)


class Derived(str):
    __slots__ = ()


def test_strings_of_derived_classes() -> None:
    assert outcomes(SOURCE, "letters", "native", [(Derived("abc"), Derived("é"), 3)]) == outcomes(
        SOURCE, "letters", "bytecode", [("abc", "é", 3)]
    )


def test_a_list_that_was_given_keeps_its_strings() -> None:
    source = """
def f(n: int) -> int:
    words = "some words here".split(" ")
    total = 0
    for i in range(n):
        word = words[i % 3]
        words[i % 3] = str(i) + word[-1]
        total += ord(word[0]) + len(word)
    return total
"""
    results: list[int] = []
    for plan in ("native", "bytecode"):
        with chosen_plan(plan):
            results.append(tsc.CompilationUnit(source).f(1000))
    assert results[0] == results[1]
