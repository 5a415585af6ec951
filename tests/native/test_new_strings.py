"""Strings that native loops make, and kernels that they call, give what bytecode gives, whatever letters there are."""

from __future__ import annotations

from typing import Any

import pytest

import tsc
from tsc.runtime.execution.executor_mode import chosen_plan
from tsc.runtime.native.regions.groups import is_native

pytest.importorskip("llvmlite")

SOURCE = """
def build(xs: List[int], words: List[str], n: int):
    out = ""
    parts: List[str] = []
    made: List[str] = []
    pairs: List[Tuple[int, str]] = []
    last: Optional[str] = None
    for i in range(n):
        x = xs[i % len(xs)]
        w = words[i % len(words)]
        out += chr(x)
        if i % 7 == 0:
            out = w + out[1:] + str(x)
        parts.append(w + str(i) + "!")
        made = "a b c ".join(parts[-3:]).split(" ")
        pairs.append((i, made[0].upper()))
        if len(parts) > 5:
            parts = parts[3:]
        last = f"{i}: {w} {x / 2}"
        if w == "print" and i == 3:
            print(i, w, parts)
        if len(out) > 40:
            out = out[20:]
        if last.startswith("9"):
            last = None
    return out, parts, made, pairs[-4:], last

def sums(words: List[str]) -> int:
    total = 0
    for w in words:
        total += int(w + "0")
    return total

def letters(n: int) -> str:
    s = ""
    for i in range(n):
        s += chr(1114100 + i)
    return s

def many(n: int) -> int:
    s = "x"
    kept: List[str] = []
    total = 0
    for i in range(n):
        t = s + str(i) + "abcdefghijklmnopqrstuvwxyz"
        if i % 1000 == 0:
            kept.append(t[1:5])
        total += len(t) + ord(t[3])
        if i % 50000 == 0:
            s = t
    for k in kept:
        total += int(k) if k.isdigit() else len(k)
    return total

def digits(xs: List[int]) -> List[str]:
    return [str(x) for x in xs]

def numbers(text: str) -> List[int]:
    out: List[int] = []
    for i in range(2):
        for w in text.split(" "):
            out.append(len(w))
            if w.isdigit():
                out.append(int(w))
            elif len(w) > 1:
                out.append(int(w[1:]))
    return out

def cases(text: str) -> List[str]:
    out: List[str] = []
    for c in text:
        out.append(c.lower() + c.upper())
    for i in range(len(text)):
        out.append(text[:i].upper().lower())
    return out

def parts(text: str) -> List[List[str]]:
    out: List[List[str]] = []
    for i in range(2):
        out.append(text.split(","))
        out.append(text.split())
        out.append(text.split(",", 1))
        out.append(text.split(", "))
    out[0][0] = "changed"
    return out

def gammas(n: int) -> float:
    total = 0.0
    for i in range(1, n):
        total += math.lgamma(float(i))
    return total
"""
WORDS = ["alpha", "\u03b2", "print", "", "\U0001f600", "12"]
CALLS: list[tuple[str, tuple[Any, ...]]] = [
    ("build", ([65, 233, 0x3B1, 0x1F600, 0, 97], WORDS, 60)),
    ("sums", (["1", "22", "x"],)),
    ("sums", (["1", "22"],)),
    ("letters", (100,)),
    ("letters", (10,)),
    ("many", (200_000,)),
    ("digits", ([0, 1, -1, 10, -10, 99, -(2**63), 2**63 - 1, 12345678901234567],)),
    ("numbers", ("12 345 a-7  999999999999999999 9223372036854775807 0007",)),
    ("numbers", ("12 a\u0663 \u0663\u0664",)),
    ("numbers", ("12 ax",)),
    ("numbers", ("99999999999999999999",)),
    ("cases", ("aZ[`{@\u00e9\u07c0\u00df\u01301\u03a3\u0391\u03c3",)),
    ("parts", ("a,b, c,,d\U0001f600,\u00e9",)),
    ("parts", ("",)),
    ("gammas", (9,)),
]


@pytest.mark.parametrize(("name", "arguments"), CALLS)
def test_strings_are_what_they_are_by_bytecode(
    name: str, arguments: tuple[Any, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    found = []
    for plan in ("native", "bytecode"):
        with chosen_plan(plan):
            found.append((outcome(name, arguments), capsys.readouterr().out))
    assert found[0] == found[1]


def outcome(name: str, arguments: tuple[Any, ...]) -> Any:
    function = getattr(tsc.CompilationUnit(SOURCE), name)
    try:
        return function(*arguments)
    except tsc.ScriptError as error:
        return str(error)


def test_all_of_them_are_native() -> None:
    unit = tsc.CompilationUnit(SOURCE)
    for name, _ in CALLS:
        assert is_native(getattr(unit, name).optimized_graph), name
