"""Tuples among the constants of a module stand in graphs where PyTorch has them."""

from __future__ import annotations

import re

import tsc
from tsc.compiler.source import Source
from tsc.runtime.programs.source_unit import SourceUnit

SOURCE = """
from torch import nn

class Model(nn.Module):
    __constants__ = ["size", "count"]

    def __init__(self):
        super().__init__()
        self.size = (2, 3)
        self.count = 4

    def forward(self, x: Tensor) -> Tensor:
        return torch.reshape(x, self.size) * self.count
"""


def test_later_constants_are_printed_before_the_elements_of_a_tuple() -> None:
    module = SourceUnit.from_source(Source(SOURCE, "model.py")).module("Model")
    constants = re.findall(r"int = prim::Constant\[value=(\d)\]", str(module.graph))
    assert constants == ["4", "3", "2"]
    assert module(tsc.tensor([1.0] * 6)).tolist() == [[4.0] * 3] * 2
