"""What a live program calls by the name of a class of modules, or of a function with overloads."""

# ruff: noqa: F811, UP006, UP035  PyTorch reads these annotations, and keeps what is defined before
from typing import Any, Tuple

import pytest

import tsc

torch: Any = pytest.importorskip("torch")
pytestmark = [pytest.mark.oracle, pytest.mark.filterwarnings("ignore")]


class Doubling(torch.nn.Module):
    @staticmethod
    def twice(x: int) -> int:
        return x * 2

    def plus(self, x: int) -> int:
        return x + 1

    def forward(self, x: int) -> int:
        return self.twice(x) + Doubling.twice(x)


class Counting(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.step = 7

    @classmethod
    def stepped(cls, x: int) -> int:
        return x * 2 + cls.step  # type: ignore

    def forward(self, x: int) -> int:
        return self.stepped(x)


def outside(x: int) -> int:
    return Doubling.twice(x) + 1


def method_by_its_class(x: int) -> int:
    return Doubling.plus(x, x)


def made(x: int) -> int:
    return Doubling()(x)


@torch.jit._overload
def repeated(x: int) -> int: ...


@torch.jit._overload
def repeated(x: str) -> str: ...


def repeated(x):
    return x + x


def both(a: int, b: str) -> Tuple[int, str]:
    return repeated(a), repeated(b)


@pytest.mark.parametrize("make", [Doubling, Counting, lambda: outside])
def test_static_and_class_methods_are_called_by_name(make: Any) -> None:
    assert tsc.script(make())(4) == torch.jit.script(make())(4)


def test_functions_have_the_overloads_that_were_noted() -> None:
    """PyTorch forgets them when it has compiled the function."""
    ours = tsc.script(both)(3, "ab")
    assert ours == torch.jit.script(both)(3, "ab") == (6, "abab")


@pytest.mark.parametrize(
    ("function", "message"),
    [(method_by_its_class, "no static method 'plus'"), (made, "Cannot instantiate class")],
)
def test_what_a_class_of_modules_cannot_be_asked(function: Any, message: str) -> None:
    with pytest.raises(tsc.CompileError, match=message) as caught:
        tsc.script(function)
    assert "Doubling" in caught.value.range.text
