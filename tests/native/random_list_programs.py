"""Random functions on numbers, tuples, and lists that may be the same list, in loops with all kinds of jumps.

Most fail at run time for some arguments: an index is out of range, an int is divided by zero, an assertion is wrong.
"""

from __future__ import annotations

import random
from typing import Any, Final

_TYPES: Final = {
    "n": "int",
    "x": "float",
    "p": "bool",
    "a": "List[int]",
    "b": "List[int]",
    "u": "List[float]",
    "g": "List[List[int]]",
    "t": "Tuple[int, List[int]]",
}
_HEAD: Final = f"def f({', '.join(f'{name}: {type}' for name, type in _TYPES.items())}):"
_LEAVES: Final = {
    "int": ("n", "m", "k", "0", "1", "-1", "3", "7", "9223372036854775807"),
    "float": ("x", "y", "0.5", "-0.0", "1e300", "2.0"),
    "bool": ("p", "q", "True"),
    "ints": ("a", "b", "c"),
    "reals": ("u",),
    "rows": ("g", "h"),
}
_FORMS: Final = {
    "int": (
        *("({int} + {int})", "({int} - {int})", "({int} * {int})", "({int} // {int})"),
        *("({int} % {int})", "({int} & {int})", "({int} ^ {int})", "({int} << ({int} & 63))"),
        *("({int} >> ({int} & 63))", "(-{int})", "abs({int})", "min({int}, {int})"),
        *("len({ints})", "{ints}[{int}]", "{ints}[{place}]", "{rows}[{place}][{place}]"),
        *("len({rows})", "sum({ints})", "int({float} % 100.0)", "int({bool})", "t[0]", "t[1][0]"),
        *("({int} if {bool} else {int})", "max({ints})", "{rows}[-1][{int}]", "len({rows}[0])"),
        *("math.floor({float} % 50.0)", "len(u)", "divmod({int}, {int})[1]"),
    ),
    "float": (
        *("({float} + {float})", "({float} - {float})", "({float} * {float})"),
        *("({float} / {float})", "({float} % {float})", "float({int})", "({int} / {int})"),
        *("({float} // {float})", "u[{place}]", "u[{int}]", "abs({float})", "sum({reals})"),
        *("max({float}, {float})", "math.sqrt(abs({float}))", "(-{float})", "({float} * {int})"),
        "float({int} ** 2)",
    ),
    "bool": (
        *("({int} < {int})", "({int} == {int})", "({int} >= {int})", "({float} < {float})"),
        *("({float} != {float})", "({bool} and {bool})", "({bool} or {bool})", "(not {bool})"),
        *("(len({ints}) > {int})", "bool({int})", "({float} <= {float})"),
    ),
    "ints": (
        *("[{int}, {int}]", "[{int}]", "{ints}[{place}:]", "{ints}[:{place}]", "{ints}[::2]"),
        *("({ints} + {ints})[:9]", "list({ints})", "{ints}.copy()", "{rows}[{place}]", "t[1]"),
        *("([{int}] * ({int} & 3))", "[i + {int} for i in {ints}][:9]", "{ints}[1:4]"),
    ),
    "reals": ("[{float}, {float}]", "u[1:]", "([{float}] * 3)", "list(u)"),
    "rows": ("[{ints}, {ints}]", "[{ints}]", "{rows}[1:]", "{rows}[:3]", "list({rows})"),
    "place": ("0", "1", "-1", "-2", "k", "({int} % 3)"),
}
_VARIABLES: Final = {
    "int": ("n", "m"),
    "float": ("x", "y"),
    "bool": ("p", "q"),
    "ints": ("a", "b", "c"),
    "reals": ("u",),
    "rows": ("g", "h"),
}
_STATEMENTS: Final = (
    *("{variable}[{place}] = {int}", "{variable}[{int}] = {int}", "u[{place}] = {float}"),
    *("{variable}.append({int})", "u.append({float})", "g.append({ints})", "h.append({ints})"),
    *("g[{place}] = {ints}", "{rows}[{place}][{place}] = {int}", "{rows}[0].append({int})"),
    *("{variable}.pop()", "m = {variable}.pop()", "u.pop()", "c.clear()", "n, m = {int}, {int}"),
    *("t = ({int}, {ints})", "m, c = t", "n += {int}", "x *= {float}", "m -= {ints}[{place}]"),
    "assert {bool} or {bool}, 'refuted'",
)
_MOST_ITEMS: Final = 40


