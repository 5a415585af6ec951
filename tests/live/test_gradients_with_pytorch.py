"""Gradients that go through the user's PyTorch: its modules, its functions, its tensors; never is one lost."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
import torch

import tsc

pytestmark = [pytest.mark.oracle, pytest.mark.filterwarnings("ignore")]

LINEAR, TANH = torch.nn.Linear(3, 2), torch.nn.Tanh()


@pytest.fixture(autouse=True)
def no_gradients_yet() -> Iterator[None]:
    yield
    LINEAR.zero_grad()


@torch.jit.ignore
def sine_by_python(x: torch.Tensor) -> torch.Tensor:
    return x.sin()


@torch.jit.ignore
def several_by_python(x: torch.Tensor) -> list[torch.Tensor]:
    return [x * 2, x.exp(), x > 0]


def calls_a_module(x):
    return TANH(LINEAR(x)) * x.sum()


def calls_an_ignored_function(x):
    return sine_by_python(x * 2)


def calls_for_several(x):
    a, b, c = several_by_python(x)
    return a * b + c


PROGRAMS = [calls_a_module, calls_an_ignored_function, calls_for_several]


@pytest.mark.parametrize("function", PROGRAMS)
def test_first_and_second_order(function: Any) -> None:
    numbers = [[0.1, 0.2, 0.3], [0.4, -0.5, 0.6]]
    ours, theirs = tsc.tensor(numbers, requires_grad=True), torch.tensor(numbers).requires_grad_()
    found = gradients_of(tsc, tsc.script(function), ours)
    expected = gradients_of(torch, function, theirs)
    for mine, right in zip(found, expected):
        assert torch.allclose(torch.tensor(mine.tolist()), right, atol=1e-5)


def gradients_of(library: Any, function: Callable[[Any], Any], x: Any) -> list[Any]:
    (first,) = library.autograd.grad(function(x).sum(), x, create_graph=True)
    (second,) = library.autograd.grad(first.pow(2).sum(), x)
    return [first, second]


WAYS: dict[str, Callable[[], Any]] = {
    "a program": lambda: tsc.script(calls_a_module),
    "the module": lambda: LINEAR,
    "the module, scripted": lambda: tsc.script(LINEAR),
}


@pytest.mark.parametrize("way", WAYS)
def test_parameters_of_pytorch_get_gradients(way: str) -> None:
    """Where no tensor of tsc requires one, too."""
    call, right = WAYS[way](), calls_a_module if way == "a program" else LINEAR
    for _ in range(2):
        call(tsc.tensor([[0.1, 0.2, 0.3]])).sum().backward()
    found = [each.grad.clone() for each in LINEAR.parameters()]
    LINEAR.zero_grad()
    for _ in range(2):
        right(torch.tensor([[0.1, 0.2, 0.3]])).sum().backward()
    for mine, each in zip(found, LINEAR.parameters()):
        assert torch.allclose(mine, each.grad)


def test_optimizers_of_either_side_train_a_scripted_module() -> None:
    module = torch.nn.Linear(3, 1)
    scripted = tsc.script(module)
    optimizers = [
        torch.optim.SGD(module.parameters(), 0.1),
        tsc.optim.SGD(scripted.parameters(), 0.1),
    ]
    for optimizer in optimizers:
        before = module.weight.clone()
        scripted(tsc.ones(1, 3)).sum().backward()
        assert scripted.weight.grad.tolist() == module.weight.grad.tolist() == [[1.0] * 3]
        optimizer.step()
        optimizer.zero_grad()
        assert module.weight.grad is None
        assert scripted.weight.grad is None
        assert torch.allclose(before - module.weight, torch.tensor(0.1))


def test_tensors_of_pytorch_that_are_given_get_gradients() -> None:
    square = tsc.CompilationUnit("def square(x):\n    return (x * x).sum()\n").square
    x = torch.ones(3, requires_grad=True)
    heard: list[Any] = []
    x.register_hook(heard.append)
    square(x).backward()
    half = x * 3
    (square(half) + square(half + 1)).backward()
    assert x.grad is not None
    assert x.grad.tolist() == [2 + 42] * 3
    assert [each.tolist() for each in heard] == [[2.0] * 3, [42.0] * 3]


def test_what_is_asked_for_alone_is_not_summed_up() -> None:
    x = tsc.ones(1, 3, requires_grad=True)
    (found,) = tsc.autograd.grad(tsc.script(calls_a_module)(x).sum(), x)
    assert found.shape == x.shape
    assert LINEAR.weight.grad is None


def test_nothing_is_recorded_under_no_grad() -> None:
    with tsc.no_grad():
        assert not tsc.script(calls_a_module)(tsc.ones(1, 3)).requires_grad
        assert not tsc.script(calls_an_ignored_function)(tsc.ones(3)).requires_grad


def test_a_second_way_back_is_refused() -> None:
    result = tsc.script(calls_a_module)(tsc.ones(1, 3)).sum()
    result.backward()
    with pytest.raises(tsc.ScriptError, match="Trying to backward through the graph a second time"):
        result.backward()


def test_gradients_that_pytorch_cannot_keep_are_refused() -> None:
    scripted = tsc.script(LINEAR)
    with pytest.raises(tsc.ScriptError, match=r"use tsc\.autograd\.grad"):
        scripted(tsc.ones(1, 3)).pow(2).sum().backward(create_graph=True)


def test_tensors_in_bfloat16_and_backwards_in_memory_are_given() -> None:
    x = tsc.ones(2, 3, requires_grad=True)
    run = tsc.script(calls_an_ignored_function)
    run(x.to(tsc.bfloat16)).sum().backward()
    run(x.flip(0)).sum().backward()
    assert x.grad is not None
