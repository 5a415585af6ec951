"""Reads the tables: expressions, and the arguments that each of them is tried with.

    == s: str, n: int
    -- 'abc', 1
    -- '', 0
    s[n]
    ! x = s ;; x += 'd' ;; return x
    # why the next one differs
    ~ reversed(s)

A line that begins with ``==`` has the parameters of what follows, and those with ``--`` their arguments.
``!`` begins a body of statements. ``~`` marks an expression that tsc answers otherwise than PyTorch; the
comment above it says why.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parent
HEADER = "import cmath\nimport math\nimport torch\nfrom torch import Tensor\nfrom typing import *\n"


@dataclass(frozen=True, slots=True)
class Expression:
    """One line of a table."""

    table: str
    parameters: str
    rows: tuple[str, ...]
    text: str
    reason: str | None = None

    @property
    def key(self) -> str:
        return f"{self.table}: {self.text}  with {self.parameters}"

    @property
    def source(self) -> str:
        """The expression as the body of a function."""
        body = f"return {self.text}"
        if self.text.startswith("! "):
            body = "\n    ".join(self.text[2:].split(" ;; "))
        return f"{HEADER}def f({self.parameters}):\n    {body}\n"

    def arguments(self, row: str) -> tuple[object, ...]:
        return eval(f"({row},)" if row else "()", {})


@cache
def tables() -> dict[str, list[Expression]]:
    """All expressions, by the name of their table."""
    return {path.stem: list(_read(path)) for path in sorted(FOLDER.glob("*.txt"))}


def _read(path: Path) -> Iterator[Expression]:
    parameters, rows, reason = "", list[str](), ""
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("=="):
            parameters, rows = line[3:], []
        elif line.startswith("-- "):
            rows.append(line[3:])
        elif line.startswith("# "):
            reason = line[2:]
        elif line.startswith("~ "):
            yield Expression(path.stem, parameters, tuple(rows) or ("",), line[2:], reason)
        elif line:
            yield Expression(path.stem, parameters, tuple(rows) or ("",), line)
