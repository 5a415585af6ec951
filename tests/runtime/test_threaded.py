"""The shape of threaded code: what a program needs no instruction for."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.runtime.plans import PLANS, script
from tsc.runtime.execution.threaded.builder import build_program
from tsc.runtime.execution.threaded.threaded_code import Op, Program

NAMES = {number: name for name, number in vars(Op).items() if isinstance(number, int)}


def program(source: str) -> Program:
    function = script(source)
    return build_program(function.graph, function.name)


def operations(source: str) -> list[str]:
    return [NAMES[instruction[0]] for instruction in program(source).instructions]


def test_range_loop_takes_two_instructions_a_turn() -> None:
    source = """
def f(n: int) -> int:
    total = 0
    for i in range(1, n):
        total += i
    return total
"""
    assert operations(source) == [
        *("CALL3", "MOVE", "FOR_ENTER", "MOVE"),
        *("ADD_INT", "FOR_RANGE_NEXT"),
        "RETURN",
    ]


def test_while_loop_asks_at_its_end() -> None:
    source = """
def f(n: int) -> int:
    while n > 10:
        n = n - 3
    return n
"""
    assert operations(source) == ["BRANCH2", "SUB_INT", "LOOP_BRANCH2", "RETURN"]


def test_branches_compute_in_place() -> None:
    source = """
def f(n: int, c: int) -> int:
    total = 0
    for i in range(n):
        if i % 2 == c:
            total = total + i
        elif i == 7:
            total = total * 2
    return total
"""
    assert Counter(operations(source))["MOVE"] == 1  # the initial value


def test_nested_loops_share_what_they_carry() -> None:
    source = """
def f(n: int) -> int:
    total = 0
    for i in range(n):
        for j in range(n):
            total += j
    return total
"""
    assert operations(source) == [
        *("MOVE", "FOR_ENTER", "FOR_ENTER", "ADD_INT", "FOR_NEXT", "FOR_NEXT", "RETURN"),
    ]


def test_swapped_variables_take_moves() -> None:
    source = """
def f(n: int) -> int:
    a, b = 0, 1
    for i in range(n):
        a, b = b, a + b
    return a
"""
    assert Counter(operations(source))["MOVE"] == 4


def test_tensors_are_written_over_inputs_that_die() -> None:
    source = """
def f(x, y):
    a = x + y
    b = torch.tanh(a)
    c = torch.relu(b)
    return c
"""
    assert operations(source) == ["CALL3_FREE", "CALL1", "CALL1", "RETURN"]


def test_negated_questions_are_asked_the_other_way_round() -> None:
    source = """
def f(n: int) -> int:
    if not n > 3:
        n = n + 1
    return n
"""
    assert operations(source) == ["BRANCH2", "ADD_INT", "RETURN"]


@pytest.mark.parametrize("length", [1_000])
def test_registers_are_used_again(length: int) -> None:
    lines = "".join("    x = x * 3 + y\n    y = x - y\n" for _ in range(length))
    built = program(f"def f(x: int, y: int) -> int:\n{lines}    return x\n")
    assert len(built.registers) < 16


def test_instructions_know_their_nodes() -> None:
    built = program("def f(x: int) -> int:\n    return x // 2 + 1\n")
    kinds = [built.nodes[id(instruction)].kind for instruction in built.instructions]
    assert kinds == ["aten::floordiv", "aten::add", "prim::Return"]


@pytest.mark.parametrize("bounds", ["n", "0, n", "n, 0, -1", "n, 9, n", "k, n, k"])
def test_range_keeps_its_bounds_when_their_variables_change(bounds: str) -> None:
    source = f"""
def f(n: int, k: int) -> Tuple[int, int, int]:
    turns = 0
    for i in range({bounds}):
        n = n - 1
        k = k + 2
        turns += 1
    return n, k, turns
"""
    turns = len(range(*eval(f"({bounds},)", {"n": 5, "k": 2})))
    for run in PLANS.values():
        assert run(script(source), [5, 2]) == (5 - turns, 2 + 2 * turns, turns)
