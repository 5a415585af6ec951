"""Programs that mark the problems which they must have: ``#: TS201`` at the end of a line.

A file holds several, each under ``=== name``. A line may have several marks, and no mark means that
nothing is found there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tsc.compiler.check import check_source
from tsc.compiler.source import Problems, Source
from tsc.runtime.execution.toolchain import toolchain

CASES = Path(__file__).parent / "cases"
_MARK = re.compile(r"#: (TS\d+(?: TS\d+)*)$")


@dataclass(frozen=True, slots=True)
class MarkedProgram:
    """A program, and the problems marked in it as ``line code``."""

    topic: str
    name: str
    source: str

    @property
    def marks(self) -> list[str]:
        lines = enumerate(self.source.split("\n"), start=1)
        marked = ((number, _MARK.search(line)) for number, line in lines)
        return [f"{number} {code}" for number, mark in marked if mark for code in mark[1].split()]


def read_marked_programs() -> Iterator[MarkedProgram]:
    for path in sorted(CASES.glob("*.txt")):
        for chunk in re.split(r"^=== ", path.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]:
            name, _, source = chunk.partition("\n")
            yield MarkedProgram(path.stem, name, source)


def problems_of(source: str, *, strict: bool = False) -> list[str]:
    """What is found in a text, as ``line code``."""
    problems = Problems()
    check_source(Source(source, "program.py"), toolchain(strict), problems)
    return [
        f"{each.range.line} {each.code}"
        for each in sorted(problems, key=lambda error: error.range.start)
    ]
