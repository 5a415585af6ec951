"""Random TorchScript functions on ints and bools, full of jumps; their loops all come to an end.

They are Python as well, given a ``torch.no_grad``. A program is made of its seed alone, so that a
failure can be repeated.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field

HEADER = "def f(a: int, b: int, c: int, xs: List[int]) -> int:"
_COMPARISONS = ("<", ">", "==", "!=", "<=", ">=")
_EXCEPTIONS = ("RuntimeError", "ValueError", "IndexError")


@dataclass
class Scope:
    """What a block may use: its variables by type, and whether it is in a loop."""

    ints: set[str]
    bools: set[str] = field(default_factory=set)
    in_loop: bool = False

    def copy(self, in_loop: bool | None = None) -> Scope:
        return Scope(set(self.ints), set(self.bools), self.in_loop if in_loop is None else in_loop)


def random_program(seed: int, depth: int = 3) -> str:
    """The source of a function ``f`` as `HEADER` declares it."""
    return _Writer(random.Random(seed)).program(depth)


class _Writer:
    def __init__(self, source: random.Random) -> None:
        self.random = source
        self.lines: list[str] = []
        self.count = 0

    def program(self, depth: int) -> str:
        self.lines = [HEADER]
        scope = Scope({"a", "b", "c"})
        if not self.statements(scope, depth, 1, self.random.randint(2, 5)):
            self.write(1, f"return {self.integer(scope)}")
        return "\n".join(self.lines) + "\n"

    def write(self, indent: int, text: str) -> None:
        self.lines.append("    " * indent + text)

    def fresh(self, prefix: str) -> str:
        self.count += 1
        return f"{prefix}{self.count}"

    def one_of(self, names: set[str]) -> str:
        return self.random.choice(sorted(names))

    # -- Expressions -------------------------------------------------------------------------

    def integer(self, scope: Scope, depth: int = 2) -> str:
        choice = self.random.random()
        if depth == 0 or choice < 0.4:
            return self.random.choice([self.one_of(scope.ints), str(self.random.randint(0, 5))])
        x, y = self.integer(scope, depth - 1), self.integer(scope, depth - 1)
        if choice < 0.6:
            return f"{x} {self.random.choice('+-')} {y}"
        if choice < 0.7:
            return f"({x}) * ({y}) % 97"
        if choice < 0.85:
            return f"({x} if {self.boolean(scope, depth - 1)} else {y})"
        return f"max({x}, {y})"

    def boolean(self, scope: Scope, depth: int = 2) -> str:
        choice = self.random.random()
        if choice < 0.1 and scope.bools:
            return self.one_of(scope.bools)
        if depth == 0 or choice < 0.6:
            x, y = self.integer(scope, max(depth - 1, 0)), self.integer(scope, max(depth - 1, 0))
            return f"{x} {self.random.choice(_COMPARISONS)} {y}"
        if choice < 0.7:
            return f"(not {self.boolean(scope, depth - 1)})"
        if choice < 0.95:
            operator = self.random.choice(["and", "or"])
            return f"({self.boolean(scope, depth - 1)} {operator} {self.boolean(scope, depth - 1)})"
        return self.random.choice(["True", "False"])

    # -- Statements --------------------------------------------------------------------------

    def statements(self, scope: Scope, depth: int, indent: int, count: int) -> bool:
        """Whether the last one returns or raises: nothing is written after it."""
        return any(self.statement(scope, depth, indent) for _ in range(count))

    def block(self, scope: Scope, depth: int, indent: int) -> bool:
        return self.statements(scope, depth - 1, indent + 1, self.random.randint(1, 3))

    def statement(self, scope: Scope, depth: int, indent: int) -> bool:
        choice = self.random.random() * (0.5 if depth == 0 else 1.0)
        if choice < 0.30:
            self.assignment(scope, indent)
        elif choice < 0.36:
            self.write(indent, f"print({self.integer(scope, 1)})")
        elif choice < 0.38:
            self.write(indent, f"assert {self.boolean(scope, 1)}, 'refuted'")
        elif choice < 0.50:
            return self.jump(scope, indent)
        elif choice < 0.80:
            return self.conditional(scope, depth, indent)
        elif choice < 0.84:
            return self.with_statement(scope, depth, indent)
        elif choice < 0.93:
            self.for_loop(scope, depth, indent)
        else:
            self.while_loop(scope, depth, indent)
        return False

    def assignment(self, scope: Scope, indent: int) -> None:
        choice = self.random.random()
        if choice < 0.5:
            self.write(indent, f"{self.one_of(scope.ints)} = {self.integer(scope)}")
        elif choice < 0.7:
            operator = self.random.choice(["+=", "-="])
            self.write(indent, f"{self.one_of(scope.ints)} {operator} {self.integer(scope, 1)}")
        elif choice < 0.9:
            name = self.fresh("v")
            self.write(indent, f"{name} = {self.integer(scope)}")
            scope.ints.add(name)
        else:
            self.write(indent, f"p = {self.boolean(scope)}")
            scope.bools.add("p")

    def jump(self, scope: Scope, indent: int) -> bool:
        choice = self.random.random()
        if scope.in_loop and choice < 0.5:
            self.write(indent, self.random.choice(["break", "continue"]))
            return True
        if choice < 0.8:
            self.write(indent, f"return {self.integer(scope, 1)}")
        else:
            self.write(indent, f"raise {self.random.choice(_EXCEPTIONS)}('raised')")
        return True

    def conditional(self, scope: Scope, depth: int, indent: int) -> bool:
        self.write(indent, f"if {self.boolean(scope)}:")
        then_scope, else_scope = scope.copy(), scope.copy()
        then_jumps = self.block(then_scope, depth, indent)
        else_jumps = False
        if self.random.random() < 0.6:
            self.write(indent, "else:")
            else_jumps = self.block(else_scope, depth, indent)
        if not then_jumps and not else_jumps:
            scope.ints |= then_scope.ints & else_scope.ints
            scope.bools |= then_scope.bools & else_scope.bools
        return then_jumps and else_jumps

    def with_statement(self, scope: Scope, depth: int, indent: int) -> bool:
        self.write(indent, "with torch.no_grad():")
        return self.block(scope, depth, indent)

    def for_loop(self, scope: Scope, depth: int, indent: int) -> None:
        counter = self.fresh("i")
        iterated = self.random.choice(
            ["xs", f"range({self.integer(scope, 1)} % 5)", f"range(1, {self.integer(scope, 0)}, 2)"]
        )
        self.write(indent, f"for {counter} in {iterated}:")
        inner = scope.copy(in_loop=True)
        inner.ints.add(counter)
        self.block(inner, depth, indent)

    def while_loop(self, scope: Scope, depth: int, indent: int) -> None:
        fuel = self.fresh("fuel")
        self.write(indent, f"{fuel} = {self.random.randint(1, 4)}")
        self.write(indent, f"while {fuel} > 0 and {self.boolean(scope)}:")
        self.write(indent + 1, f"{fuel} -= 1")
        self.block(scope.copy(in_loop=True), depth, indent)
