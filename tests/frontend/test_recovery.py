"""Parsing to the end of texts with errors: all errors are found, and nothing but them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.fuzz import mutations
from tests.work import calls_made
from tsc.compiler.frontend import parse_source
from tsc.compiler.frontend.possible_names import possibly_bound_names
from tsc.compiler.frontend.recovery import parse_whole
from tsc.compiler.frontend.tree_views import BrokenStmt, Def, Module
from tsc.compiler.source import CompileError, Source


def parsed(text: str) -> tuple[Module, list[str]]:
    """The tree of a text, and its errors as ``code line``."""
    errors: list[CompileError] = []
    module = parse_whole(Source(text), errors.append)
    return module, [f"{error.code} {error.range.line}" for error in errors]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("def f(x):\n    y = x x\n    z = x x\n    return x\n", ["TS101 2", "TS101 3"]),
        ("def f(x y):\n    return (\ndef g(x):\n    return x +\n", ["TS101 1", "TS101 4"]),
        (
            "def f(x):\n    if x = 3:\n        y = $\n    elif x:\n        y = $\n"
            "    else:\n        y = $\n    return y y\n",
            ["TS118 2", "TS101 8"],
        ),
        ("def f(x):\n    y = g(1 2,\n  3)\n    z = x x\n", ["TS101 2", "TS101 4"]),
        ("def f(x):\n    y = g(1 2,\n3)\n    z = x x\n", ["TS101 2", "TS101 4"]),
        ("def f(x):\n    y = (1, 2\n    z = x x\n    return z\n", ["TS102 2", "TS101 3"]),
        ("def f(x):\n    if x:\n    y = x x\n    return y\n", ["TS111 3", "TS101 3"]),
        (
            "def f(x):\n    y = 'a\n    z = x $ x\n    return z z\n",
            ["TS103 2", "TS104 3", "TS101 4"],
        ),
        ("def f(x):\n    y = 1\n      z = 2\n    return y y\n", ["TS110 3", "TS101 4"]),
        (
            "def f(x):\n    if x:\n        y = 1\n      z = 2\n    return y y\n",
            ["TS112 4", "TS101 5"],
        ),
        ("def f(x):\n    for g() in x:\n        y = 1\n    return y y\n", ["TS120 2", "TS101 4"]),
        (
            "def f(x):\n    return x\n    else:\n        y = $\n    z = x x\n",
            ["TS115 3", "TS101 5"],
        ),
        ("def f(x)\n    y = $\ndef g(x)\n    return x\n", ["TS114 1", "TS114 3"]),
        ("x = '''a\nb c\n", ["TS103 1"]),
        ("x = 1 +\ny = )\nz = [\n", ["TS101 1", "TS102 2", "TS102 3"]),
        ("@decorated\nx = 1\ny = x x\n", ["TS115 2", "TS101 3"]),
        ('x = f"{a"\ny = x x\n', ["TS107 1", "TS101 2"]),
        ('x = "(" x\ny = x x\n', ["TS101 1", "TS101 2"]),
    ],
)
def test_each_error_is_reported_once(text: str, expected: list[str]) -> None:
    assert parsed(text)[1] == expected


def test_statements_around_an_error_are_kept() -> None:
    text = "def f(x):\n    a = 1\n    b = x x\n    if x:\n        c = x x\n        d = 2\n    return a\n"
    (definition,) = parsed(text)[0].statements
    assert isinstance(definition, Def)
    a, b, branch, last = definition.statements
    assert (a.kind, branch.kind, last.kind) == ("assign", "if", "return")
    assert isinstance(b, BrokenStmt)
    assert b.names == {"b"}
    assert [each.kind for each in branch.true_branch] == ["broken", "assign"]


def test_good_texts_have_the_same_tree() -> None:
    for text in mutations.functions_of_samples():
        module, errors = parsed(text)
        assert errors == []
        assert str(module) == str(parse_source(Source(text)))


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("x = y z", {"x"}),
        ("x = y = z z", {"x", "y"}),
        ("x[i].y, z = $", {"x", "i", "z"}),
        ("x += 1 1", {"x"}),
        ("print('a = b' c)  # d = e", set()),
        ("if x == y != z >= 1 1: pass", set()),
        ("for i, x in enumerate(xs xs):", {"i", "x", "enumerate", "xs"}),
        ("def f(x y):\n    z = 1\n", {"f"}),
        ("@a.b\ndef f(x y):\n    z = 1\n", {"f"}),
        ("with f() as g h:", {"f", "g", "h"}),
        ("'''a = 1\nb = 2''' c", set()),
    ],
)
def test_names_that_broken_lines_may_bind(text: str, names: set[str]) -> None:
    assert possibly_bound_names(text) == names


@settings(max_examples=150)
@given(mutations.mutated_programs() | mutations.bodies | st.text(max_size=100))
def test_the_first_error_is_the_one_of_the_parser_that_stops(text: str) -> None:
    errors: list[CompileError] = []
    parse_whole(Source(text), errors.append)
    try:
        parse_source(Source(text))
    except CompileError as error:
        assert str(errors[0]) == str(error)
    else:
        assert errors == []


@pytest.mark.parametrize(
    "line",
    ["y = x y", "y = (x,", "y = 'abc", "y = $", "if x = 3:\n        y = 1", "if x:", "    y = 1"],
)
@pytest.mark.parametrize("heads", [("def f(x):\n", "    x = 1\n"), ("", "def f(x):\n    x = 1\n")])
def test_work_grows_with_the_number_of_errors(line: str, heads: tuple[str, str]) -> None:
    """Whether all errors stand in one function, or one in each."""

    def work(count: int) -> int:
        text = heads[0] + f"{heads[1]}    {line}\n" * count
        return calls_made(lambda: parse_whole(Source(text), lambda error: None))

    assert work(400) < 2.2 * work(200)
