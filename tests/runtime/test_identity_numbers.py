"""`id` of objects: numbers that tell them apart, and nothing of the process."""

from __future__ import annotations

import pytest

import tsc

PROGRAM = """
import torch.nn as nn

class Box:
    def __init__(self, x: int):
        self.x = x

def of(box: Optional[Box]) -> int:
    return id(box)

def compared():
    a = Box(1)
    b = Box(1)
    boxes = [a]
    return id(a) == id(a), id(a) == id(b), id(boxes[0]) == id(a), of(None)

class M(nn.Module):
    def forward(self):
        return id(self)
"""


def test_objects_have_numbers_of_their_own() -> None:
    unit = tsc.CompilationUnit(PROGRAM)
    assert unit.compared() == (True, False, True, 0)


def test_modules_keep_theirs() -> None:
    unit = tsc.CompilationUnit(PROGRAM)
    first, second = unit.M(), unit.M()
    assert first() == first() != second()
    assert first() < 1 << 40  # no address


def test_numbers_have_none() -> None:
    with pytest.raises(tsc.CompileError, match="AnyClassType"):
        tsc.CompilationUnit("def f(x: int):\n    return id(x)\n")
