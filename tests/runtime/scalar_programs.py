"""Random programs on ints and lists that mean the same in Python and in TorchScript.

Numbers stay small, loops are bounded, and every variable is set before it is read.
"""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

NAMES = ("a", "b", "c", "d")
LISTS = ("u", "v")
HEADER = "def f(a: int, b: int) -> Tuple[int, int, int, int, List[int], List[int]]:\n"
PROLOGUE = ["c = 0", "d = 1", "u = [a, b]", "v = [0]", "fuel = 60"]
EPILOGUE = ["return a, b, c, d, u, v"]


@st.composite
def expressions(draw: DrawFn, depth: int = 2) -> str:
    if depth == 0 or draw(st.booleans()):
        return draw(st.one_of(st.sampled_from(NAMES), st.integers(-3, 9).map(str)))
    left, right = draw(expressions(depth - 1)), draw(expressions(depth - 1))
    form = draw(
        st.sampled_from(
            [
                "({0} + {1})",
                "({0} - {1})",
                "(({0} * {1}) % 97)",
                "({0} // 3 + {1})",
                "(({0}) % 7)",
                "min({0}, {1})",
                "({0} if {1} > 2 else {1})",
                "len(u)",
                "u[{0} % len(u)]",
                "v[-1]",
            ]
        )
    )
    return form.format(left, right)


@st.composite
def conditions(draw: DrawFn) -> str:
    left, right = draw(expressions(1)), draw(expressions(1))
    comparison = draw(st.sampled_from(["<", "<=", "==", "!=", ">", ">="]))
    simple = f"{left} {comparison} {right}"
    return draw(
        st.sampled_from([simple, f"not ({simple})", f"{simple} and a > b", f"{simple} or c == d"])
    )


@st.composite
def statements(draw: DrawFn, depth: int, in_loop: bool) -> list[str]:
    """One statement, as lines."""
    kinds = ["assign", "assign", "swap", "augment", "append", "store", "alias"]
    if depth > 0:
        kinds += ["if", "if_else", "while", "for", "counted", "over"]
    if in_loop:
        kinds += ["break", "continue"]
    name, other = draw(st.sampled_from(NAMES)), draw(st.sampled_from(NAMES))
    values = draw(st.sampled_from(LISTS))
    value = draw(expressions())
    match draw(st.sampled_from(kinds)):
        case "assign":
            return [f"{name} = {value}"]
        case "swap":
            return [f"{name}, {other} = {other}, {value}"]
        case "augment":
            return [f"{name} += {value}", f"{name} = {name} % 1009"]
        case "append":
            return [f"if len({values}) < 12:", f"    {values}.append({value})"]
        case "store":
            return [f"{values}[{value} % len({values})] = {name}"]
        case "alias":
            return [f"{values} = {draw(st.sampled_from(['u', 'v', 'u + v[:1]', 'v[:]']))}"]
        case "break" | "continue" as word:
            return [f"if {draw(conditions())}:", f"    {word}"]
        case kind:
            return draw(compound(kind, name, depth, in_loop))


@st.composite
def compound(draw: DrawFn, kind: str, name: str, depth: int, in_loop: bool) -> list[str]:
    body = draw(blocks(depth - 1, in_loop or kind in ("while", "for", "counted", "over")))
    condition = draw(conditions())
    match kind:
        case "if":
            return [f"if {condition}:", *body]
        case "if_else":
            return [f"if {condition}:", *body, "else:", *draw(blocks(depth - 1, in_loop))]
        case "while":
            return [f"while fuel > 0 and ({condition}):", "    fuel -= 1", *body]
        case "for":
            bounds = draw(st.sampled_from(["3", "1, 5", "7, 0, -2", "len(u) % 4", "a % 4"]))
            return [f"for {name} in range({bounds}):", *body]
        case "counted":
            bound, other = draw(st.sampled_from(NAMES)), draw(st.sampled_from(NAMES))
            bounds = draw(st.sampled_from([bound, f"{other}, {bound}", f"{bound}, 0, -2"]))
            rest = ["    fuel -= 1", "    if fuel < 0:", "        break", *body]
            return [f"for {name} in range({bounds}):", *rest]
        case _:
            return [f"for {name} in u[:4]:", *body]


@st.composite
def blocks(draw: DrawFn, depth: int, in_loop: bool) -> list[str]:
    """One to three statements, indented."""
    several = draw(st.lists(statements(depth, in_loop), min_size=1, max_size=3))
    return ["    " + line for lines in several for line in lines]


@st.composite
def programs(draw: DrawFn) -> str:
    """The source of a function ``f(a, b)``."""
    body = draw(st.lists(statements(3, False), min_size=1, max_size=6))
    lines = [*PROLOGUE, *(line for several in body for line in several), *EPILOGUE]
    return HEADER + "".join(f"    {line}\n" for line in lines)
