"""Random programs whose loops ask and change dictionaries by ints and strings: new ones and those that were given."""

from __future__ import annotations

import random
from typing import Any

KEYS = ("k", "xs[i % len(xs)]", "i", "k + i", "w", "ws[i % len(ws)]", "w + ws[0]", "str(i)")
INTS, TEXTS = KEYS[:4], KEYS[4:]
STATEMENTS = (
    *("d[{k}] = d.get({k}, 0) + {n}", "e[{t}] = e.get({t}, 0.5) + s", "d[{k}] += 1", "e[{t}] = s"),
    *("if {k} in d: s += d[{k}]", "if {t} not in e: e[{t}] = 1.5", "s = s + len(d) + len(e)"),
    *("if {t} in g: g[{t}].append({n})", "if {t} not in g: g[{t}] = [i]", "g[{t}] = [{n}, {n}]"),
    *(
        "for key, value in d.items(): s += key * value",
        "for key in e.keys(): w = key",
        "k = d.pop({k})",
    ),
    *("for v in e.values(): s += v", "if {k} in d: del d[{k}]", "del e[{t}]", "k = d[{k}] % 7"),
    *("x = d.get({k})\n{i}if x is not None: k += x", "k = d.setdefault({k}, {n}) % 5", "d.clear()"),
    *("for q in g.values():\n{i}    k = (k + len(q)) % 9", "w = h.get({t}, w)", "h[{t}] = {t}"),
    *(
        "if {t} in g: ys = g[{t}]",
        "ys.append({n})",
        "g[{t}] = ys",
        "if len(ys) > 0: k = ys[-1] % 6",
    ),
    *("m = d", "d = {{1: k}}", "m[{k}] = {n}", "p[{k}] = (i, {t})", "if {k} in p: k, w = p[{k}]"),
    *("if {k} in p:\n{i}    a, b = p[{k}]\n{i}    w = b[:3]", "w = ({t} + {t})[:4]", "print(w, k)"),
    *("if {t} in c: w = c[{t}][0]", "c[{t}] = [{t}, w]", "if {t} in c: c[{t}].append(w)"),
    *("if {k} in o:\n{i}    o[{k}][w] = i", "o[{k}] = {{w: i}}", "if {k} in o: d[k] = len(o[{k}])"),
)


def program(seed: int) -> str:
    """A function of dictionaries, lists and a string; what it was given may be changed."""
    choose = random.Random(seed)

    def statement(indent: str) -> list[str]:
        if choose.random() < 0.2:
            condition = choose.choice(("k % 2 == 0", "i > 1", "s > 3", "len(w) > 2", "len(d) > 2"))
            return [f"{indent}if {condition}:", *statement(f"{indent}    ")]
        text = choose.choice(STATEMENTS).format(
            k=choose.choice(INTS),
            t=choose.choice(TEXTS),
            n=choose.choice(("1", "k", "i")),
            i=indent,
        )
        return [indent + text]

    lines = [
        "def f(d: Dict[int, int], e: Dict[str, float], g: Dict[str, List[int]], xs: List[int],",
        "      ws: List[str], n: int, w: str):",
        "    k = 1",
        "    s = 0.5",
        *(["    m: Dict[int, int] = {}"] if choose.random() < 0.7 else ["    m = d"]),
        "    h: Dict[str, str] = {'a': w}",
        "    p: Dict[int, Tuple[int, str]] = {}",
        "    c: Dict[str, List[str]] = {}",
        "    o: Dict[int, Dict[str, int]] = {}",
        "    ys = [1, 2]",
        *(["    g = {'b': [1]}"] if choose.random() < 0.3 else []),
        *(["    d = {3: 4}"] if choose.random() < 0.3 else []),
        "    for i in range(n):",
    ]
    for _ in range(choose.randint(1, 6)):
        lines += statement(" " * 8)
    given = choose.sample(["d", "m", "h", "p", "c", "o", "ys", "g", "e"], 3)
    return "\n".join([*lines, f"    return s, k, w, {', '.join(given)}", ""])


def arguments(choose: random.Random) -> list[Any]:
    """Small ones; lists in dictionaries may be the same."""
    words = ["a", "b", "ab", "é", "漢字", "", "longer word"]
    shared = [choose.randint(-3, 3) for _ in range(choose.randint(0, 3))]
    ints = {choose.randint(0, 5): choose.randint(-9, 9) for _ in range(choose.randint(0, 4))}
    reals = {choose.choice(words): choose.random() for _ in range(choose.randint(0, 4))}
    lists = {
        choose.choice(words): choose.choice((shared, [1, 2], [7]))[:]
        if choose.random() < 0.5
        else shared
        for _ in range(choose.randint(0, 4))
    }
    xs = choose.choice((shared, [choose.randint(0, 5) for _ in range(3)])) or [1]
    ws = [choose.choice(words) for _ in range(choose.randint(1, 4))]
    return [ints, reals, lists, xs, ws, choose.choice((0, 3, 5, 8)), choose.choice(words)]
