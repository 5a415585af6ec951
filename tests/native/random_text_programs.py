"""Random functions that make strings in loops: joined, cut, split, and put together of numbers and letters."""

from __future__ import annotations

import random
from typing import Any, Final

from .random_writer import Language, Writer

_LANGUAGE: Final = Language(
    types={"s": "str", "t": "str", "n": "int", "x": "float", "words": "List[str]"},
    leaves={
        "str": ("s", "t", "u", "'a,B 1'", "'\\u00e9'", "'\\U0001f600z'", "''"),
        "int": ("n", "m", "k", "0", "1", "-1", "12"),
        "bool": ("True", "(k == 3)"),
        "letter": ("','", "' '", "'1'", "', '"),
    },
    forms={
        "str": (
            *("({str} + {str})", "({str} + {str})", "{str}[{int}:]", "{str}[:{int}]", "str({int})"),
            *("chr({int} & 1023)", "chr({int})", "{str}[{int}]", "words[{int}]", "{str}.lower()"),
            *("{str}.upper()", "{str}[0].upper()", "'{}:{}'.format({int}, {str})", "parts[-1]"),
            *("{str}.replace('a', {str})", "','.join(words)", "{str}.strip()", "str({bool})"),
            *("'-'.join({str}.split({letter}))", "str(x)", "str({float})", "{str}.join(parts)"),
            *("'{}|{}{}'.format({str}, {float}, {bool})", "'{}'.format({float})", "{str}[::-1]"),
            *("{str}[{int}:{int}:-2]", "{str}[::{int}]", "'{}, {}{}'.format({str}, {str}, k)"),
        ),
        "int": (
            *("len({str})", "ord({str}[0])", "int(str({int}))", "int({str})", "({int} + {int})"),
            *("({int} % 7)", "{str}.find({str})", "len({str}.split({letter}))", "len(words)"),
            "-{int}",
        ),
        "float": ("(x * {int})", "float({int})", "({int} / 8)", "(x * 1e30)", "(x ** {int})", "x"),
        "bool": ("({str} == {str})", "({str} < {str})", "({int} < {int})", "({str} in words)"),
    },
    variables={"s": "str", "t": "str", "u": "str", "m": "int"},
    statements=(
        *("s += {str}", "words.append(u)", "parts.append({str})", "parts = [{str}, u]"),
        *("parts = {str}.split({letter})", "words = parts", "pair = (m, u)", "t = pair[1]"),
        *("last = {str}", "last = None", "print(m, u)"),
    ),
    start=(
        *("m, u, k = 1, 'u', 0", "parts = ['p', t]", "pair = (n, s)"),
        "last: Optional[str] = None",
    ),
    result="s, t, u, m, words, parts, pair, last",
    loops=("range(9)", "range(len(s))", "range(n & 7)"),
    cuts=("s = s[:30]", "t = t[-20:]", "u = u[:25]", "parts = parts[:9]", "words = words[:9]"),
)
_ALPHABET: Final = "ab,B 1Z9\u00e9\u03b2\U0001f600"


def text_program(seed: int) -> str:
    """The source of a function ``f`` of `text_arguments`."""
    return Writer(seed, _LANGUAGE).program()


def text_arguments(choose: random.Random) -> list[Any]:
    """Strings with letters of all widths, and lists of them."""
    words = [_text(choose) for _ in range(choose.randint(1, 5))]
    return [_text(choose), _text(choose), choose.randint(-3, 40), choose.gauss(0, 4), words]


def _text(choose: random.Random) -> str:
    letters = choose.choice((_ALPHABET, _ALPHABET[:8], "0123456789"))
    return "".join(choose.choice(letters) for _ in range(choose.randint(0, 8)))
