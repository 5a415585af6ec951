"""Lists that native code is given are Python's: what is done to them, and what two names of one list see."""

from __future__ import annotations

import copy
import signal
import threading
import time
from typing import Any

import pytest

import tsc
from tsc.runtime.execution.executor_mode import chosen_plan
from tsc.runtime.native.regions.groups import is_native

pytest.importorskip("llvmlite")

PROGRAMS = """
from typing import List, Optional, Tuple

def replaces_rows(rows: List[List[int]], n: int) -> int:
    first = rows[0]
    total = 0
    for i in range(n):
        rows[0] = rows[(i + 1) % len(rows)]
        total += first[0] + rows[0][0]
    return total

def writes_rows(rows: List[List[int]], n: int) -> int:
    for i in range(n):
        rows[i % 2][0] += i
        rows[-1].append(i)
    return len(rows[-1])

def same_list(a: List[int], n: int) -> Tuple[int, List[int]]:
    b = a
    total = 0
    for i in range(n):
        a[0] = i
        total += b[0]
        b.append(total)
    return total + len(a), b

def out_of_range(a: List[float], n: int) -> float:
    total = 0.0
    for i in range(n):
        a[0] += 1.0
        total += a[i]
    return total

def pairs(a: List[Tuple[int, float]], n: int) -> float:
    total = 0.0
    for i in range(n):
        number, weight = a[i % len(a)]
        total += float(number) * weight
        a[0] = (number + 1, weight)
    return total

def appends_to_either(a: List[int], n: int):
    best = a
    for i in range(n):
        if len(best) < i:
            best = [i] * i
    best.append(7)
    return best, a

def goes_on_from_given(before: List[float], n: int):
    first = before
    for i in range(n):
        now = [float(i)]
        for j in range(len(before)):
            now.append(before[j] / 2.0)
        before = now
    return before, first

def longest_of(rows: List[List[int]], n: int):
    best = rows[0]
    second: Optional[List[int]] = None
    for i in range(n):
        for row in rows:
            if len(row) >= len(best):
                second = best
                best = row if i % 2 == 0 else row + [i]
    best[0] = 100
    return best, rows, second

def named(words: List[str], n: int):
    last = words
    for i in range(n):
        if i % 3 == 1:
            last = last[1:] + words
    return last, len(words)

def paths(given: List[Tuple[int, List[int]]], n: int):
    found = given
    for i in range(n):
        more: List[Tuple[int, List[int]]] = []
        for length, path in found:
            more.append((length + 1, path + [length]))
        found = more
    return found, given

def pops_what_was_given(rows: List[List[float]], n: int):
    a = rows[0]
    for i in range(n):
        rows = [a, [1.5], a]
        if n > 1:
            a = rows.pop()
    return rows, a

def ends_with_counter(rows: List[List[float]], n: int):
    last: Optional[int] = None
    if len(rows) > 2:
        last = 5
    for i in range(n):
        if len(rows) > 3:
            rows.pop()
        last = i
    return rows, last

def writes_before_it_raises(a: List[int], n: int):
    total = 0
    for i in a:
        total += i
    if total > n:
        [a][:3][0][1] = n
        raise ValueError("too much")
    return total

def goes_on_changing_what_was_added(a: List[int], n: int):
    made = [3, 1, 2]
    a.extend(made)
    for i in range(n):
        made.insert(i, 7)
        a += made
    return made, a

def swaps(a: List[bool], n: int) -> List[bool]:
    for i in range(n):
        a[i % 3], a[0] = a[0], not a[i % 3]
    return a
"""
CALLS: list[tuple[str, list[Any]]] = [
    ("replaces_rows", [[[1], [2], [3]], 10]),
    ("writes_rows", [[[1], [2], [3]], 10]),
    ("same_list", [[5, 6], 4]),
    ("out_of_range", [[1.0, 2.0], 5]),
    ("pairs", [[(1, 0.5), (7, 0.25)], 9]),
    ("appends_to_either", [[1, 2], 2]),
    ("appends_to_either", [[1, 2], 9]),
    ("goes_on_from_given", [[1.5, -2.0], 5]),
    ("goes_on_from_given", [[1.5, -2.0], 0]),
    ("longest_of", [[[1], [2, 3], [4, 5]], 1]),
    ("longest_of", [[[1], [2, 3], [4, 5]], 4]),
    ("named", [["a", "éa", ""], 8]),
    ("paths", [[(1, [5]), (2, [])], 4]),
    ("paths", [[(1, [5])], 0]),
    ("pops_what_was_given", [[[1.0, 2.0], [3.0]], 1]),
    ("pops_what_was_given", [[[1.0, 2.0], [3.0]], 3]),
    ("ends_with_counter", [[[1.0], [2.0], [3.0], [4.0], [5.0]], 3]),
    ("ends_with_counter", [[[1.0], [2.0], [3.0], [4.0], [5.0]], 0]),
    ("writes_before_it_raises", [[3, 4], 5]),
    ("writes_before_it_raises", [[3, 4], 9]),
    ("goes_on_changing_what_was_added", [[5], 3]),
    ("swaps", [[True, False, True], 7]),
]


