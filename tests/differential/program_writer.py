"""What the writers of random programs share: lines, scopes of variables by type, and choices.

A program is made of a seed and of its size. Hypothesis draws these, and so shrinks a failing program to one of
few statements; drawing every choice from it takes a hundred times as long, and repeats programs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import TypeVar

from hypothesis import strategies as st

Chosen = TypeVar("Chosen")


@dataclass
class Scope:
    """The variables that a block may use, by type; those being iterated over must not change."""

    names: dict[str, list[str]] = field(default_factory=dict)
    frozen: frozenset[str] = frozenset()
    in_loop: bool = False

    def inner(self, *, in_loop: bool = False, frozen: Sequence[str] = ()) -> Scope:
        """A scope for a nested block: what it adds is not seen outside."""
        copied = {type_: list(names) for type_, names in self.names.items()}
        return Scope(copied, self.frozen | set(frozen), self.in_loop or in_loop)

    def add(self, type_: str, name: str) -> None:
        known = self.names.setdefault(type_, [])
        if name not in known:
            known.append(name)

    def of(self, type_: str) -> list[str]:
        return self.names.get(type_, [])

    def changeable(self, type_: str) -> list[str]:
        return [name for name in self.of(type_) if name not in self.frozen]


class ProgramWriter:
    """Writes statements line by line; subclasses know the language."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.lines: list[str] = []
        self.count = 0

    def program(self, statements: int, depth: int) -> str:
        """The source text of a function ``f`` of so many statements, nested so deep."""
        raise NotImplementedError

    def pick(self, choices: Sequence[Chosen]) -> Chosen:
        return self.random.choice(choices)

    def integer(self, low: int, high: int) -> int:
        return self.random.randint(low, high)

    def chance(self, percent: int) -> bool:
        return self.integer(1, 100) <= percent

    def fresh(self, prefix: str) -> str:
        self.count += 1
        return f"{prefix}{self.count}"

    def write(self, indent: int, text: str) -> None:
        self.lines.append("    " * indent + text)

    def block(self, scope: Scope, depth: int, indent: int) -> None:
        """One to three statements; nothing follows one that jumps."""
        for _ in range(self.integer(1, 3)):
            if self.statement(scope, depth, indent):
                return

    def statement(self, scope: Scope, depth: int, indent: int) -> bool:
        """Write one statement, and say whether it jumps."""
        raise NotImplementedError


def programs_of(writer: type[ProgramWriter], most_statements: int) -> st.SearchStrategy[str]:
    """Programs of a writer, of any seed."""

    def program(seed: int, statements: int, depth: int) -> str:
        return writer(seed).program(statements, depth)

    return st.builds(
        program,
        st.integers(0, 2**63 - 1),
        st.integers(1, most_statements),
        st.integers(0, 3),
    )


def program_of(writer: type[ProgramWriter], most_statements: int, seed: int) -> str:
    """The program of a writer and a seed, which says how long it is as well."""
    choose = Random(seed)
    return writer(choose.getrandbits(63)).program(
        choose.randint(1, most_statements), choose.randint(0, 3)
    )
