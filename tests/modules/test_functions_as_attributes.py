"""Modules that hold functions of PyTorch's and of ``math``; containers with a length of their own."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest

import tsc

from .cases import PRELUDE

HOLDS = """
import math
class Model(nn.Module):
    def __init__(self, f{default}):
        super().__init__()
        self.f = f

    def forward(self, x{type}):
        return self.f(x)
"""
X = tsc.tensor([0.25, 4.0])
GIVEN = {
    "torch.relu": (tsc.relu, X),
    "torch.nn.functional.gelu": (tsc.nn.functional.gelu, X),
    "torch.nn.functional.relu": (tsc.nn.functional.relu, X),
    "torch.linalg.norm": (tsc.linalg.norm, X),
    "torch.special.expit": (tsc.special.expit, X),
    "math.sqrt": (math.sqrt, 2.0),
}


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("path", GIVEN)
def test_functions_are_given_from_python_or_are_the_text_s_own(path: str, strict: bool) -> None:
    function, argument = GIVEN[path]
    annotation = ": float" if isinstance(argument, float) else ""
    text = HOLDS.replace("{type}", annotation)
    by_name = tsc.CompilationUnit(PRELUDE + text.replace("{default}", f"={path}"), strict=strict)
    given = tsc.CompilationUnit(PRELUDE + text.replace("{default}", ""), strict=strict)
    _same(by_name.Model(), given.Model(function), argument, function)
    _same(by_name.Model(), given.Model(f=function), argument, function)


def _same(mine: Any, other: Any, argument: Any, function: Callable[..., Any]) -> None:
    assert str(mine.forward.graph) == str(other.forward.graph)
    assert str(mine(argument)) == str(other(argument)) == str(function(argument))


@pytest.mark.parametrize("base", ["nn.ModuleList([nn.ReLU()])", "nn.Sequential(nn.ReLU())"])
def test_a_container_says_its_length_itself(base: str) -> None:
    name, _, arguments = base.partition("(")
    text = f"""
class Layers({name}):
    def __len__(self):
        return 2 + super().__len__()

class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = Layers({arguments}

    def forward(self):
        return len(self.layers)
"""
    model = tsc.CompilationUnit(PRELUDE + text).Model()
    assert model() == 3
    assert 'CallMethod[name="__len__"]' in str(model.forward.graph)


def test_a_length_is_a_number() -> None:
    text = """
class Layers(nn.ModuleList):
    def __len__(self):
        return "1"

class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = Layers([])
"""
    with pytest.raises(tsc.Error, match="'str' object cannot be interpreted as an integer"):
        tsc.CompilationUnit(PRELUDE + text).Model()