def outcome(plan: str, name: str, arguments: list[Any]) -> tuple[Any, list[Any]]:
    function = getattr(tsc.CompilationUnit(PROGRAMS), name)
    with chosen_plan(plan):
        try:
            return function(*arguments), arguments
        except tsc.ScriptError as error:
            return str(error), arguments


def test_given_lists_meet_new_ones() -> None:
    unit = tsc.CompilationUnit(PROGRAMS)
    for name in ("goes_on_from_given", "named", "paths", "pops_what_was_given"):
        assert is_native(getattr(unit, name).optimized_graph), name


@pytest.mark.parametrize(("name", "arguments"), CALLS)
def test_given_lists_are_left_as_bytecode_leaves_them(name: str, arguments: list[Any]) -> None:
    expected = outcome("bytecode", name, copy.deepcopy(arguments))
    assert outcome("native", name, copy.deepcopy(arguments)) == expected


ENDLESS = """
from typing import List
def spins(rows: List[List[int]]) -> int:
    i = 0
    while rows[0][0] >= 0:
        i += rows[0][0]
    return i

def makes_long_lists(rows: List[List[int]]) -> int:
    i = 0
    while i >= 0:
        i = len([i] * 10000000) - 10000000
    return i

def moves_long_lists(rows: List[List[int]]) -> int:
    long = [1] * 10000000
    while len(long) > 0:
        long.append(long.pop(0))
    return 1
"""
LONG_TURNS = """
def sorts(step: int) -> int:
    many = [i * 7919 % 1000 for i in range(1000)]
    i = 0
    while i >= 0:
        i += sorted(many)[0] + step
    return i

def computes_rows(step: int) -> Tensor:
    row = torch.ones(12)
    i = 0
    while i >= 0:
        row = torch.tanh(row * 1.01 + i) - 0.5
        i += step
    return row
"""
LONGEST = 0.1
"""Seconds of the processor after which a signal is heard."""


@pytest.mark.parametrize("name", ["spins", "makes_long_lists", "moves_long_lists"])
def test_a_signal_ends_a_native_loop(name: str) -> None:
    def interrupt(number: int, frame: object) -> None:
        raise KeyboardInterrupt

    function = getattr(tsc.CompilationUnit(ENDLESS), name)
    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, 0.5)
    started = time.perf_counter()
    try:
        with pytest.raises(KeyboardInterrupt):
            function([[1], [2]])
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert time.perf_counter() - started < 5


@pytest.mark.parametrize("name", ["sorts", "computes_rows"])
def test_ctrl_c_is_heard_soon(name: str) -> None:
    function = getattr(tsc.CompilationUnit(LONG_TURNS), name)
    sent: list[float] = []

    def send() -> None:
        sent.append(time.process_time())
        signal.raise_signal(signal.SIGINT)

    for seconds in (1.0, 0.2):  # the first time, code is made
        pressed = threading.Timer(seconds, send)
        pressed.start()
        with pytest.raises(KeyboardInterrupt), chosen_plan("native"):
            function(0)
        pressed.join()
    assert time.process_time() - sent[-1] < LONGEST
