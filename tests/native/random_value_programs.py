"""Random functions on strings, complex numbers, named tuples and lists that are sorted, searched and changed inside."""

from __future__ import annotations

import random
from typing import Any, Final

from .random_list_programs import a_float, an_int, some_ints
from .random_writer import Language, Writer

_CLASS: Final = "class Point(NamedTuple):\n    x: float\n    y: int\n\n"
_LANGUAGE: Final = Language(
    types={
        "n": "int",
        "x": "float",
        "p": "bool",
        "s": "str",
        "z": "complex",
        "a": "List[int]",
        "b": "List[int]",
        "u": "List[float]",
        "w": "List[str]",
        "g": "List[Point]",
    },
    leaves={
        "int": ("n", "m", "k", "0", "1", "-1", "3"),
        "float": ("x", "y", "0.5", "-0.0", "2.0"),
        "bool": ("p", "True"),
        "str": ("s", "r", "'a'", "'é'", "''", "'ab'"),
        "complex": ("z", "v", "complex(1.0, -2.0)"),
        "ints": ("a", "b", "c"),
        "reals": ("u", "d"),
        "words": ("w", "h"),
        "point": ("q", "Point(0.5, 1)"),
        "points": ("g", "e"),
        "variable": ("a", "b", "c"),
    },
    forms={
        "int": (
            *("({int} + {int})", "({int} - {int})", "({int} * {int})", "({int} % {int})"),
            *("len({str})", "len({ints})", "len({words})", "len({points})", "ord({str}[{place}])"),
            *("{str}.find({str})", "{str}.find({str}, {int})", "{ints}.index({int})", "{point}.y"),
            *("{ints}.count({int})", "{words}.index({str})", "{words}.count({str})"),
            *("{ints}[{place}]", "max({ints})", "min({ints})", "sum({ints})", "int({bool})"),
            *("{reals}.count({float})", "({int} if {bool} else {int})"),
        ),
        "float": (
            *("({float} + {float})", "({float} * {float})", "({float} / {float})", "{point}.x"),
            *("abs({complex})", "{reals}[{place}]", "sum({reals})", "max({reals})", "min({reals})"),
        ),
        "bool": (
            *("({int} in {ints})", "({str} in {words})", "({str} in {str})", "({str} == {str})"),
            *("({str} < {str})", "({ints} == {ints})", "({words} == {words})", "({int} < {int})"),
            *("{str}.isdigit()", "{str}.isalpha()", "{str}.isspace()", "({float} in {reals})"),
            *("({str} != {str})", "({reals} != {reals})", "({float} <= {float})", "(not {bool})"),
        ),
        "str": (
            *("{str}[{place}]", "{str}[{int}:]", "{str}[:{int}]", "{str}[{int}:{int}]"),
            *("{words}[{place}]", "({str} if {bool} else {str})"),
        ),
        "complex": (
            *("({complex} + {complex})", "({complex} - {complex})", "({complex} * {complex})"),
            *("({complex} + {float})", "({int} * {complex})", "(-{complex})"),
            *("({float} - {complex})", "complex({float}, {int})", "complex({bool}, {float})"),
            "({complex} * {int})",
        ),
        "ints": (
            *("sorted({ints})", "{ints}[{place}:]", "{ints}[:{place}]", "{ints}[::2]"),
            *("list({ints})", "[{int}, {int}]", "({ints} + {ints})[:9]", "{ints}[{int}:{int}]"),
            *("{ints}.copy()", "[ord(letter) for letter in {str}]", "{ints}[{place}:{place}:3]"),
        ),
        "reals": (
            *("sorted({reals})", "[{float}, {float}]", "{reals}[1:]", "list({reals})"),
            "({reals} + {reals})[:9]",
        ),
        "words": (
            *("list({str})", "{words}[1:]", "sorted({words})", "[{str}, {str}]", "{words}.copy()"),
            *("{words}[::2]", "({words} + {words})[:9]"),
        ),
        "point": ("Point({float}, {int})", "Point(x={float}, y={int})", "{points}[{place}]"),
        "points": ("[{point}, {point}]", "{points}[1:]", "list({points})", "{points}[:{place}]"),
        "place": ("0", "1", "-1", "-2", "k", "({int} % 3)"),
    },
    variables={
        "n": "int",
        "m": "int",
        "x": "float",
        "y": "float",
        "p": "bool",
        "s": "str",
        "r": "str",
        "z": "complex",
        "v": "complex",
        "a": "ints",
        "b": "ints",
        "c": "ints",
        "u": "reals",
        "d": "reals",
        "w": "words",
        "h": "words",
        "q": "point",
        "g": "points",
        "e": "points",
    },
    statements=(
        *("{variable}.sort()", "{variable}.sort(reverse=True)"),
        *("{variable}.insert({place}, {int})", "{variable}.remove({int})"),
        *("del {variable}[{place}]", "{variable}.reverse()", "u.sort()"),
        *("{variable}.extend({ints})", "m = {variable}.pop({place})"),
        *("{variable}[{place}] = {int}", "{variable}.insert({int}, {int})", "d.remove({float})"),
        *("h.sort()", "h.append({str})", "w[{place}] = {str}", "h[{place}] = {str}"),
        *("h.insert({place}, {str})", "h.reverse()", "g[{place}] = {point}", "e.append({point})"),
        *("e.insert({int}, {point})", "d.sort()", "d.extend({reals})", "h.extend({words})"),
        *("x, m = q", "o = {str}", "o = None", "v *= {complex}", "d.append({float})", "n += {int}"),
        *("assert {bool} or {bool}, 'refuted'", "del h[{place}]"),
    ),
    start=(
        *("m = 2", "k = 0", "y = 1.5", "r = 'xyz'", "v = complex(0.5, x)", "c = [3, 1, 2]"),
        *("d = [x, 1.5]", "h = [s, r]", "q = Point(x, n)", "e = [q, Point(2.0, 3)]"),
        "o: Optional[str] = None",
    ),
    result="n, m, k, x, y, p, s, r, z, v, a, b, c, u, d, w, h, q, g, e, o",
    loops=(
        "range(7)",
        "range(n % 9)",
        "range(len(a))",
        "a[:9]",
        "range(len(s))",
        "range(6, 0, -2)",
    ),
)
_TEXTS: Final = ("", "a", "abcab", "a1 b2\t ", "été", "Āaāab", "😀ab😀", "٣²½", "  ", "ab" * 9)


def value_program(seed: int) -> str:
    """The source of a function ``f`` of `value_arguments`."""
    return _CLASS + Writer(seed, _LANGUAGE).program()


def value_arguments(choose: random.Random) -> list[Any]:
    """Texts of letters of all widths, and lists of which some are the same."""
    a, b = some_ints(choose), some_ints(choose)
    reals = [a_float(choose) for _ in range(choose.randint(0, 6))]
    words = [choose.choice(_TEXTS) for _ in range(choose.randint(0, 5))]
    points = [(a_float(choose), an_int(choose)) for _ in range(choose.randint(0, 4))]
    pair = complex(a_float(choose), a_float(choose))
    head = [an_int(choose), a_float(choose), choose.random() < 0.5, choose.choice(_TEXTS), pair]
    return [*head, a, choose.choice((b, b, a)), reals, words, points]
