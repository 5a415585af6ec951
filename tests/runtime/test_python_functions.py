"""The Python functions that are made of graphs: their shape, their names, and what Python's tools see of them."""

from __future__ import annotations

import ast
import linecache
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

import tsc
from tests.runtime.plans import PLANS, each_plan, optimized, optimized_bytecode, script
from tsc.compiler.ir import Function
from tsc.runtime.execution.python.function_writer import write_function

RECORDED = Path(__file__).parents[1] / "oracle" / "archives" / "recorded"


def no_function(_callee: Function, _parameters: int) -> Callable[..., Any]:
    raise AssertionError("nothing is called here")


def text_of(source: str) -> str:
    """The body of the Python function of ``f``."""
    function = script(source)
    written = write_function(function.graph, function, no_function, metered=False)
    body = ast.unparse(ast.fix_missing_locations(written.definition)).splitlines()[1:]
    return "\n".join(line.removeprefix("    ") for line in body)


SHAPES = {
    "variables keep their names, and small steps need no wrapping": (
        "def f(n: int) -> int:\n    total = 0\n    for i in range(n):\n        total += 1\n    return total\n",
        "total = 0\nfor i in range 0(n):\n    total = total + 1\nreturn total",
    ),
    "a sum of unknown numbers is wrapped": (
        "def f(a: int, b: int) -> int:\n    c = a + b\n    return c\n",
        "c = a + b\nif c > 1073741823 or c < -1073741823:\n    c = 64 bits(c)\nreturn c",
    ),
    "swapped variables are set at once": (
        """\
def f(n: int) -> int:
    a, b = 0, 1
    for i in range(n):
        a, b = b, a
    return a
""",
        "a = 0\nb = 1\nfor i in range 0(n):\n    a, b = (b, a)\nreturn a",
    ),
    "conditions are expressions": (
        "def f(a: int, b: int) -> bool:\n    return a < b and not b == 3\n",
        "return a < b and (not b == 3)",
    ),
}


@pytest.mark.parametrize(("source", "expected"), list(SHAPES.values()), ids=list(SHAPES))
def test_shape(source: str, expected: str) -> None:
    assert text_of(source) == expected


def test_what_holds_memory_is_deleted_after_its_last_use() -> None:
    lines = text_of(
        "def f(x, y):\n    a = x + y\n    b = a * y\n    return torch.relu(b)\n"
    ).splitlines()
    assert [line for line in lines if line.startswith("del")] == ["del x", "del a, y"]


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


NUMBERS = """
def f(a: int, b: int, n: int) -> List[int]:
    total, product, slow = 0, 1, 9223372036854775800
    for i in range(n):
        total += a
        product = product * b + i
        slow += 1
        a, b = b - i, a + b * 3
    return [total, product, slow, a, b, a * b - (a + b) * 7, -a, a // 3, b % 7]
"""


