"""Tensors that loops carry from turn to turn: native code does what bytecode does, to results, memory and aliases."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tsc
from tsc.runtime.execution.executor_mode import chosen_plan
from tsc.runtime.native.native_report import explanation

pytest.importorskip("llvmlite")

SOURCE = """
def total(x: Tensor) -> Tensor:
    s = torch.tensor(0.0)
    for i in range(x.size(0)):
        s = s + x[i]
    return s

def total_in_place(x: Tensor) -> Tensor:
    s = torch.zeros(())
    for i in range(x.size(0)):
        s += x[i] * 2
    return s

def largest(x: Tensor) -> Tensor:
    best = x[0]
    for i in range(1, x.size(0)):
        if x[i] > best:
            best = x[i]
    return best

def both(x: Tensor) -> Tuple[Tensor, Tensor]:
    low = x[0, 0]
    high = x[0, 0]
    for i in range(x.size(0)):
        for j in range(x.size(1)):
            low = torch.min(low, x[i, j])
            high = torch.maximum(high, x[i, j])
    return low, high

def alike(x: Tensor) -> Tuple[Tensor, Tensor]:
    a = torch.tensor(1.0)
    b = a
    for i in range(x.size(0)):
        a = a * x[i]
        b = a
    return a, b

def seen(x: Tensor) -> float:
    first = x[0]
    s = 0.0
    for i in range(x.size(0)):
        x[0] = x[i] + 1
        s += float(first)
        first = x[0] if i % 2 == 0 else x[i]
    return s

def early(x: Tensor, limit: float) -> Tensor:
    for i in range(x.size(0)):
        if x[i] > limit:
            return x[i]
    return x[0] * 0

def divided(x: Tensor, n: int) -> Tensor:
    s = x[0]
    for i in range(n):
        s = s + x[i] // (s - s)
    return s
"""


def numbers(dtype: Any, *sizes: int) -> Any:
    values = np.random.default_rng(0).standard_normal(sizes) * 3 + 1
    return tsc.from_numpy(values).to(dtype)


ARGUMENTS: dict[str, tuple[Any, ...]] = {
    **dict.fromkeys(("total", "total_in_place", "largest", "alike", "seen"), (5,)),
    "both": (3, 4),
    "early": (5, 2.5),
    "divided": (5, 3),
}


def outcome(plan: str, name: str, dtype: Any) -> str:
    sizes = [each for each in ARGUMENTS[name] if isinstance(each, int)][: 1 + (name == "both")]
    x = numbers(dtype, *sizes)
    with chosen_plan(plan):
        try:
            result = getattr(tsc.CompilationUnit(SOURCE), name)(x, *ARGUMENTS[name][len(sizes) :])
        except tsc.ScriptError as error:
            return f"{error}{x!r}"
    results = result if isinstance(result, tuple) else (result,)
    tensors = [each for each in results if isinstance(each, tsc.Tensor)]
    shared = [np.may_share_memory(each.array, x.array) for each in tensors]
    same = [one is other for one in tensors for other in tensors]
    for each in tensors:
        each.fill_(7)  # a view shows it in the argument
    return f"{result!r}{shared}{same}{x!r}{[each.dtype for each in tensors]}"


@pytest.mark.parametrize("dtype", [tsc.float32, tsc.float64, tsc.bfloat16, tsc.int64])
@pytest.mark.parametrize("name", list(ARGUMENTS))
def test_native_code_does_the_same(name: str, dtype: Any) -> None:
    assert outcome("native", name, dtype) == outcome("bytecode", name, dtype)


@pytest.mark.parametrize("name", ["total", "largest", "both", "alike", "seen", "early"])
def test_loops_that_carry_tensors_are_native(name: str) -> None:
    told = explanation(getattr(tsc.CompilationUnit(SOURCE), name).function)
    assert "not native" not in told


def test_what_is_found_is_a_part_of_the_argument() -> None:
    x = tsc.tensor([1.0, 5.0, 2.0])
    with chosen_plan("native"):
        found = tsc.CompilationUnit(SOURCE).largest(x)
    found.fill_(9)
    assert x.tolist() == [1.0, 9.0, 2.0]


def test_new_tensors_in_inference_mode_are_of_it() -> None:
    function = tsc.CompilationUnit(SOURCE).total
    with chosen_plan("native"), tsc.inference_mode():
        assert function(tsc.ones(3)).is_inference()


def test_gradients_are_recorded() -> None:
    x = tsc.ones(3).requires_grad_()
    with chosen_plan("native"):
        tsc.CompilationUnit(SOURCE).total(x).backward()
    assert x.grad.tolist() == [1.0, 1.0, 1.0]
