"""Random functions on lists that are given and only read, beside lists of their own that may stand where those do."""

from __future__ import annotations

import random
from typing import Any, Final

from .random_list_programs import a_float, an_int, some_ints
from .random_writer import Language, Writer

_LANGUAGE: Final = Language(
    types={
        "n": "int",
        "r": "List[int]",
        "g": "List[List[int]]",
        "u": "List[float]",
        "p": "List[Tuple[int, float]]",
        "w": "List[List[int]]",
    },
    leaves={
        "int": ("n", "m", "k", "0", "1", "-1", "3"),
        "bool": ("(k < 2)", "True"),
        "ints": ("r", "a", "b"),
        "rows": ("g", "h", "j"),
        "reals": ("u", "v"),
        "pairs": ("p", "q"),
        "own": ("a", "b"),
        "place": ("0", "1", "-1", "k", "({int} % 3)"),
    },
    forms={
        "int": (
            *(
                "({int} + {int})",
                "({int} * {int})",
                "({int} % {int})",
                "len({ints})",
                "sum({ints})",
            ),
            *("{ints}[{place}]", "{rows}[{place}][{place}]", "len({rows})", "{pairs}[{place}][0]"),
            *(
                "w[{place}][{place}]",
                "int({reals}[{place}] % 9.0)",
                "max({ints})",
                "len({rows}[0])",
            ),
        ),
        "bool": ("({int} < {int})", "({ints} == {ints})", "(len({rows}) > 1)", "({int} in {ints})"),
        "ints": (
            *(
                "[{int}, {int}]",
                "{ints}[{place}:]",
                "{ints}[:{place}]",
                "{ints}[::-1]",
                "{rows}[{place}]",
            ),
            *(
                "({ints} + {ints})[:9]",
                "{ints}.copy()",
                "[x + 1 for x in {ints}]",
                "sorted({ints})",
            ),
            *("w[{place}]", "({ints} if {bool} else {ints})", "[x[0] for x in {pairs}]"),
        ),
        "rows": (
            *("[{ints}, {ints}]", "{rows}[1:]", "({rows} + {rows})[:6]", "[x[:] for x in {rows}]"),
            *("list({rows})", "({rows} if {bool} else {rows})", "[{ints}]"),
        ),
        "reals": ("{reals}[1:]", "[float({int})]", "({reals} + {reals})[:6]", "{reals}[::-1]"),
        "pairs": ("{pairs}[:2]", "[({int}, 0.5)]", "({pairs} + {pairs})[:6]"),
    },
    variables={
        "n": "int",
        "m": "int",
        "a": "ints",
        "b": "ints",
        "h": "rows",
        "j": "rows",
        "v": "reals",
        "q": "pairs",
    },
    statements=(
        *("a = [{int}]", "b = [x for x in {ints}]", "j = [[{int}], [m]]", "h = [x[:] for x in h]"),
        *("c = [{int}]; c += [{int}]; j = [c]", "c = [{int}]; c += [m]; a = c"),
        *("m = {ints}[{place}]", "c = [{int}]; c[0] = m; h = ({rows} + [c])[:6]", "m += {int}"),
        *("c = [0, 1]; c.reverse(); b = c", "d = [[{int}]]; d += [{ints}]; h = d"),
    ),
    start=("m, k = 2, 0", "a, b = r, [n]", "h, j = g, [r]", "v, q = u, p"),
    result="n, m, a, b, h, j, v, q, r, g, u, p, w",
    loops=("range(6)", "r[:5]", "range(len(g))", "a[:4]"),
    cuts=("a = a[:9]", "b = b[-9:]"),
)


def reading_program(seed: int) -> str:
    """The source of a function ``f`` of `reading_arguments`."""
    return Writer(seed, _LANGUAGE).program()


def reading_arguments(choose: random.Random) -> list[Any]:
    """Lists of which some are the same."""
    ints = some_ints(choose)
    rows = [choose.choice((ints, some_ints(choose))) for _ in range(choose.randint(1, 4))]
    reals = [a_float(choose) for _ in range(choose.randint(0, 4))]
    pairs = [(an_int(choose), a_float(choose)) for _ in range(choose.randint(0, 3))]
    others = choose.choice((rows, [some_ints(choose), ints]))
    return [an_int(choose), ints, rows, reals, pairs, others]
