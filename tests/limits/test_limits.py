"""Large and deep programs compile, run and print, or say clearly why not."""

from __future__ import annotations

from typing import Any

import pytest

import tsc
from tests.work import sized
from tsc.compiler.source import Source
from tsc.runtime.programs.source_unit import SourceUnit

Program = tuple[str, tuple[Any, ...], Any]
"""A source text, the arguments of its last function, and what it returns."""


def returning(expression: str, argument: Any = 1, result: Any = None, kind: str = "int") -> Program:
    return f"def f(x: {kind}):\n    return {expression}\n", (argument,), result


def nested(keyword: str, depth: int) -> str:
    lines = [f"{' ' * level}{keyword.format(level)}:" for level in range(1, depth + 1)]
    return "\n".join(
        ["def f(x: int):", " y = 0", *lines, f"{' ' * (depth + 1)}y += 1", " return y\n"]
    )


def elifs(count: int, body: str, after: str) -> str:
    branches = "".join(f"    elif x == {i}:\n        {body.format(i)}\n" for i in range(count))
    return f"def f(x: int) -> int:\n    if x < 0:\n        {body.format(-1)}\n{branches}{after}"


def lines(count: int) -> str:
    pairs = "".join(f"    y{i} = x + {i}\n    x = y{i} * 2 - x\n" for i in range(count // 2))
    return f"def f(x: int) -> int:\n{pairs}    return x\n"


def after_lines(count: int, x: int) -> int:
    for i in range(count // 2):
        x = (x + i) * 2 - x
    return x


FACTORIAL_OF_ONES = (
    "def f(n: int) -> int:\n    if n == 0:\n        return 0\n    return f(n - 1) + 1\n"
)
MUTUAL = (
    "def g(n: int) -> int:\n    return f(n - 1) + 1\n"
    "def f(n: int) -> int:\n    if n <= 0:\n        return 0\n    return g(n - 1) + 1\n"
)

PROGRAMS: dict[str, Program] = {
    "300 nested ifs": (nested("if x > {}", 300), (301,), 1),
    "300 nested loops": (nested("for i{} in range(1)", 300), (1,), 1),
    "3,000 brackets": returning("(" * 3000 + "x" + ")" * 3000, 1, 1),
    "3,000 calls": returning("abs(" * 3000 + "x" + ")" * 3000, -1, 1),
    "sum of 2,000": returning(" + ".join(["x"] * 2000), 1, 2000),
    "sum of 2,000 in brackets": returning("(x + " * 2000 + "x" + ")" * 2000, 1, 2001),
    "1,000 powers": returning(" ** ".join(["x"] * 1000), 1.0, 1.0, "float"),
    "and of 2,000": returning(" and ".join(f"x > {i}" for i in range(2000)), 2001, True),
    "or of 2,000": returning(" or ".join(f"x > {i}" for i in range(1, 2001)), 1, False),
    "2,000 nots": returning("not " * 2000 + "x", True, True, "bool"),
    "2,000 minuses": returning("-" * 2000 + "x", 3, 3),
    "500 comparisons": returning(" <= ".join(["x"] * 500), 3, True),
    "500 ternaries": returning("".join(f"{i} if x == {i} else " for i in range(500)) + "-1", 9, 9),
    "1,000 elifs": (
        elifs(1000, "y = {}", "    else:\n        y = 0\n    return y\n"),
        (999,),
        999,
    ),
    "1,000 elifs that return": (elifs(1000, "return {}", "    return 0\n"), (999,), 999),
    "list of 5,000": returning(f"[{', '.join(map(str, range(5000)))}][x]", 4321, 4321),
    "dict of 5,000": returning(
        f"{{{', '.join(f'{i}: {i + 1}' for i in range(5000))}}}[x]", 4321, 4322
    ),
    "tuple of 1,000": returning(f"({', '.join(['x'] * 1000)})", 1, (1,) * 1000),
    "function of 10,000 lines": (
        lines(sized(10_000)),
        (1,),
        after_lines(sized(10_000), 1),
    ),
    "name of 10,000 letters": (
        f"def f({'a' * 10_000}: int):\n    return {'a' * 10_000}\n",
        (1,),
        1,
    ),
    "string of 1,000,000": returning(f"len('{'ab' * 500_000}')", 1, 1_000_000),
    "lists nested 90 deep": returning("[" * 90 + "x" + "]" * 90 + "[0]" * 90, 1, 1),
    "type nested 90 deep": (f"def f(x: {'List[' * 90}int{']' * 90}):\n    return 1\n", ([],), 1),
    "1,000 parameters": (
        f"def f({', '.join(f'a{i}: int' for i in range(1000))}):\n    return a999\n",
        tuple(range(1000)),
        999,
    ),
    "1,000 targets": (
        f"def f(x: int):\n    {' = '.join(f'a{i}' for i in range(1000))} = x\n    return a999\n",
        (3,),
        3,
    ),
    "3,000 asserts": (
        "def f(x: int):\n" + "    assert x > 0\n" * sized(3000) + "    return x\n",
        (1,),
        1,
    ),
    "chain of 300 functions": (
        "def f0(x: int):\n    return x\n"
        + "".join(f"def f{i}(x: int):\n    return f{i - 1}(x) + 1\n" for i in range(1, 301)),
        (1,),
        301,
    ),
    "100,000 blank lines": ("\n" * 100_000 + "def f(x: int):\n    return x\n", (1,), 1),
    "infinite float": returning("1e999999", 1, float("inf")),
    "10,000 calls deep": (FACTORIAL_OF_ONES, (sized(10_000),), sized(10_000)),
    "10,000 calls deep in turns": (MUTUAL, (sized(10_000) - 1,), sized(10_000)),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", PROGRAMS)
def test_large_programs_run(name: str) -> None:
    source, arguments, result = PROGRAMS[name]
    unit = SourceUnit.from_source(Source(source))
    function = unit.function(list(unit.compiled)[-1])
    assert function(*arguments) == result
    assert str(function.graph)
    assert function.code


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (returning("abs(" * 50_000 + "x" + ")" * 50_000)[0], "is nested too deeply to compile"),
        (returning("9223372036854775808")[0], "Integral constant out of range"),
        (returning("9" * 400)[0], "Integral constant out of range"),
        (returning("9" * 5000)[0], "a number with too many digits"),
        (returning("1" * 5000 + ".0")[0], "a number with too many digits"),
        (f"def f(x: {'List[' * 1000}int{']' * 1000}):\n    return 1\n", "nested more than 100"),
        (returning("[" * 1000 + "x" + "]" * 1000)[0], "nested more than 100"),
        (returning("(" * 1000 + "x" + ",)" * 1000)[0], "nested more than 100"),
        (returning("{1: " * 1000 + "x" + "}" * 1000)[0], "nested more than 100"),
        ("def f(x):\n    y = [x]\n" + "".join(f"    y{i} = [y{i - 1}]\n" for i in range(1, 500))
         .replace("[y0]", "[y]") + "    return 1\n", "nested more than 100"),
    ],
    ids=["calls", "int", "longer int", "longest int", "float", "type", "list", "tuple", "dict", "lists in turns"],
)  # fmt: skip
def test_too_large_programs_are_refused(source: str, message: str) -> None:
    with pytest.raises(tsc.CompileError, match=message) as caught:
        tsc.CompilationUnit(source)
    assert "HERE" in str(caught.value)


def test_endless_recursion_is_an_error() -> None:
    unit = tsc.CompilationUnit("def f(n: int) -> int:\n    return f(n + 1) + 1\n")
    with pytest.raises(tsc.ScriptError, match="maximum recursion depth exceeded") as caught:
        unit.f(0)
    assert len(str(caught.value)) < 10_000