class _Writer:
    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.lines = [_HEAD]
        self.depth = self.random.choice((0, 1, 1, 2))
        self.loops = 0

    def program(self) -> str:
        for line in ("m = 2", "k = 0", "y = 1.5", "q = False", "c = [1, 2, 3]", "h = [c, [n]]"):
            self.write(1, line)
        self.block(self.random.randint(0, 2), 1, 1, in_loop=False)
        self.loop(2, 1)
        self.block(self.random.randint(0, 2), 1, 1, in_loop=False)
        self.write(1, "return n, m, k, x, y, p, q, a, b, c, u, g, h, t")
        return "\n".join(self.lines) + "\n"

    def write(self, indent: int, text: str) -> None:
        self.lines.append("    " * indent + text)

    def of(self, type: str, depth: int) -> str:
        """An expression of a type."""
        if depth <= 0 and type != "place":
            return self.random.choice(_LEAVES[type])
        return self.filled(self.random.choice(_FORMS[type]), depth - 1)

    def filled(self, form: str, depth: int) -> str:
        parts = form.split("{")
        text = parts[0]
        for part in parts[1:]:
            name, rest = part.split("}", 1)
            text += self.random.choice("abc") if name == "variable" else self.of(name, depth)
            text += rest
        return text

    def block(self, count: int, depth: int, indent: int, *, in_loop: bool) -> None:
        for _ in range(count):
            self.statement(depth, indent, in_loop=in_loop)

    def statement(self, depth: int, indent: int, *, in_loop: bool) -> None:
        choice = self.random.random()
        if choice < 0.35:
            type = self.random.choice((*_VARIABLES, "int", "ints"))
            name = self.random.choice(_VARIABLES[type])
            self.write(indent, f"{name} = {self.of(type, self.depth + 1)}")
        elif choice < 0.72:
            self.change(indent)
        elif choice < 0.8:
            self.jump(indent, in_loop=in_loop)
        elif depth > 0 and choice < 0.92:
            self.conditional(depth, indent, in_loop=in_loop)
        elif depth > 0:
            self.loop(depth, indent)

    def change(self, indent: int) -> None:
        text = self.filled(self.random.choice(_STATEMENTS), self.depth)
        if ".append(" in text:
            text = f"if len({text[: text.index('.append(')]}) < {_MOST_ITEMS}: {text}"
        self.write(indent, text)

    def jump(self, indent: int, *, in_loop: bool) -> None:
        self.write(indent, f"if {self.of('bool', 1)}:")
        jumps = ["return n, m, k, x, y, p, q, a, b, c, u, g, h, t", "raise ValueError('raised')"]
        jumps += ["break", "continue"] * 3 if in_loop else []
        self.write(indent + 1, self.random.choice(jumps))

    def conditional(self, depth: int, indent: int, *, in_loop: bool) -> None:
        self.write(indent, f"if {self.of('bool', 1)}:")
        self.body(depth, indent, in_loop=in_loop)
        if self.random.random() < 0.5:
            self.write(indent, "else:")
            self.body(depth, indent, in_loop=in_loop)

    def body(self, depth: int, indent: int, *, in_loop: bool) -> None:
        self.write(indent + 1, f"m = {self.of('int', 1)}")
        self.block(self.random.randint(0, 3), depth - 1, indent + 1, in_loop=in_loop)

    def loop(self, depth: int, indent: int) -> None:
        self.loops += 1
        name = f"i{self.loops}"
        if self.random.random() < 0.2:
            self.write(indent, f"{name} = 9")
            self.write(indent, f"while {name} > 0 and {self.of('bool', 1)}:")
            self.write(indent + 1, f"{name} -= 1")
        else:
            over = self.random.choice(
                ("range(7)", "range(n % 9)", "range(len(a))", "a[:9]", "range(8, -1, -3)", "c[:4]")
            )
            self.write(indent, f"for {name} in {over}:")
        self.write(indent + 1, f"k = {name}")
        self.body(depth, indent, in_loop=True)


def list_program(seed: int) -> str:
    """The source of a function ``f`` of `list_arguments`."""
    return _Writer(seed).program()


def list_arguments(choose: random.Random) -> list[Any]:
    """Numbers at the edges of their types among others, and lists of which some are the same."""
    a, b = _ints(choose), _ints(choose)
    b = choose.choice((b, b, a))
    rows = [choose.choice((a, b, _ints(choose))) for _ in range(choose.randint(1, 4))]
    reals = [a_float(choose) for _ in range(choose.randint(0, 4))]
    pair = (an_int(choose), choose.choice((a, _ints(choose), rows[0])))
    return [an_int(choose), a_float(choose), choose.random() < 0.5, a, b, reals, rows, pair]


def an_int(choose: random.Random) -> int:
    edge = choose.choice((2**63 - 1, -(2**63), 2**62, -1, 2**31, 10**12))
    return edge if choose.random() < 0.15 else choose.randint(-9, 20)


def a_float(choose: random.Random) -> float:
    edges = (0.0, -0.0, float("inf"), float("-inf"), float("nan"), 5e-324, 1e308, 2.0**63)
    return choose.choice(edges) if choose.random() < 0.2 else choose.gauss(0, 4)


def _ints(choose: random.Random) -> list[int]:
    return [an_int(choose) for _ in range(choose.randint(0, 6))]
