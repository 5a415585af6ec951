"""What training takes does not grow: a step leaves nothing behind, and nothing that only the collector finds."""

from __future__ import annotations

import gc
import tracemalloc
from collections.abc import Callable, Iterator

import pytest

import tsc
from tsc.runtime.execution.executor_mode import chosen_plan

NETWORK = """
from torch import nn

class Network(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(8, 16)
        self.norm = nn.BatchNorm1d(16)
        self.drop = nn.Dropout(0.1)
        self.last = nn.Linear(16, 4)

    def forward(self, x):
        return self.last(self.drop(self.norm(self.first(x)).tanh()))
"""
FREE_LISTS = 500_000
"""What Python may keep of small objects for the next ones, in bytes: it has its fill after some hundred steps."""


def training_step() -> Callable[[], None]:
    network = tsc.CompilationUnit(NETWORK).Network().train()
    optimizer = tsc.optim.Adam(network.parameters())
    images, labels = tsc.rand(8, 8), tsc.randint(0, 4, (8,))

    def step() -> None:
        loss = tsc.nn.functional.cross_entropy(network(images), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

    return step


@pytest.fixture
def no_collector() -> Iterator[None]:
    gc.disable()
    yield
    gc.enable()


@pytest.mark.usefixtures("no_collector")
def test_memory_after_a_thousand_steps_is_that_after_ten() -> None:
    """By Python alone; code that is made for what runs often is made once, after that."""
    step = training_step()
    with chosen_plan("python"):
        _look_at_memory(step)


@pytest.mark.usefixtures("no_collector")
def test_memory_does_not_grow_once_there_is_native_code() -> None:
    step = training_step()
    with chosen_plan("native"):
        for _ in range(50):
            step()
        _look_at_memory(step)


def _look_at_memory(step: Callable[[], None]) -> None:
    """After ten steps, a hundred, and a thousand."""
    for _ in range(10):
        step()
    gc.collect()  # what compiling left
    objects = len(gc.get_objects())
    tracemalloc.start()
    try:
        for _ in range(90):
            step()
        assert tracemalloc.get_traced_memory()[0] < FREE_LISTS
    finally:
        tracemalloc.stop()
    for _ in range(900):
        step()
    assert abs(len(gc.get_objects()) - objects) < 100
    assert gc.collect() < 100
