"""Deep and long texts: no recursion limit, and time in proportion to the length."""

from __future__ import annotations

import pytest

from tests.work import calls_made, sized
from tsc.compiler.frontend import parse_expression, parse_source
from tsc.compiler.source import CompileError, Source

EXPRESSIONS = {
    "brackets": "(" * sized(5000) + "x" + ")" * sized(5000),
    "sum": " + ".join(["x"] * sized(4000)),
    "list": "[" + ", ".join(["1"] * sized(20000)) + "]",
    "not": "not " * sized(5000) + "x",
    "minus": "-" * sized(5000) + "x",
    "powers": "x ** " * sized(5000) + "x",
    "ternaries": "x if y else " * sized(5000) + "x",
    "calls": "f(" * sized(5000) + ")" * sized(5000),
    "attributes": "x" + ".y" * sized(5000),
    "subscripts": "x" + "[0]" * sized(5000),
    "comparisons": "x < " * sized(5000) + "x",
    "lambdas": "lambda: " * sized(5000) + "x",
    "strings": "'a' " * sized(5000),
    "format strings": "f'{x}' " * sized(5000),
    "comprehension": "[x" + " for x in y if z" * sized(5000) + "]",
}
STATEMENTS = {
    "nested ifs": "".join(" " * depth + "if x:\n" for depth in range(sized(390)))
    + " " * sized(390)
    + "y\n",
    "elifs": "if x:\n  y\n" + "elif x:\n  y\n" * sized(3000),
    "targets": "x = " * sized(5000) + "y",
    "nested targets": "(" * sized(5000) + "x" + ",)" * sized(5000) + " = y",
    "semicolons": "x; " * sized(5000),
    "comments": "# comment\n" * sized(20000) + "x",
    "blank lines": " \n" * sized(20000) + "x",
    "continued lines": "x = \\\n" + "\\\n" * sized(20000) + "y",
    "white space in brackets": "(" + " \n" * sized(20000) + ")",
}


@pytest.mark.slow
@pytest.mark.parametrize("name", EXPRESSIONS)
def test_expressions(name: str) -> None:
    assert str(parse_expression(Source(EXPRESSIONS[name])))


@pytest.mark.slow
@pytest.mark.parametrize("name", STATEMENTS)
def test_statements(name: str) -> None:
    assert str(parse_source(Source(STATEMENTS[name])))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('f"{' * 9 + "x" + '}"' * 9, "f-strings are nested more than 8 deep"),
        ("f'{x" + ":{x" * 20 + "}" * 21 + "'", "the fields of an f-string are nested too deep"),
        ("9" * 5000, "a number with too many digits"),
        ("(\n" * 20000, "'(' was never closed"),
        ("[" + " " * 20000 + "$", "invalid character '$'"),
        ("'" * 20001, "expected a valid token but found an unterminated triple-quoted string"),
    ],
)
def test_refused(text: str, message: str) -> None:
    with pytest.raises(CompileError) as raised:
        parse_expression(Source(text))
    assert raised.value.message == message


@pytest.mark.slow
def test_work_grows_with_the_length_of_the_text() -> None:
    function = (
        "def f_{0}(x: Tensor, n: int) -> Tensor:\n"
        "    for i in range(n):\n"
        "        x = x + f'{{i}}'.len() * (x.sum() - 1) if n > {0} else x[1:, n]\n"
        "    return x\n\n"
    )

    def calls_per_line(count: int) -> float:
        source = Source("".join(function.format(number) for number in range(count)))
        return calls_made(lambda: parse_source(source)) / (source.text.count("\n") + 1)

    calls_per_line(50)
    assert calls_per_line(sized(1500)) < 1.2 * calls_per_line(100)
