"""Programs that are made to take all time or memory of who compiles them: families, each at several sizes."""

# ruff: noqa: E501  a family is a line

from __future__ import annotations

from collections.abc import Callable, Iterator

Family = Callable[[int], str]
"""A program of a size."""

SIZES = (1, 3, 10, 30, 100, 300, 1000, 3000, 10_000)


def _returning(expression: str) -> str:
    return f"def f(x: int):\n    return {expression}\n"


def _nested(head: str) -> Family:
    """Blocks, one in the other."""

    def program(size: int) -> str:
        size = min(size, 1000)
        lines = [f"{' ' * level}{head.format(level)}:" for level in range(1, size + 1)]
        return "\n".join(
            [
                "import torch",
                "def f(x: int):",
                " y = 0",
                *lines,
                f"{' ' * (size + 1)}y += 1",
                " return y\n",
            ]
        )

    return program


def _around(before: str, after: str, middle: str = "x") -> Family:
    return lambda size: _returning(before * size + middle + after * size)


def _joined(operator: str) -> Family:
    return lambda size: _returning(operator.join(["x"] * (size + 1)))


def _annotated(before: str, after: str) -> Family:
    return lambda size: f"def f(x: {before * size}int{after * size}):\n    return 1\n"


def _repeated(line: str, head: str = "") -> Family:
    """A line for each number, as the body of a function."""
    return lambda size: (
        f"{head}def f(x: int):\n    y = x\n"
        + "".join(f"    {line.format(i, i + 1)}\n" for i in range(size))
        + "    return x\n"
    )


def _doubled(first: str, line: str) -> Family:
    """Constants of a module, each of which has the one before twice."""
    return lambda size: (
        f"X0 = {first}\n"
        + "".join(f"X{i + 1} = {line.format(i)}\n" for i in range(size))
        + f"def f():\n    return X{size}\n"
    )


def _classes(first: str, line: str, use: str = "N{0}") -> Family:
    return lambda size: (
        f"from typing import NamedTuple\nfrom enum import Enum\n{first}"
        + "".join(line.format(i, i - 1) for i in range(1, size))
        + f"def f(x: {use.format(size - 1)}):\n    y = x\n    return y\n"
    )


def _functions(line: str) -> Family:
    return lambda size: (
        "def f0(x: int):\n    return x\n"
        + "".join(line.format(i, i - 1) for i in range(1, size + 1))
    )


def _of_tuple(size: int) -> str:
    loops = "".join(f"    {' ' * depth}for a{depth} in t:\n" for depth in range(4))
    return f"def f(x: int):\n    t = ({'x, ' * min(size, 100)})\n    y = 0\n{loops}         y += 1\n    return y\n"


def _union(size: int) -> str:
    members = ", ".join(
        f"Tuple[{', '.join('int' if number >> bit & 1 else 'float' for bit in range(14))}]"
        for number in range(size)
    )
    return f"def f(x: Union[{members}]):\n    y = x\n    return y\n"


