"""Texts full of problems are checked in time that grows as they do."""

from __future__ import annotations

from functools import partial

import pytest

from tests.work import calls_made, sized
from tsc.compiler.check import check_source
from tsc.compiler.source import Problems, Source
from tsc.runtime.execution.toolchain import toolchain

pytestmark = pytest.mark.slow

FEW, MANY = sized(500), sized(1000)


def statements(line: str, count: int) -> str:
    body = "".join(f"    {line.format(number)}\n" for number in range(count))
    return f"def f(x: int, t: Tensor):\n{body}    return x\n"


def functions(line: str, count: int) -> str:
    return "\n".join(f"def f{n}(x: int):\n    {line.format(n)}\n" for n in range(count))


TEXTS = {
    "undefined names in statements": partial(statements, "a{0} = undefined{0} + x"),
    "wrong types": partial(statements, "a{0} = x - 'text'"),
    "unknown methods": partial(statements, "a{0} = t.unknown{0}()"),
    "bad syntax in statements": partial(statements, "a{0} = x +"),
    "bad syntax in functions": partial(functions, "return x +"),
    "open brackets": partial(functions, "return (x"),
}


@pytest.mark.parametrize("text", [pytest.param(text, id=name) for name, text in TEXTS.items()])
def test_checking_grows_with_the_number_of_problems(text: partial[str]) -> None:
    check(text(1))  # what is made once
    few, many = (calls_made(partial(check, text(count), count)) for count in (FEW, MANY))
    assert many < 1.25 * (MANY / FEW) * few


def check(text: str, problems_wanted: int = 1) -> None:
    problems = Problems()
    check_source(Source(text, "program.py"), toolchain(), problems)
    assert len(problems) == problems_wanted
