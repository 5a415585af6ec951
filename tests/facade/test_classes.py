"""NamedTuples and enums of a program, as Python makes, passes and gets them."""

from __future__ import annotations

import copy
import enum
import pickle

import pytest

import tsc

SOURCE = """
from enum import Enum
from typing import Dict, List, NamedTuple, Optional, Union

class Color(Enum):
    RED = 1
    GREEN = 2

class Point(NamedTuple):
    x: int
    color: Color = Color.RED

def paint(p: Point, color: Color) -> Point:
    return Point(p.x, color)

def colors(names: List[str]) -> Dict[str, Color]:
    return {color.name: color for color in Color if color.name in names}

def number(value: Optional[Union[int, Color]] = None) -> int:
    if value is None:
        return 0
    if isinstance(value, Color):
        return value.value
    return -value
"""


def unit() -> tsc.CompilationUnit:
    return tsc.CompilationUnit(SOURCE)


class Color(enum.Enum):
    RED = 1
    GREEN = 2


class Shade(enum.Enum):
    RED = 1


def test_classes_are_attributes_that_make_values() -> None:
    compiled = unit()
    point = compiled.paint(compiled.Point(3), compiled.Color.GREEN)
    assert point == compiled.Point(3, compiled.Color.GREEN)
    assert point.color.name == "GREEN"
    assert point.color.value == 2
    assert repr(point) == "Point(x=3, color=<Color.GREEN: 2>)"


def test_an_enum_has_the_ways_of_pythons() -> None:
    colors = unit().Color
    assert list(colors) == [colors.RED, colors.GREEN]
    assert len(colors) == 2
    assert colors["RED"] == colors(1) == colors.RED
    assert colors.RED != colors.GREEN
    assert str(colors.RED) == "Color.RED"
    with pytest.raises(AttributeError, match="BLUE"):
        colors.BLUE  # noqa: B018
    with pytest.raises(ValueError, match="3 is not a valid Color"):
        colors(3)
    with pytest.raises(KeyError):
        colors["BLUE"]


def test_members_come_out_in_containers_and_can_be_kept() -> None:
    compiled = unit()
    found = compiled.colors(["GREEN"])
    assert found == {"GREEN": compiled.Color.GREEN}
    member = found["GREEN"]
    assert pickle.loads(pickle.dumps(member)) == member
    assert copy.deepcopy(member) == member
    assert len({member, compiled.Color.GREEN}) == 1


def test_members_of_a_python_enum_are_taken_by_name_and_value() -> None:
    compiled = unit()
    assert compiled.paint((1, Color.RED), Color.GREEN) == (1, compiled.Color.GREEN)
    with pytest.raises(tsc.ScriptError, match="Unable to cast a Python value of type Shade"):
        compiled.paint((1, Color.RED), Shade.RED)


def test_a_union_takes_members() -> None:
    compiled = unit()
    assert compiled.number(compiled.Color.GREEN) == 2
    assert compiled.number(5) == -5
    assert compiled.number() == 0
    with pytest.raises(tsc.ScriptError, match="but instead found type str"):
        compiled.number("RED")


def test_later_texts_of_a_unit_use_the_classes_of_earlier_ones() -> None:
    compiled = unit()
    compiled.define("def red(x: int) -> Point:\n    return Point(x, Color.RED)\n")
    assert compiled.red(4) == (4, compiled.Color.RED)
    compiled.define("def swap(p: Point):\n    return red(p.x + 1)\n")
    assert compiled.swap(compiled.red(1)).x == 2


def test_a_class_that_cannot_be_used_says_so() -> None:
    source = "import torch\nclass Model(torch.nn.Module):\n    pass\ndef f(x: int):\n    return x\n"
    compiled = tsc.CompilationUnit(source + "def g() -> int:\n    Model()\n    return 1\n")
    with pytest.raises(tsc.CompileError, match="class 'Model' is an"):
        compiled.g()


def test_modules_are_constructed_from_python() -> None:
    source = """
import torch
from torch import nn

class Model(nn.Module):
    def __init__(self, width: int, scale: float = 1.0):
        super().__init__()
        if width < 1:
            raise ValueError("too narrow")
        self.layer = nn.Linear(width, 2)
        self.scale = scale
        self.calls = 0

    def forward(self, x):
        self.calls += 1
        return self.layer(x) * self.scale

    @torch.jit.export
    def doubled(self, x):
        return self.forward(x) * 2
"""
    Model = tsc.CompilationUnit(source).Model
    tsc.manual_seed(0)
    model = Model(3, scale=2.0)
    x = tsc.tensor([[1.0, 2.0, 3.0]])
    y = model(x)
    assert (y.shape, model.scale, model.calls) == ((1, 2), 2.0, 1)
    assert model.doubled(x).tolist() == [[2 * value for value in y.tolist()[0]]]
    assert [name for name, _ in model.named_parameters()] == ["layer.weight", "layer.bias"]
    assert list(model.state_dict()) == ["layer.weight", "layer.bias"]
    other = Model(3, scale=2.0)
    assert other(x).tolist() != y.tolist()
    other.load_state_dict(model.state_dict())
    assert other(x).tolist() == y.tolist()
    assert model.training
    assert not model.eval().training
    assert not model.layer.training
    assert "Linear" in repr(model)
    with pytest.raises(tsc.ScriptError, match="too narrow"):
        Model(0)
    with pytest.raises(tsc.ScriptError, match="width"):
        Model()
    with pytest.raises(tsc.ScriptError, match=r"size mismatch for layer\.weight"):
        Model(4).load_state_dict(model.state_dict())


def test_objects_of_classes_have_attributes_methods_and_properties() -> None:
    compiled = tsc.CompilationUnit(
        """
class Account:
    def __init__(self, balance: int = 1):
        self.balance = balance
    def deposit(self, amount: int) -> int:
        self.balance += amount
        return self.balance
    @property
    def doubled(self) -> int:
        return 2 * self.balance
    @staticmethod
    def largest() -> int:
        return 9

def total(account: Account) -> int:
    return account.balance + account.doubled
"""
    )
    account = compiled.Account(balance=3)
    assert account.deposit(2) == 5
    assert (account.balance, account.doubled, compiled.total(account)) == (5, 10, 15)
    account.balance = 7
    assert compiled.total(account) == 21
    assert compiled.Account.largest() == 9
    assert "deposit" in dir(account)
    with pytest.raises(AttributeError, match="no attribute 'owner'"):
        account.owner  # noqa: B018
    with pytest.raises(AttributeError, match="that can be set"):
        account.deposit = 3
    with pytest.raises(tsc.ScriptError, match="amount"):
        account.deposit("x")
    with pytest.raises(tsc.ScriptError, match="account"):
        compiled.total(3)
