"""Errors in the methods that a dataclass gets point into the text of the class."""

from __future__ import annotations

import pytest

import tsc

PROGRAM = """
import torch
from dataclasses import dataclass
from typing import Dict
@dataclass(order=True)
class P:
    first: int
    {}
def f(n: int):
    return P(n, {}) < P(n, {})
"""


@pytest.mark.parametrize(
    ("field", "given", "place"),
    [
        ('second: float = "a"', "1.0", '"a"'),
        ("second: int = 3 + None", "1", "3 + None"),
        ("second: Nope = 3", "1", "second: Nope = 3"),
        (
            "second: Dict[str, int]",
            "torch.jit.annotate(Dict[str, int], {})",
            "second: Dict[str, int]",
        ),
    ],
)
def test_the_place_is_the_field_or_its_default(field: str, given: str, place: str) -> None:
    with pytest.raises(tsc.CompileError) as raised:
        tsc.CompilationUnit(PROGRAM.format(field, given, given))
    range = raised.value.range
    assert range.text == place
    assert range.source.text.startswith("\nimport torch")
    assert range.line == 8
    assert "def __" not in str(raised.value)
