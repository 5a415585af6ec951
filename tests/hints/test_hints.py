"""What the hints propose compiles: a program, what its hint says, and the program with the advice taken.

A file beside this one holds cases: ``=== name``, a program that does not compile, ``--- hint``, and the
program after. Whatever a hint writes between backquotes stands in that program, letter by letter, but
for ``...``.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import tsc
from tsc.compiler.source import CompileError

_CASE = re.compile(r"^=== (.*)\n((?:.*\n)*?)--- (.*)\n((?:(?!===).*\n?)*)", re.MULTILINE)
_HEAD = """\
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import Tensor
from typing import Dict, List, Optional, Tuple, Union


"""
CASES = [
    pytest.param(*match.groups()[1:], id=match[1])
    for path in sorted(Path(__file__).parent.glob("*.txt"))
    for match in _CASE.finditer(path.read_text(encoding="utf-8"))
]


def compiled(program: str) -> None:
    """Compile the functions of a program, and its module M with the methods that it calls."""
    unit = tsc.CompilationUnit(_HEAD + program, filename="program.py")
    if "class M(" in program:
        unit.M()


@pytest.mark.parametrize(("before", "hint", "after"), CASES)
def test_a_program_compiles_when_the_hint_is_followed(before: str, hint: str, after: str) -> None:
    with pytest.raises(CompileError) as caught:
        compiled(before)
    assert caught.value.hint == hint
    compiled(after)
    for quoted in re.findall(r"`([^`]*)`", hint):
        for part in quoted.split("..."):
            assert part.strip() in after, quoted


def test_there_are_cases() -> None:
    assert len(CASES) > 40
