"""Files in which functions that make modules stand beside the modules."""

from __future__ import annotations

import pytest

from tsc.compiler.source import CompileError, Source
from tsc.runtime.programs.source_unit import SourceUnit
from tsc.runtime.python_api.tensor_api import tensor
from tsc.runtime.random.generator import manual_seed

SOURCE = """
import torch
from torch import nn

def layer(*sizes: int, **options) -> nn.Linear:
    return nn.Linear(*sizes, **options)

def doubled(x):
    return x * 2

class Net(nn.Module):
    def __init__(self, width: int = 2, activation=nn.ReLU):
        super().__init__()
        self.layers = nn.Sequential(layer(width, 3), activation(), layer(3, 1, bias=False))

    def forward(self, x):
        return doubled(self.layers(x))
"""


def unit() -> SourceUnit:
    return SourceUnit.from_source(Source(SOURCE, "net.py"))


def test_functions_that_only_python_calls_are_not_compiled() -> None:
    manual_seed(0)
    module = unit().module("Net", "activation=nn.Identity")
    x = tensor([[1.0, -2.0]])
    parts = dict(module.named_parameters())
    first = x @ parts["layers.0.weight"].t() + parts["layers.0.bias"]
    expected = (first @ parts["layers.2.weight"].t() * 2).item()
    assert module(x).item() == pytest.approx(expected, rel=1e-6)


def test_a_function_that_programs_can_call_is_compiled_when_it_is_asked_for() -> None:
    assert unit().function("doubled")(tensor([1.5])).tolist() == [3.0]


def test_a_function_that_makes_modules_is_refused_when_it_is_asked_for() -> None:
    with pytest.raises(CompileError):
        str(unit().function("layer").graph)
