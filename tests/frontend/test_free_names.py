"""Which names of a function come from around it."""

from __future__ import annotations

import pytest

from tsc.compiler.frontend.free_names import bound_names, free_names
from tsc.compiler.frontend.parser import parse_source
from tsc.compiler.source import Source


def free_in(body: str, parameters: str = "x") -> tuple[str, ...]:
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    (definition,) = parse_source(Source(f"def f({parameters}):\n{lines}")).definitions
    return free_names(definition.decl, definition.statements)


@pytest.mark.parametrize(
    ("body", "names"),
    [
        ("return x + k", ("k",)),
        ("return h(k) + g(h)", ("h", "k", "g")),
        ("y = k\nreturn y", ("k",)),
        ("return y\ny = 1", ()),
        ("for i, (j, *r) in pairs:\n    x += i + j + len(r)\nreturn x", ("pairs", "len")),
        ("with context() as c:\n    return c", ("context",)),
        ("k += 1\nreturn k", ()),
        ("x[k] = v\nx.a = w", ("k", "v", "w")),
        ("return [i * k for i in xs if i > low]", ("xs", "low", "k")),
        ("return [k for k in k]", ("k",)),
        ("return [b for a in rows for b in a]", ("rows",)),
        ("return {a: b + c for a, b in xs}", ("xs", "c")),
        ("g = lambda y, z=k: y + z + w\nreturn g(x)", ("k", "w")),
        ("def g(y):\n    z = y\n    return z + w\nreturn g(x)", ("w",)),
        ("def g(y):\n    return g(y)\nreturn g(x)", ()),
        ("import math\nreturn math.sqrt(x)", ()),
        ("return x.k + f(k=x)", ("f",)),
        ("while x > n:\n    if x == m:\n        z = 1\n    x -= z", ("n", "m")),
    ],
)
def test_free_names(body: str, names: tuple[str, ...]) -> None:
    assert free_in(body) == names


def test_parameters_are_bound_and_their_defaults_are_not_part_of_the_body() -> None:
    assert free_in("return a + b", "a, *, b=k") == ()


def test_a_long_sum_needs_no_recursion() -> None:
    assert free_in("return " + " + ".join(["x", *(f"a{i % 3}" for i in range(20_000))])) == (
        "a0",
        "a1",
        "a2",
    )


def test_names_bound_in_blocks_are_found() -> None:
    text = "if a:\n    b = 1\nelse:\n    for c in d:\n        e = c\n"
    assert set(bound_names(parse_source(Source(text)).statements)) == {"b", "c", "e"}