FAMILIES: dict[str, Family] = {
    "nested ifs": _nested("if x > {0}"),
    "nested fors": _nested("for i{0} in range(1)"),
    "nested whiles": _nested("while x > {0}"),
    "nested withs": _nested("with torch.no_grad()"),
    "nested definitions": _nested("def f{0}(x: int)"),
    "nested classes": _nested("class C{0}"),
    "nested tries": _nested("try"),
    "brackets": _around("(", ")"),
    "open brackets": _around("(", ""),
    "closing brackets": _around("", ")"),
    "lists": _around("[", "]"),
    "tuples": _around("(", ",)"),
    "dicts": _around("{1: ", "}"),
    "subscripts": _around("", "[0]"),
    "nested subscripts": _around("x[", "]"),
    "slices": _around("", "[::]"),
    "calls": _around("abs(", ")"),
    "methods": _around("", ".abs()"),
    "attributes": _around("", ".T"),
    "lambdas": _around("(lambda: ", ")"),
    "comprehensions": _around("[y for y in ", "]"),
    "elements of comprehensions": _around("[", " for y in range(1)][0]"),
    "nots": _around("not ", ""),
    "minuses": _around("-", ""),
    "inversions": _around("~", ""),
    "awaits": _around("await ", ""),
    "stars": _around("*", ""),
    "ternaries": _around("1 if x else ", ""),
    "conditions": _around("1 if (", ") else 2"),
    "f-strings": _around("f'{x}' + ", "", "''"),
    "fields": lambda size: _returning("f'" + "{x:" * size + "}" * size + "'"),
    "sums": _joined(" + "),
    "powers": _joined(" ** "),
    "comparisons": _joined(" < "),
    "conjunctions": _joined(" and "),
    "products of matrices": _joined(" @ "),
    "arguments": lambda size: _returning(f"max([{'x, ' * size}])"),
    "keywords": lambda size: _returning(f"max({', '.join(f'a{i}=x' for i in range(size))})"),
    "adjacent strings": lambda size: _returning("'ab' " * size),
    "digits": lambda size: _returning("9" * size),
    "fractions": lambda size: _returning("0." + "9" * size),
    "a long name": lambda size: _returning("a" * size),
    "a long attribute": lambda size: _returning("x." + "a" * size),
    "a long broken line": lambda size: _returning("x " + "a" * size + " b"),
    "a long string": lambda size: _returning(f"'{'ab' * size}'"),
    "unclosed strings": lambda size: _returning("'" * (2 * size + 1)),
    "odd letters": lambda size: _returning("\u202e\u00e9" * size),
    "continued lines": lambda size: _returning("1 + " + "\\\n" * size + "1"),
    "Optionals": _annotated("Optional[", "]"),
    "Lists": _annotated("List[", "]"),
    "Dicts": _annotated("Dict[int, ", "]"),
    "pairs": _annotated("Tuple[int, ", "]"),
    "Futures": _annotated("Future[", "]"),
    "Finals": _annotated("Final[", "]"),
    "alternatives": _annotated("int | ", ""),
    "a wide tuple": lambda size: f"def f(x: Tuple[{'int, ' * size}]):\n    return x\n",
    "Unions": _union,
    "parameters": lambda size: f"def f({', '.join(f'a{i}: int = {i}' for i in range(size))}):\n    return 1\n",
    "a huge default": lambda size: f"def f(a: List[int] = [0] * 10**{size}):\n    return 1\n",
    "comments of types": lambda size: f"def f(x):\n    # type: ({'List[' * size}int{']' * size}) -> int\n    return 1\n",
    "decorators": lambda size: "@torch.jit.script\n" * size + "def f():\n    return 1\n",
    "star imports": lambda size: "from torch import *\n" * size + _returning("x"),
    "imports": lambda size: "".join(f"import m{i}\n" for i in range(size)) + _returning("x"),
    "dotted imports": lambda size: f"import {'a.' * size}b\n" + _returning("x"),
    "globals": lambda size: f"global {', '.join(f'a{i}' for i in range(size))}\n" + _returning("x"),
    "doubled tuples": _repeated("y = (y, y)"),
    "added tuples": _repeated("y = y + y", ""),
    "lists in lists": _repeated("y{1} = [y{0}]", "def g(y0: int):\n    return y0\n"),
    "doubled texts": lambda size: "def f():\n    s = 'ab'\n" + "    s = s + s\n" * size + "    return s\n",
    "doubled lists": lambda size: "def f():\n    s = [1, 2]\n" + "    s = s + s\n" * size + "    return s\n",
    "repeated texts": _repeated("s = 'ab' * 1000000000"),
    "large tensors": _repeated("t = torch.ones(30000, 30000)"),
    "unknown names": _repeated("y{0} = z{0} + w{0}"),
    "similar long names": lambda size: _repeated("ab" * 500 + "{0} = " + "ab" * 500 + "q{1}")(min(size, 300)),
    "broken lines": _repeated("y{0} = ("),
    "wrong lines": _repeated("y{0} = ) $ '"),
    "wrong margins": _repeated("  y = 1\n   z = 2"),
    "asserts": _repeated("assert x > {0}"),
    "ifs in a row": _repeated("if x > {0}: y = {0}"),
    "loops in a row": _repeated("for i in range({0}): y = i"),
    "forks": _repeated("y{0} = torch.jit.fork(abs, x)"),
    "elifs": lambda size: "def f(x: int):\n    if x < 0:\n        return 1\n" + "".join(f"    elif x == {i}:\n        return {i}\n" for i in range(size)) + "    return 2\n",
    "targets": lambda size: f"def f(x: int):\n    {' = '.join(f'a{i}' for i in range(size))} = x\n    return x\n",
    "unpacked targets": lambda size: f"def f(x: int):\n    {', '.join(f'a{i}' for i in range(size))}, = {'x, ' * size}\n    return x\n",
    "nested targets": lambda size: f"def f(x: int):\n    {'(' * size}a{',)' * size} = x\n    return x\n",
    "loops over tuples": _of_tuple,
    "shared tuples": _doubled("(1, 2)", "(X{0}, X{0})"),
    "shared lists": _doubled("[1, 2]", "X{0} + X{0}"),
    "shared texts": _doubled("'ab'", "X{0} + X{0}"),
    "shared formats": _doubled("'ab'", "'%s%s' % (X{0}, X{0})"),
    "shared dicts": _doubled("{1: 2}", "{{1: X{0}, 2: X{0}}}"),
    "shared numbers": _doubled("9", "X{0} ** X{0}"),
    "shifted numbers": _doubled("9", "X{0} << 4000"),
    "constants in circles": lambda size: "".join(f"X{i} = X{(i + 1) % size}\n" for i in range(size)) + "def f():\n    return X0\n",
    "chained NamedTuples": _classes("class N0(NamedTuple):\n    a: int\n", "class N{0}(NamedTuple):\n    a: N{1}\n    b: N{1}\n"),
    "chained bases": _classes("class N0:\n    def __init__(self):\n        self.x = 1\n", "class N{0}(N{1}):\n    pass\n"),
    "chained attributes": _classes("class N0:\n    pass\n", "class N{0}:\n    a: N{1}\n    def __init__(self, a: N{1}):\n        self.a = a\n"),
    "members of an enum": lambda size: "from enum import Enum\nclass E(Enum):\n" + "".join(f"    A{i} = {i}\n" for i in range(size)) + "def f(x: E):\n    return x.value\n",
    "methods in a chain": lambda size: "class A:\n    def __init__(self):\n        self.x = 1\n" + "".join(f"    def m{i}(self):\n        return self.m{i + 1}()\n" for i in range(size)) + f"    def m{size}(self):\n        return 1\ndef f():\n    return A().m0()\n",
    "functions in a chain": lambda size: _functions("def f{0}(x: int):\n    return f{1}(x) + 1\n")(min(size, 2000)),
    "functions that double": _functions("def f{0}(x: int) -> int:\n    return f{1}(x) * f{1}(x + 1)\n"),
    "functions in a circle": lambda size: "".join(f"def f{i}(x: int):\n    return f{(i + 1) % size}(x)\n" for i in range(size)),
}  # fmt: skip


def cases() -> Iterator[tuple[str, int]]:
    """The names of all programs: a family and a size."""
    return ((family, size) for size in SIZES for family in FAMILIES)
