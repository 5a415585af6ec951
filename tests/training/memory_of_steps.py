"""A process that trains, and looks at what its steps leave behind: nothing, and nothing that only the collector finds.

python -m tests.training.memory_of_steps PLAN
"""

from __future__ import annotations

import gc
import sys
import tracemalloc
from collections.abc import Callable

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


def look_at_memory(plan: str) -> None:
    """After ten steps, a hundred, and a thousand; once native code is there, if the plan has it."""
    gc.disable()
    step = training_step()
    with chosen_plan(plan):
        for _ in range(50 if plan == "native" else 10):
            step()
        gc.collect()  # what compiling left
        objects = len(gc.get_objects())
        tracemalloc.start()
        for _ in range(90):
            step()
        assert tracemalloc.get_traced_memory()[0] < FREE_LISTS
        tracemalloc.stop()
        for _ in range(900):
            step()
    assert abs(len(gc.get_objects()) - objects) < 100
    assert gc.collect() < 100


if __name__ == "__main__":
    look_at_memory(sys.argv[1])