@each_plan
@pytest.mark.parametrize("a", [3, 2**62, -(2**63), 2**63 - 1])
def test_integers_wrap_around(run: Any, a: int) -> None:
    def wrapped(value: int) -> int:
        return (value + 2**63) % 2**64 - 2**63

    names: dict[str, Any] = {"List": list}
    exec(NUMBERS, names)
    found = run(script(NUMBERS), [a, 5, 70])
    expected = names["f"](a, 5, 70)
    assert found[:5] == [wrapped(value) for value in expected[:5]]
    c, d = found[3], found[4]
    assert found[5:] == [wrapped(c * d - (c + d) * 7), wrapped(-c), c // 3, d % 7]


def nested_loops(depth: int) -> str:
    lines = ["def f(n: int) -> int:", "    total = 0"]
    lines += ["    " * (i + 1) + f"for i{i} in range({2 if i < 4 else 1}):" for i in range(depth)]
    return "\n".join([*lines, "    " * (depth + 1) + "total += n", "    return total\n"])


@each_plan
@pytest.mark.parametrize("depth", [18, 19, 20, 21, 40])
def test_more_loops_than_python_nests(run: Any, depth: int) -> None:
    assert run(script(nested_loops(depth)), [3]) == 48


@pytest.mark.parametrize("run", [optimized, optimized_bytecode])
@pytest.mark.parametrize("length", [90, 1100])
def test_long_chains_of_branches(run: Any, length: int) -> None:
    lines = [f"    elif n == {i}:\n        t = {i} * n" for i in range(1, length)]
    source = "\n".join(["def f(n: int) -> int:", "    if n == 0:", "        t = 5", *lines])
    source += "\n    else:\n        t = 0\n    return t\n"
    assert run(script(source), [length - 1]) == (length - 1) ** 2


@each_plan
def test_a_variable_that_is_reused_in_a_branch_stays_in_the_other(run: Any) -> None:
    """What a branch computes takes the place of its operand, which the other branch needs for longer."""
    function = script("""\
def g(y: Tensor, negated: bool, dims: Optional[List[int]]):
    if negated:
        return y.neg()
    sums = y.sum() if dims is None or len(dims) == 0 else y.sum(dims)
    return y.exp() * sums

def f(x: Tensor, copied: bool, negated: bool, dims: Optional[List[int]]):
    return g(x.relu() if copied else x + 1, negated, dims)
""")
    x = tsc.tensor([0.0, 1.0])
    assert run(function, [x, True, True, [0]]).tolist() == [0, -1]
    assert run(function, [x, True, False, [0]]).tolist() == x.exp().tolist()
    assert run(function, [x, True, False, None]).tolist() == x.exp().tolist()


def test_a_name_of_python_may_be_a_variable() -> None:
    source = """
def f(range: int, len: int, wrap: int) -> int:
    t = range
    for list in [len, range]:
        t = t * wrap + list
    return t
"""
    assert tsc.CompilationUnit(source).f(2, 3, 5) == (2 * 5 + 3) * 5 + 2


# -- Python's tools ----------------------------------------------------------------------------

PROGRAM = """
def inner(x: int, y: int) -> int:
    return x // y

def f(x: int) -> int:
    total = 0
    for i in range(2):
        total += inner(x, 1 - i)
    return total
"""


def test_tracebacks_of_python_show_the_program() -> None:
    unit = tsc.CompilationUnit(PROGRAM, filename="in_no_file.py")
    with pytest.raises(tsc.ScriptError) as caught:
        unit.f(3)
    frames = traceback.extract_tb(caught.value.__traceback__)
    shown = [
        (each.name, each.lineno, each.line) for each in frames if each.filename == "in_no_file.py"
    ]
    assert shown[-1] == ("f", 3, "return x // y")
    assert linecache.getline("in_no_file.py", 8) == "        total += inner(x, 1 - i)\n"


def test_programs_of_one_name_are_told_apart() -> None:
    first = tsc.CompilationUnit("def f(x: int) -> int:\n    return 1 // x\n", filename="twice.py")
    second = tsc.CompilationUnit("def f(x: int) -> int:\n    return 2 // x\n", filename="twice.py")
    lines: list[str] = []
    for unit in (first, second):
        with pytest.raises(tsc.ScriptError) as caught:
            unit.f(0)
        frames = traceback.extract_tb(caught.value.__traceback__)
        lines += [str(each.line) for each in frames if each.filename.startswith("twice.py")]
    assert lines == ["return 1 // x", "return 2 // x"]


def traced(function: Callable[[], Any], file: str) -> list[tuple[int, dict[str, Any]]]:
    """The lines of a file that run, and the variables that a debugger sees there."""
    seen: list[tuple[int, dict[str, Any]]] = []

    def trace(frame: FrameType, event: str, _argument: Any) -> Any:
        if frame.f_code.co_filename != file:
            return None
        if event == "line":
            seen.append((frame.f_lineno, dict(frame.f_locals)))
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        function()
    finally:
        sys.settrace(before)
    return seen


def test_debuggers_see_lines_and_variables() -> None:
    source = """
def f(n: int) -> int:
    total = 0
    i = 0
    while i < n:
        square = i * i
        total = total + square
        i = i + 1
    return total
"""
    unit = tsc.CompilationUnit(source, filename="debugged.py")
    seen = traced(lambda: unit.f(2), "debugged.py")
    assert {line for line, _ in seen} >= {5, 6, 7, 8}
    assert [(v["i"], v["square"], v["total"]) for line, v in seen if line == 8] == [
        (0, 0, 0),
        (1, 1, 1),
    ]


def test_lines_that_do_not_run_are_not_shown() -> None:
    source = """
def f(n: int) -> str:
    total = 0
    for i in range(n):
        if i % 2 == 0:
            total += i
        else:
            print("odd")
    if n > 5:
        if total == 7:
            print("seven")
    return str(total)
"""
    unit = tsc.CompilationUnit(source, filename="covered.py")
    unit.f(0)
    lines = {line for line, _ in traced(lambda: unit.f(1), "covered.py")}
    assert lines >= {4, 5, 6, 9, 12}
    assert lines.isdisjoint({8, 10, 11})


def test_code_of_archives_is_shown() -> None:
    module = tsc.load(RECORDED / "gru_tagger.pt")
    x = tsc.tensor([[[0.5, 1.0, -1.0, 0.5]] * 2] * 5)
    module(x)
    seen: set[str] = set()

    def trace(frame: FrameType, _event: str, _argument: Any) -> Any:
        if frame.f_code.co_filename.startswith("code/"):
            seen.add(linecache.getline(frame.f_code.co_filename, frame.f_lineno).strip())
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        module(x)
    finally:
        sys.settrace(before)
    assert any(line.startswith("return") for line in seen)


def test_an_error_leaves_all_contexts() -> None:
    source = """
def f(x: int) -> int:
    with torch.no_grad():
        for i in range(3):
            with torch.no_grad():
                x = 1 // (2 - i)
    return x
"""
    with pytest.raises(tsc.ScriptError):
        tsc.CompilationUnit(source).f(1)
    assert tsc.CompilationUnit("def f() -> bool:\n    return torch.is_grad_enabled()\n").f()


def test_long_functions_without_loops_are_made_when_they_are_called_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("sys.gettrace", lambda: None)
    monkeypatch.setattr("sys.getprofile", lambda: None)
    lines = "".join("    x = x * 3 + y\n" for _ in range(150))
    f = tsc.CompilationUnit(f"def f(x: int, y: int) -> int:\n{lines}    return x\n", "long.py").f
    with tsc.no_grad():  # nor is anything recorded for tensors of other tests
        first = f(1, 2)
        assert not any("python" in key for key in f._executor._plans)
        assert [f(1, 2) for _ in range(20)] == [first] * 20
    assert any("bytecode" not in key for key in f._executor._plans)


def test_debuggers_see_long_functions_at_once() -> None:
    lines = "".join("    x = x * 3 + y\n" for _ in range(150))
    source = f"def f(x: int, y: int) -> int:\n{lines}    return x\n"
    unit = tsc.CompilationUnit(source, filename="long_and_debugged.py")
    assert len(traced(lambda: unit.f(1, 2), "long_and_debugged.py")) >= 150
