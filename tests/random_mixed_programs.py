"""Random TorchScript functions on floats, optional numbers, tuples and nested lists; their loops all come to an end.

A program is made of its seed alone, so that a failure can be repeated. Many fail at run time: indices may be out of
range, and ints may be divided by zero.
"""

from __future__ import annotations

import random
from typing import Final

HEADER: Final = (
    "def f(a: int, b: float, p: Optional[int], xs: List[float], rows: List[List[float]],"
    " pairs: List[Tuple[int, float]], gaps: List[Optional[float]]):"
)
_PARAMETERS: Final = {
    "int": ["a"],
    "float": ["b"],
    "Optional[int]": ["p"],
    "List[float]": ["xs"],
    "List[List[float]]": ["rows"],
    "List[Tuple[int, float]]": ["pairs"],
    "List[Optional[float]]": ["gaps"],
}
_COMPARISONS: Final = ("<", ">", "==", "!=", "<=", ">=")
_LISTS: Final = {
    "List[float]": "float",
    "List[List[float]]": "List[float]",
    "List[Tuple[int, float]]": "Tuple[int, float]",
    "List[Optional[float]]": "Optional[float]",
}
_ASSIGNED: Final = (
    *("int", "int", "float", "float", "bool", "Optional[int]", "Optional[float]"),
    *("Tuple[int, float]", "List[float]", "List[Optional[float]]", "List[List[float]]"),
)
Scope = dict[str, list[str]]


def random_mixed_program(seed: int) -> str:
    """The source of a function ``f`` as `HEADER` declares it."""
    return _Writer(random.Random(seed)).program()


