"""Batch normalization that may be in training: groups run it as long as it is not, and statistics change when it is."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tsc

pytest.importorskip("llvmlite")

from tsc.runtime.execution.graph_executor import executor_of
from tsc.runtime.execution.plan_keys import PlanKey

pytestmark = pytest.mark.usefixtures("code_at_once")

PROGRAMS = """
def normalized(x: Tensor, mean: Tensor, var: Tensor, training: bool):
    y = torch.nn.functional.batch_norm(x, mean, var, None, None, training)
    return torch.relu(y)

def unread(x: Tensor, mean: Tensor, var: Tensor, training: bool):
    y = torch.relu(torch.nn.functional.batch_norm(x * 2, mean, var, None, None, training))
    return x

def read_later(x: Tensor, mean: Tensor, var: Tensor, training: bool):
    before = mean + 1
    y = torch.nn.functional.batch_norm(x, mean, var, None, None, training)
    return torch.relu(y) + (mean * 2).unsqueeze(-1) + before.unsqueeze(-1)
"""
MODES = [False, False, True, False, True, True, False]


def history(name: str, plan: str) -> list[np.ndarray]:
    """Results and statistics after calls in each mode."""
    run = executor_of(getattr(tsc.CompilationUnit(PROGRAMS), name).function).plan(PlanKey(plan)).run
    numbers = np.random.default_rng(5)
    mean, var = tsc.zeros([3]), tsc.ones([3])
    found: list[np.ndarray] = []
    for training in MODES:
        x: Any = tsc.from_numpy(numbers.standard_normal((2, 3, 5)).astype(np.float32))
        found += [each.numpy().copy() for each in (run((x, mean, var, training)), mean, var)]
    return found


@pytest.mark.parametrize("name", ["normalized", "unread", "read_later"])
def test_statistics_change_in_training_alone(name: str) -> None:
    for found, expected in zip(history(name, "native"), history(name, "bytecode"), strict=True):
        np.testing.assert_allclose(found, expected, 1e-6, 1e-6)


def test_there_is_code_outside_of_training(made_code: list[bool]) -> None:
    history("normalized", "native")
    assert made_code == [True, False]
