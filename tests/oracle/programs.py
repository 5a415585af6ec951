"""Programs of the corpus: text files of small TorchScript programs with the calls to make.

A file holds programs one after another::

    === name_of_the_program
    def f(n: int) -> int:
        return n + 1
    >>> f(2)

Everything up to the first ``>>>`` is the source text; each ``>>>`` line is a TorchScript expression that is
compiled together with the program (as the body of a function without parameters) and evaluated. A program
without calls must fail to compile.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_DEFINITION = re.compile(r"^((?:@.*\n)*)def (\w+)", re.MULTILINE)
_NOT_ALONE = re.compile(r"@torch\.jit\.(?:ignore|_overload)\b")

PROGRAMS = Path(__file__).parent / "programs"
SAMPLES = Path(__file__).parent.parent.parent / "samples"
ANSWERS = Path(__file__).parent / "answers"


@dataclass(frozen=True, slots=True)
class Program:
    """One program: where it stands, its source text and the expressions to evaluate."""

    topic: str
    name: str
    source: str
    calls: tuple[str, ...]

    @property
    def key(self) -> str:
        return f"{self.topic}/{self.name}"

    @property
    def functions(self) -> tuple[str, ...]:
        """Names of the top-level functions that are compiled on their own, in order."""
        found = _DEFINITION.findall(self.source)
        apart = {name for decorators, name in found if _NOT_ALONE.search(decorators)}
        return tuple(name for _, name in found if name not in apart)

    def source_with_calls(self) -> str:
        """The source text followed by one function ``call_<i>`` for each call."""
        wrappers = (f"\ndef call_{i}():\n    return {call}\n" for i, call in enumerate(self.calls))
        return self.source + "".join(wrappers)


def read_programs(path: Path) -> Iterator[Program]:
    """The programs of one file."""
    text = path.read_text(encoding="utf-8")
    for chunk in re.split(r"^=== ", text, flags=re.MULTILINE)[1:]:
        name, _, body = chunk.partition("\n")
        lines = body.rstrip().split("\n")
        calls = tuple(line[4:] for line in lines if line.startswith(">>> "))
        source = "\n".join(line for line in lines if not line.startswith(">>> "))
        yield Program(path.stem, name.strip(), source.strip("\n") + "\n", calls)


def samples() -> Iterator[Program]:
    """The samples of the repository as programs: each is run through its ``main()``."""
    for path in sorted(SAMPLES.glob("*.py")):
        yield Program("samples", path.stem, path.read_text(encoding="utf-8"), ("main()",))


def topics() -> dict[str, list[Program]]:
    """Every program of the corpus by topic, in the order of files and lines."""
    found = {path.stem: list(read_programs(path)) for path in sorted(PROGRAMS.glob("*.txt"))}
    return found | {"samples": list(samples())}


def all_programs() -> list[Program]:
    """Every program of the corpus."""
    return [program for programs in topics().values() for program in programs]
