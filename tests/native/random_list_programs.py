"""Random functions on numbers, tuples, and lists that may be the same list, in loops with all kinds of jumps.

Most fail at run time for some arguments: an index is out of range, an int is divided by zero, an assertion is wrong.
"""

from __future__ import annotations

import random
from typing import Any, Final

from .random_writer import Language, Writer

_LANGUAGE: Final = Language(
    types={
        "n": "int",
        "x": "float",
        "p": "bool",
        "a": "List[int]",
        "b": "List[int]",
        "u": "List[float]",
        "g": "List[List[int]]",
        "t": "Tuple[int, List[int]]",
    },
    leaves={
        "int": ("n", "m", "k", "0", "1", "-1", "3", "7", "9223372036854775807"),
        "float": ("x", "y", "0.5", "-0.0", "1e300", "2.0"),
        "bool": ("p", "q", "True"),
        "ints": ("a", "b", "c"),
        "reals": ("u",),
        "rows": ("g", "h"),
        "variable": ("a", "b", "c"),
    },
    forms={
        "int": (
            *("({int} + {int})", "({int} - {int})", "({int} * {int})", "({int} // {int})"),
            *("({int} % {int})", "({int} & {int})", "({int} ^ {int})", "({int} << ({int} & 63))"),
            *("({int} >> ({int} & 63))", "(-{int})", "abs({int})", "min({int}, {int})"),
            *("len({ints})", "{ints}[{int}]", "{ints}[{place}]", "{rows}[{place}][{place}]"),
            *("len({rows})", "sum({ints})", "int({float} % 100.0)", "int({bool})", "t[0]"),
            *("t[1][0]", "({int} if {bool} else {int})", "max({ints})", "{rows}[-1][{int}]"),
            *("len({rows}[0])", "math.floor({float} % 50.0)", "len(u)", "divmod({int}, {int})[1]"),
        ),
        "float": (
            *("({float} + {float})", "({float} - {float})", "({float} * {float})"),
            *("({float} / {float})", "({float} % {float})", "float({int})", "({int} / {int})"),
            *("({float} // {float})", "u[{place}]", "u[{int}]", "abs({float})", "sum({reals})"),
            *("max({float}, {float})", "math.sqrt(abs({float}))", "(-{float})"),
            *("({float} * {int})", "float({int} ** 2)"),
        ),
        "bool": (
            *("({int} < {int})", "({int} == {int})", "({int} >= {int})", "({float} < {float})"),
            *("({float} != {float})", "({bool} and {bool})", "({bool} or {bool})", "(not {bool})"),
            *("(len({ints}) > {int})", "bool({int})", "({float} <= {float})"),
        ),
        "ints": (
            *("[{int}, {int}]", "[{int}]", "{ints}[{place}:]", "{ints}[:{place}]", "{ints}[::2]"),
            *("({ints} + {ints})[:9]", "list({ints})", "{ints}.copy()", "{rows}[{place}]", "t[1]"),
            *("{ints}[::-1]", "{ints}[{place}:{place}:-2]", "{ints}[k::-1]", "{ints}[:{int}:3]"),
            *("([{int}] * ({int} & 3))", "[i + {int} for i in {ints}][:9]", "{ints}[1:4]"),
        ),
        "reals": ("[{float}, {float}]", "u[1:]", "([{float}] * 3)", "list(u)"),
        "rows": (
            "[{ints}, {ints}]",
            "[{ints}]",
            "{rows}[1:]",
            "{rows}[::-1]",
            "{rows}[:3]",
            "list({rows})",
        ),
        "place": ("0", "1", "-1", "-2", "k", "({int} % 3)"),
    },
    variables={
        "n": "int",
        "m": "int",
        "x": "float",
        "y": "float",
        "p": "bool",
        "q": "bool",
        "a": "ints",
        "b": "ints",
        "c": "ints",
        "u": "reals",
        "g": "rows",
        "h": "rows",
    },
    statements=(
        *("{variable}[{place}] = {int}", "{variable}[{int}] = {int}", "u[{place}] = {float}"),
        *("{variable}.append({int})", "u.append({float})", "g.append({ints})", "h.append({ints})"),
        *("g[{place}] = {ints}", "{rows}[{place}][{place}] = {int}", "{rows}[0].append({int})"),
        *("{variable}.pop()", "m = {variable}.pop()", "u.pop()", "c.clear()"),
        *("n, m = {int}, {int}", "t = ({int}, {ints})", "m, c = t", "n += {int}", "x *= {float}"),
        *("m -= {ints}[{place}]", "assert {bool} or {bool}, 'refuted'"),
    ),
    start=("m = 2", "k = 0", "y = 1.5", "q = False", "c = [1, 2, 3]", "h = [c, [n]]"),
    result="n, m, k, x, y, p, q, a, b, c, u, g, h, t",
    loops=("range(7)", "range(n % 9)", "range(len(a))", "a[:9]", "range(8, -1, -3)", "c[:4]"),
)


def list_program(seed: int) -> str:
    """The source of a function ``f`` of `list_arguments`."""
    return Writer(seed, _LANGUAGE).program()


def list_arguments(choose: random.Random) -> list[Any]:
    """Numbers at the edges of their types among others, and lists of which some are the same."""
    a, b = some_ints(choose), some_ints(choose)
    b = choose.choice((b, b, a))
    rows = [choose.choice((a, b, some_ints(choose))) for _ in range(choose.randint(1, 4))]
    reals = [a_float(choose) for _ in range(choose.randint(0, 4))]
    pair = (an_int(choose), choose.choice((a, some_ints(choose), rows[0])))
    return [an_int(choose), a_float(choose), choose.random() < 0.5, a, b, reals, rows, pair]


def an_int(choose: random.Random) -> int:
    edge = choose.choice((2**63 - 1, -(2**63), 2**62, -1, 2**31, 10**12))
    return edge if choose.random() < 0.15 else choose.randint(-9, 20)


def a_float(choose: random.Random) -> float:
    edges = (0.0, -0.0, float("inf"), float("-inf"), float("nan"), 5e-324, 1e308, 2.0**63)
    return choose.choice(edges) if choose.random() < 0.2 else choose.gauss(0, 4)


def some_ints(choose: random.Random) -> list[int]:
    return [an_int(choose) for _ in range(choose.randint(0, 6))]
