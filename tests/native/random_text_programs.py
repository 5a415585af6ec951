"""Random functions that make strings in a loop: joined, cut, split, and put together of numbers and letters."""

from __future__ import annotations

import random
from typing import Any, Final

_HEAD: Final = "def f(s: str, t: str, n: int, x: float, words: List[str]):"
_FORMS: Final = {
    "str": (
        *("({str} + {str})", "({str} + {str})", "{str}[{int}:]", "{str}[:{int}]", "str({int})"),
        *("chr({int} & 1023)", "chr({int})", "{str}[{int}]", "words[{int}]", "{str}.lower()"),
        *(
            "{str}.upper()",
            "{str}[0].upper()",
            "'{}:{}'.format({int}, {str})",
            "str({bool})",
            "str(x)",
        ),
        *("{str}.replace('a', {str})", "','.join(words)", "{str}.strip()", "parts[-1]"),
        "'-'.join({str}.split({letter}))",
    ),
    "int": (
        *("len({str})", "ord({str}[0])", "int(str({int}))", "int({str})", "({int} + {int})"),
        *("({int} % 7)", "{str}.find({str})", "len({str}.split({letter}))", "len(words)", "-{int}"),
    ),
    "bool": ("({str} == {str})", "({str} < {str})", "({int} < {int})", "({str} in words)"),
    "letter": ("','", "' '", "'1'", "', '"),
}
_LEAVES: Final = {
    "str": ("s", "t", "u", "'a,B 1'", "'\\u00e9'", "'\\U0001f600z'", "''"),
    "int": ("n", "m", "i", "0", "1", "-1", "12"),
    "bool": ("True", "(i == 3)"),
    "letter": ("','", "' '"),
}
_STATEMENTS: Final = (
    *("u = {str}", "s += {str}", "m = {int}", "words.append(u)", "parts.append({str})"),
    *("parts = {str}.split({letter})", "words = parts", "if {bool}: t = {str}", "pair = (m, u)"),
    *("if {bool}: parts = [{str}, u]", "last = {str}", "if {bool}: last = None", "t = pair[1]"),
    *("if {bool}: print(m, u)", "if {bool}: break", "if {bool}: continue"),
)
_CUTS: Final = ("s = s[:30]", "t = t[-20:]", "u = u[:25]", "parts = parts[:9]", "words = words[:9]")
_RESULT: Final = "return s, t, u, m, words, parts, pair, last"
_ALPHABET: Final = "ab,B 1Z9\u00e9\u03b2\U0001f600"


def text_program(seed: int) -> str:
    """The source of a function ``f`` of `text_arguments`."""
    choose = random.Random(seed)
    body = [_filled(choose, choose.choice(_STATEMENTS), 3) for _ in range(choose.randint(2, 7))]
    lines = [_HEAD, "    m, u, i = 1, 'u', 0", "    parts = ['p', t]", "    pair = (n, s)"]
    lines += ["    last: Optional[str] = None", "    for i in range(9):"]
    lines += [f"        {line}" for line in (*_CUTS, *body)]
    return "\n".join([*lines, f"    {_RESULT}"]) + "\n"


def text_arguments(choose: random.Random) -> list[Any]:
    """Strings with letters of all widths, and lists of them."""
    words = [_text(choose) for _ in range(choose.randint(1, 5))]
    return [_text(choose), _text(choose), choose.randint(-3, 40), choose.gauss(0, 4), words]


def _text(choose: random.Random) -> str:
    letters = choose.choice((_ALPHABET, _ALPHABET[:8], "0123456789"))
    return "".join(choose.choice(letters) for _ in range(choose.randint(0, 8)))


def _filled(choose: random.Random, form: str, depth: int) -> str:
    """A form whose blanks are filled by expressions."""
    for kind in _FORMS:
        while f"{{{kind}}}" in form:
            chosen = choose.choice((_FORMS if depth > 0 else _LEAVES)[kind])
            form = form.replace(f"{{{kind}}}", _filled(choose, chosen, depth - 1), 1)
    return form
