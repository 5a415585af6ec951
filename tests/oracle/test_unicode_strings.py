"""Strings are Unicode: what PyTorch counts in bytes, Python and tsc count in characters."""

from __future__ import annotations

import pytest

import tsc

TEXTS = ("ünï¢ödé", "日本語 テキスト", "a😀b", "ǅungla", "Straße", "١٢٣", "", "plain")
EXPRESSIONS = """
    s[1:]; s[:2]; s[::2]; s[::-1]; s[-3:-1]; s[len(s) - 1:]; len(s); s + s; s == s.upper(); s < 'm'
    s.upper(); s.lower(); s.capitalize(); s.title(); s.swapcase(); s.isalpha(); s.isdigit(); s.isalnum()
    s.isspace(); s.isupper(); s.islower(); s.istitle(); s.isdecimal(); s.isnumeric(); s.isidentifier()
    s.isprintable(); s.split(); s.split('ï'); s.split('本', 1); s.rsplit(' '); s.partition('ö'); s.rpartition('b')
    s.replace('ü', 'ue'); s.replace('語', ''); s.find('é'); s.rfind('n'); s.count('ï'); s.startswith('ü')
    s.endswith('é'); s.strip('üé'); s.lstrip('日'); s.rstrip('b'); s.center(12); s.ljust(12, '。'); s.rjust(12)
    list(s); [c for c in s]; [ord(c) for c in s]; ''.join([chr(ord(c)) for c in s]); sorted(list(s)); 'ö' in s
    '。'.join(s.split(' ')); f'<{s}>'; '%s|' % s; '{}!'.format(s); str(s); {s: 1}[s]; [s, 'é'].index('é')
"""


@pytest.mark.parametrize(
    "expression",
    [each.strip() for line in EXPRESSIONS.splitlines() for each in line.split(";") if each.strip()],
)
def test_expression_answers_as_cpython_does(expression: str) -> None:
    unit = tsc.CompilationUnit(f"def f(s: str):\n    return {expression}\n")
    for text in TEXTS:
        assert unit.f(text) == eval(expression, {"s": text}), text


def test_a_character_is_taken_by_its_position() -> None:
    unit = tsc.CompilationUnit("def f(s: str, i: int):\n    return s[i]\n")
    assert [unit.f("a😀é", i) for i in (0, 1, 2, -1)] == ["a", "😀", "é", "é"]


def test_strings_go_into_graphs_and_code_and_back() -> None:
    unit = tsc.CompilationUnit("def f():\n    return 'né 日本 😀'\n")
    assert tsc.CompilationUnit(unit.f.code).f() == unit.f() == "né 日本 😀"
    assert "né" not in str(unit.f.graph)
