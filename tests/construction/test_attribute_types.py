"""``torch.jit.Attribute`` in the constructors of source files: the type beside the value is the attribute's."""

from __future__ import annotations

import tsc

PROGRAM = """
import torch
from typing import Dict, List, Optional
from torch.jit import Attribute

class Base(torch.nn.Module):
    def __init__(self, deep: bool):
        super().__init__()
        self.numbers = torch.jit.Attribute([], List[int])
        if deep:
            self.maybe = Attribute(None, type=Optional[int])
        self.names: Dict[str, int] = torch.jit.Attribute({}, Dict[str, int])

class Model(Base):
    def __init__(self):
        super().__init__(True)
        self.ratio = Attribute(1, float) if False else 0.5
        self.tensors = Attribute({"a": torch.ones(1)}, Dict[str, torch.Tensor])

    def forward(self, x):
        self.numbers.append(3)
        self.names["b"] = 1
        if self.maybe is None:
            self.maybe = 2
        return x + len(self.numbers) + len(self.names) + self.ratio + self.tensors["a"]
"""


def test_the_types_are_those_that_stand_beside_the_values() -> None:
    model = tsc.CompilationUnit(PROGRAM).Model()
    assert model(tsc.ones(1)).tolist() == [4.5]
    assert (model.numbers, model.names, model.maybe) == ([3], {"b": 1}, 2)
    types = {
        name: str(each.type) for name, each in model.script_object.script_type.attributes.items()
    }
    assert types["numbers"] == "int[]"
    assert types["maybe"] == "int?"
    assert types["names"] == "Dict(str, int)"
