"""Tokens: their kinds, texts and places."""

from __future__ import annotations

import io
import keyword
import tokenize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tsc.compiler.frontend import tokens
from tsc.compiler.frontend.grammar import load_tables
from tsc.compiler.source import Source


def kinds(text: str) -> list[str]:
    return [token.kind for token in tokens(Source(text))]


def test_kinds_texts_and_places() -> None:
    found = [(token.kind, token.text, str(token.range)) for token in tokens(Source("if x:\n  y\n"))]
    assert found == [
        ("IF", "if", "<string>:1:0"),
        ("NAME", "x", "<string>:1:3"),
        ("COLON", ":", "<string>:1:4"),
        ("NEWLINE", "\n", "<string>:1:5"),
        ("INDENT", "  ", "<string>:2:0"),
        ("NAME", "y", "<string>:2:2"),
        ("NEWLINE", "\n", "<string>:2:3"),
        ("DEDENT", "", "<string>:3:0"),
        ("$END", "", "<string>:3:0"),
    ]


def test_every_keyword_of_python_is_one_here() -> None:
    literals = load_tables().literals
    assert {text for text in literals if text.isalpha()} == set(keyword.kwlist)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ["$END"]),
        ("\n  \n# comment\n\t\n", ["$END"]),
        ("x", ["NAME", "NEWLINE", "$END"]),
        ("x # comment", ["NAME", "NEWLINE", "$END"]),
        ("(x\n\n# comment\n  y)", ["LPAR", "NAME", "NAME", "RPAR", "NEWLINE", "$END"]),
        ("x \\\n  y", ["NAME", "NAME", "NEWLINE", "$END"]),
        ("1if", ["NUMBER", "IF", "NEWLINE", "$END"]),
        ("1..real", ["NUMBER", "DOT", "NAME", "NEWLINE", "$END"]),
        ("a<=b<<=c->d", ["NAME", "LESSEQUAL", "NAME", "LEFTSHIFTEQUAL", "NAME", "ARROW", "NAME"]),
        ("...x....", ["ELLIPSIS", "NAME", "ELLIPSIS", "DOT", "NEWLINE", "$END"]),
        ("f'{x'", None),
        ("f'''{a\n+ b}''' rF''", ["STRING", "STRING", "NEWLINE", "$END"]),
        ("f'{a[\"b\"]}{{' f\"{f'{x}'}\"", ["STRING", "STRING", "NEWLINE", "$END"]),
        ("f'{a!r:>{w}}{b=}'", ["STRING", "NEWLINE", "$END"]),
    ],
)
def test_sequences(text: str, expected: list[str] | None) -> None:
    if expected is None:
        with pytest.raises(Exception, match="not closed"):
            kinds(text)
    else:
        assert kinds(text)[: len(expected)] == expected


@pytest.mark.parametrize(
    "text",
    [
        "if a:\n  if b:\n    c\n  d\ne\n",
        "if a:\n\tb\nelse:\n\tif c:\n\t\td\n\n\t# e\n",
        "if a:\n        b\nif c:\n\td\n",
        "while a:\n    (b,\nc\n   )\n    d\n",
        "if a: b\nc\n",
        "def f():\n    '''x\ny'''\n    return\n",
    ],
)
def test_layout_tokens_are_those_of_cpython(text: str) -> None:
    layout = ("NEWLINE", "INDENT", "DEDENT")
    theirs = [
        tokenize.tok_name[token.type]
        for token in tokenize.generate_tokens(io.StringIO(text).readline)
    ]
    ours = kinds(text)
    assert [kind for kind in ours if kind in layout] == [kind for kind in theirs if kind in layout]


WORDS = st.sampled_from(
    [*load_tables().literals, "x", "name_1", "12", "0.5e-3", "0x1F", "'text'", 'r"\\d"', "\\\n"]
)


@given(st.lists(WORDS))
def test_texts_of_tokens_are_cut_out_of_the_source(words: list[str]) -> None:
    source = Source(" ".join(word for word in words if word not in "()[]{}"))
    position = 0
    for token in tokens(source):
        assert source.text[token.start : token.end] == token.text
        assert not source.text[position : token.start].strip(" \\\n")
        position = token.end
    assert position == len(source.text)
