"""Large programs compile, in time that grows as they do."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.emit.compiled import compiled
from tests.work import calls_made, sized
from tsc.compiler.compile import compile_source
from tsc.compiler.source import CompileError, Source
from tsc.runtime.execution.toolchain import toolchain


def nested_ifs(depth: int) -> str:
    lines = [f"{' ' * level}if x > {level}:" for level in range(1, depth + 1)]
    return "\n".join(["def f(x: int):", *lines, f"{' ' * (depth + 1)}x = 1", " return x\n"])


def chain_of_elifs(count: int) -> str:
    branches = "".join(f" elif x == {i}:\n  y = {i}\n" for i in range(1, count))
    return f"def f(x: int):\n if x == 0:\n  y = 0\n{branches} else:\n  y = -1\n return y\n"


def returned(expression: str, parameter: str = "x: int") -> str:
    return f"def f({parameter}):\n    return {expression}\n"


@pytest.mark.parametrize(
    "source",
    [
        pytest.param(returned(" + ".join(["x"] * 2000)), id="sum of 2,000"),
        pytest.param(returned(" and ".join(["x"] * 2000), "x: bool"), id="and of 2,000"),
        pytest.param(returned(" < ".join(["x"] * 300)), id="chain of 300 comparisons"),
        pytest.param(returned(f"[{', '.join(map(str, range(5000)))}]"), id="list of 5,000"),
        pytest.param(
            returned(f"{{{', '.join(f'{i}: x' for i in range(5000))}}}"), id="dict of 5,000"
        ),
        pytest.param(returned(f"x{'.relu()' * 300}", "x"), id="300 methods"),
        pytest.param(returned("(" * 100 + "x" + " + 1)" * 100), id="100 brackets"),
        pytest.param(nested_ifs(300), id="300 nested ifs"),
        pytest.param(chain_of_elifs(300), id="300 elifs"),
    ],
)
def test_large_programs_compile(source: str) -> None:
    compiled(source).graph.lint()


def straight_line(lines: int) -> str:
    body = "".join(f"    x = x * {i} + y\n" for i in range(lines))
    return f"def f(x: int, y: int):\n{body}    return x\n"


def branches(count: int) -> str:
    body = "".join(f"    if x > {i}:\n        y = y + x\n" for i in range(count))
    return f"def f(x: int, y: int):\n{body}    return y\n"


def many_variables(count: int) -> str:
    body = "".join(f"    v{i} = x + {i}\n    if x > {i}:\n        v{i} = x\n" for i in range(count))
    return f"def f(x: int):\n{body}    return v0\n"


def compilation(source: str) -> int:
    """The calls that compiling a source text makes."""
    return calls_made(lambda: compile_source(Source(source), toolchain()))


def nested_assignments(depth: int) -> str:
    """Branches in branches, the innermost of which sets what all of them must pass on."""
    heads = "".join(f"{' ' * level}if x > {level}:\n" for level in range(1, depth + 1))
    last = " " * (depth + 1)
    body = f"{last}b += 1\n{last}a += b\n{last}c += a\n"
    return f"def f(x: int):\n a = 0\n b = 1\n c = 2\n{heads}{body} return a + b + c\n"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("make", "size"),
    [(straight_line, 800), (branches, 800), (many_variables, 800), (nested_assignments, 390)],
)
def test_work_grows_with_the_program(make: Callable[[int], str], size: int) -> None:
    compilation(make(50))  # reads schemas and tables
    assert compilation(make(sized(size))) < 4 * 1.5 * compilation(make(sized(size // 4)))


def test_too_deep_nesting_is_an_error() -> None:
    with pytest.raises(CompileError, match="nested"):
        compiled(nested_ifs(6000))