class _Writer:
    def __init__(self, source: random.Random) -> None:
        self.random, self.lines, self.count = source, [HEADER], 0

    def program(self) -> str:
        scope: Scope = {type: [*names] for type, names in _PARAMETERS.items()}
        for _ in range(self.random.randint(2, 4)):
            self.statement(scope, 2, 1, in_loop=False)
        self.loop(scope, 2, 1)
        shown = ["int", "float", "Optional[int]", "Tuple[int, float]", *_LISTS]
        self.write(1, f"return {', '.join(self.expression(each, scope, 1) for each in shown)}")
        return "\n".join(self.lines) + "\n"

    def write(self, indent: int, text: str) -> None:
        self.lines.append("    " * indent + text)

    def fresh(self, prefix: str) -> str:
        self.count += 1
        return f"{prefix}{self.count}"

    def pick(self, *choices: str) -> str:
        return self.random.choice(choices)

    # -- Expressions -------------------------------------------------------------------------

    def expression(self, type: str, scope: Scope, depth: int = 2) -> str:
        names = scope.get(type, [])
        if names and (depth <= 0 or self.random.random() < 0.4):
            return self.pick(*names)
        match type:
            case "int":
                return self.integer(scope, depth - 1)
            case "float":
                return self.real(scope, depth - 1)
            case "bool":
                return self.truth(scope, depth - 1)
            case "Optional[int]":
                return self.expression("int", scope, 0)
            case "Optional[float]":
                return self.pick("gaps[0]", self.expression("float", scope, 0))
            case "Tuple[int, float]":
                parts = (self.expression(each, scope, depth - 1) for each in ("int", "float"))
                return self.pick(f"({', '.join(parts)})", "pairs[0]")
            case "List[Optional[float]]":
                return "gaps"
            case _:
                return self.list_of(type, scope, depth - 1)

    def integer(self, scope: Scope, depth: int) -> str:
        if depth < 0:
            return str(self.random.randint(-3, 9))
        x, y = (self.expression("int", scope, depth) for _ in range(2))
        return self.pick(
            *(f"({x} {sign} {y})" for sign in ("+", "-", "*", "//", "%", "&", "^")),
            *(
                f"int({self.truth(scope, 0)})",
                "len(xs)",
                "len(gaps)",
                f"min({x}, {y})",
                f"abs({x})",
            ),
            f"({x} if {self.truth(scope, 0)} else {y})",
            *("pairs[-1][0]", str(self.random.randint(-3, 9))),
        )

    def real(self, scope: Scope, depth: int) -> str:
        if depth < 0:
            return self.pick("0.5", "-1.25", "0.0", "-0.0", "3.0", "1e300", "float('nan')")
        x, y = (self.expression("float", scope, depth) for _ in range(2))
        k = self.expression("int", scope, 0)
        return self.pick(
            *(f"({x} {sign} {y})" for sign in ("+", "-", "*", "%")),
            *(f"({x} / ({y} * {y} + 1.0))", f"float({k})", f"({x} * {k})", f"max({x}, {y})"),
            *(
                f"xs[{k} % 3]",
                "xs[-1]",
                f"rows[0][{k} % 2]",
                "pairs[0][1]",
                f"math.floor({x} % 9.0) * 0.5",
            ),
            *(f"math.sqrt(abs({x}))", f"math.copysign({x}, {y})"),
        )

    def truth(self, scope: Scope, depth: int) -> str:
        type = self.pick("int", "float")
        x, y = (self.expression(type, scope, max(depth, 0)) for _ in range(2))
        compared = f"{x} {self.pick(*_COMPARISONS)} {y}"
        if depth < 0:
            return f"({compared})"
        other = self.truth(scope, depth - 1)
        return self.pick(
            *(f"({compared})", f"({compared} and {other})", f"({compared} or {other})"),
            *(f"(not {compared})", "p is None", "gaps[0] is not None"),
        )

    def list_of(self, type: str, scope: Scope, depth: int) -> str:
        element = _LISTS[type]
        items = [self.expression(element, scope, depth) for _ in range(self.random.randint(1, 3))]
        return f"[{', '.join(items)}]"

    # -- Statements --------------------------------------------------------------------------

    def statement(self, scope: Scope, depth: int, indent: int, *, in_loop: bool) -> None:
        choice = self.random.random()
        if choice < 0.35:
            self.assignment(scope, indent)
        elif choice < 0.65:
            self.change(scope, indent)
        elif choice < 0.75:
            self.refinement(scope, indent)
        elif depth > 0 and choice < 0.87:
            self.conditional(scope, depth, indent, in_loop=in_loop)
        elif depth > 0 and choice < 0.96:
            self.loop(scope, depth, indent)
        elif in_loop and choice < 0.98:
            self.write(indent, f"if {self.truth(scope, 1)}:")
            self.write(indent + 1, self.pick("break", "continue"))
        else:
            self.write(indent, f"assert {self.truth(scope, 1)} or b < 7.0, 'refuted'")

    def assignment(self, scope: Scope, indent: int) -> None:
        type = self.random.choice(_ASSIGNED)
        value = self.expression(type, scope)
        known = scope.get(type, [])
        if known and self.random.random() < 0.6:
            self.write(indent, f"{self.pick(*known)} = {value}")
            return
        name = self.fresh("v")
        self.write(indent, f"{name}: {type} = {value}")
        scope[type] = [*known, name]

    def change(self, scope: Scope, indent: int) -> None:
        """A list is written to, made longer or shorter."""
        type = self.random.choice([*_LISTS])
        name, element = self.pick(*scope[type]), _LISTS[type]
        value = self.expression(element, scope)
        if element == "Optional[float]":
            value = self.pick("None", value)
        place = self.pick("0", "-1", "1", f"{self.expression('int', scope, 1)} % 3")
        self.write(
            indent,
            self.pick(
                *(f"{name}[{place}] = {value}", f"{name}[{place}] = {name}[0]"),
                f"if len({name}) < 40: {name}.append({value})",
                *(f"if len({name}) > 3: {name}.pop()", f"{name} = {name}[:5] + {name}[:2]"),
            ),
        )

    def refinement(self, scope: Scope, indent: int) -> None:
        """What may be None is used where it is not."""
        kind = self.pick("int", "float")
        name = self.pick(*scope.get(f"Optional[{kind}]", ["p"]))
        kind = "int" if name == "p" else kind
        self.write(indent, f"if {name} is not None:")
        target = self.pick(*scope[kind])
        self.write(indent + 1, f"{target} = {target} {self.pick('+', '-')} {name}")
        self.write(indent, "else:")
        self.write(indent + 1, f"{name} = {self.expression(kind, scope, 1)}")

    def conditional(self, scope: Scope, depth: int, indent: int, *, in_loop: bool) -> None:
        self.write(indent, f"if {self.truth(scope, 1)}:")
        self.block(scope, depth, indent, in_loop=in_loop)
        if self.random.random() < 0.6:
            self.write(indent, "else:")
            self.block(scope, depth, indent, in_loop=in_loop)

    def loop(self, scope: Scope, depth: int, indent: int) -> None:
        name = self.fresh("k")
        over = self.pick(
            "range(12)", "range(a % 7)", "range(len(xs))", "xs[:9]", "range(9, -9, -2)"
        )
        self.write(indent, f"for {name} in {over}:")
        inner = {type: [*names] for type, names in scope.items()}
        inner["float" if over.startswith("xs") else "int"].append(name)
        self.block(inner, depth, indent, in_loop=True)

    def block(self, scope: Scope, depth: int, indent: int, *, in_loop: bool) -> None:
        inner = {type: [*names] for type, names in scope.items()}
        for _ in range(self.random.randint(1, 4)):
            self.statement(inner, depth - 1, indent + 1, in_loop=in_loop)
