"""Error cases as text: a program, what to do with it, and the whole message that comes out.

A file holds several:

    === name of the case
    def f(x: int):
        return y
    ---
    undefined value y
    program.py:2:11
        return y
               ~ <--- HERE

After ``---`` may stand what to do, other than to compile: a call in Python, such as ``f(1, n=2)``,
or a command line, such as ``tsc run program.py --args 3``. ``make bless`` writes messages anew.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

_CASE = re.compile(r"^=== (.*)\n((?:.*\n)*?)---(?: (.*))?\n", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class ErrorCase:
    """One program that goes wrong. ``action`` is empty for a program that does not compile."""

    name: str
    program: str
    action: str
    message: str

    def __str__(self) -> str:
        action = f" {self.action}" if self.action else ""
        return f"=== {self.name}\n{self.program}---{action}\n{self.message}\n"


def read_cases(path: Path) -> dict[str, ErrorCase]:
    """The cases of a file by their names, in order."""
    text = path.read_text(encoding="utf-8")
    found = list(_CASE.finditer(text))
    ends = [match.start() for match in found[1:]] + [len(text)]
    cases: dict[str, ErrorCase] = {}
    for match, end in zip(found, ends, strict=True):
        name, program, action = match[1], match[2], match[3] or ""
        assert name not in cases, f"{path}: two cases are called {name!r}"
        cases[name] = ErrorCase(name, program, action, text[match.end() : end].strip("\n"))
    return cases


def case_parameters(folder: Path) -> list[object]:
    """The cases of all files below a folder, as parameters with readable ids."""
    return [
        pytest.param(path, name, id=f"{path.relative_to(folder).with_suffix('')}: {name}")
        for path in sorted(folder.rglob("*.txt"))
        for name in read_cases(path)
    ]


def check_message(path: Path, name: str, message: str) -> None:
    """Compare a message with the one in the file, or write it there when blessing."""
    cases = read_cases(path)
    message = "\n".join(line.rstrip() for line in message.strip("\n").split("\n"))
    if message != cases[name].message and os.environ.get("TSC_BLESS"):
        cases[name] = replace(cases[name], message=message)
        path.write_text("".join(map(str, cases.values())), encoding="utf-8")
    else:
        assert message == cases[name].message
