"""Whatever the text, the parser returns a tree or raises a CompileError that can be printed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tsc.compiler.frontend import parse_expression, parse_source
from tsc.compiler.frontend.grammar import load_tables
from tsc.compiler.source import CompileError, Source

HERE = Path(__file__).parent
SAMPLES = [
    (HERE / "tree_functions.py").read_text(encoding="utf-8"),
    *(
        path.read_text(encoding="utf-8")
        for path in sorted((HERE.parents[1] / "samples").glob("*.py"))
    ),
    "try:\n  x\nexcept* E as e:\n  y\nelse:\n  z\nfinally:\n  w\nasync def f(): await x\n",
    "@a\nclass A(B, c=d):\n  x: int = 3\n  def f(self, /, *, y=f'{x!r:{w}}{{}}') -> 'A': yield\n",
    "match x:\n  case 1: pass\ntype X = int\nprint 'x'\nwith (a as b, c): global d\n",
]
LINES = sorted({line for sample in SAMPLES for line in sample.split("\n")})
WORDS = [
    *load_tables().literals,
    *("x", "print", "match", "1", "0x", "1.5j", "'", '"', "'''", 'f"', "f'{x", "}'", "b'x'"),
    *(
        "\n",
        "\n    ",
        "\n\t",
        " ",
        "\\\n",
        "#",
        "# type: (int) -> int\n",
        "$",
        "\x00",
        "日",
        "\u00a0",
    ),
]


def check(text: str) -> None:
    for parse in (parse_source, parse_expression):
        try:
            tree = parse(Source(text))
        except CompileError as error:
            assert re.search(r"<--- HERE", str(error))
            assert 0 <= error.range.start <= len(error.range.source.text)
        else:
            assert str(tree).startswith("(")


@settings(max_examples=200, deadline=None)
@given(st.text())
def test_any_text(text: str) -> None:
    check(text)


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from(WORDS), max_size=30))
def test_any_words(words: list[str]) -> None:
    check("".join(words))


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.sampled_from(LINES), max_size=12), st.sampled_from(["\n", "\r\n", "\n ", "\n\t"])
)
def test_lines_of_samples_in_any_order(lines: list[str], separator: str) -> None:
    check(separator.join(lines))


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_damaged_samples(data: st.DataObject) -> None:
    text = data.draw(st.sampled_from(SAMPLES))
    start = data.draw(st.integers(0, len(text)))
    text = text[start : start + 600]
    for _ in range(data.draw(st.integers(1, 4))):
        position = data.draw(st.integers(0, len(text)))
        length = data.draw(st.integers(0, 8))
        text = text[:position] + data.draw(st.sampled_from(WORDS)) + text[position + length :]
    check(text)


@pytest.mark.filterwarnings("ignore")
@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from(WORDS), max_size=10))
def test_what_cpython_reads_is_read(words: list[str]) -> None:
    text = " ".join(words)
    try:
        compile(text, "<string>", "exec")
    except (SyntaxError, ValueError):
        return
    if "match" not in words:
        parse_source(Source(text))
