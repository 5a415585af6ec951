"""Writes random functions in a language: statements, jumps and loops, filled with expressions of it."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass
from typing import Final

_MOST_ITEMS: Final = 40
_GROWING: Final = (".append(", ".extend(", ".insert(")


@dataclass(frozen=True)
class Language:
    """What programs are made of."""

    types: dict[str, str]
    """Of the parameters."""
    leaves: dict[str, tuple[str, ...]]
    forms: dict[str, tuple[str, ...]]
    """Of expressions, by what they give; the names in braces are expressions, too. Some have leaves or forms alone."""
    variables: dict[str, str]
    """That may be set, and what they hold."""
    statements: tuple[str, ...]
    start: tuple[str, ...]
    result: str
    loops: tuple[str, ...]
    """What they may go over."""
    cuts: tuple[str, ...] = ()
    """Statements that each turn of a loop begins with, so that nothing grows without end."""


class Writer:
    """Writes one program in a language."""

    def __init__(self, seed: int, language: Language) -> None:
        self.random = random.Random(seed)
        self.language = language
        parameters = ", ".join(f"{name}: {type}" for name, type in language.types.items())
        self.lines = [f"def f({parameters}):"]
        self.depth = self.random.choice((0, 1, 1, 2))
        self.loops = 0

    def program(self) -> str:
        """The source of a function ``f``."""
        for line in self.language.start:
            self.write(1, line)
        self.block(self.random.randint(0, 2), 1, 1, in_loop=False)
        self.loop(2, 1)
        self.block(self.random.randint(0, 2), 1, 1, in_loop=False)
        self.write(1, f"return {self.language.result}")
        return "\n".join(self.lines) + "\n"

    def write(self, indent: int, text: str) -> None:
        self.lines.append("    " * indent + text)

    def of(self, type: str, depth: int) -> str:
        """An expression of a type."""
        leaves, forms = (each.get(type, ()) for each in (self.language.leaves, self.language.forms))
        ways = leaves or forms if depth <= 0 else forms or leaves
        return self.filled(self.random.choice(ways), depth - 1)

    def filled(self, form: str, depth: int) -> str:
        def expression(blank: re.Match[str]) -> str:
            return self.of(blank[1], depth)

        return re.sub(r"\{(\w+)\}", expression, form)

    def block(self, count: int, depth: int, indent: int, *, in_loop: bool) -> None:
        for _ in range(count):
            self.statement(depth, indent, in_loop=in_loop)

    def statement(self, depth: int, indent: int, *, in_loop: bool) -> None:
        choice = self.random.random()
        if choice < 0.35:
            name, type = self.random.choice(tuple(self.language.variables.items()))
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
        text = self.filled(self.random.choice(self.language.statements), self.depth)
        for change in _GROWING:
            if change in text:
                text = f"if len({text[: text.index(change)]}) < {_MOST_ITEMS}: {text}"
        self.write(indent, text)

    def jump(self, indent: int, *, in_loop: bool) -> None:
        self.write(indent, f"if {self.of('bool', 1)}:")
        jumps = [f"return {self.language.result}", "raise ValueError('raised')"]
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
            over = self.random.choice(self.language.loops)
            self.write(indent, f"for {name} in {over}:")
        self.write(indent + 1, f"k = {name}")
        for line in self.language.cuts:
            self.write(indent + 1, line)
        self.body(depth, indent, in_loop=True)
