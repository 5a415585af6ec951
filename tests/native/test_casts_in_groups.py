"""Casts in fusion groups, beside the bytecode plan."""

from __future__ import annotations

import re

import numpy as np
import pytest

import tsc

pytest.importorskip("llvmlite")

from tsc.runtime.execution.executor_mode import chosen_plan
from tsc.runtime.execution.graph_executor import executor_of
from tsc.runtime.execution.plan_keys import PlanKey

from .test_fusion_differential import answer, same

pytestmark = pytest.mark.usefixtures("code_at_once")

DTYPES = (
    *("float32", "float64", "float16", "bfloat16"),
    *("bool", "uint8", "int8", "int16", "int32", "int64"),
)
SPECIAL = [0.0, -0.0, np.nan, np.inf, -np.inf, 0.49, -0.5, 1.5, -2.5, 1e9, -1e9, 3e9, 1e20, -1e20]
UNITS = 2


@pytest.mark.parametrize("target", DTYPES)
@pytest.mark.parametrize("source", DTYPES)
@pytest.mark.parametrize("text", ["(x * 1).to(torch.{0}) == (x * 1)", "x.to(torch.{0}) + 1"])
def test_between_all_dtypes(text: str, source: str, target: str) -> None:
    """What is out of range of integers is as NumPy has it for 32 and 64 bits; for fewer it is not said."""
    numbers = SPECIAL[: 9 if target in ("uint8", "int8", "int16") else None]
    unit = tsc.CompilationUnit(f"def f(x: Tensor):\n    return {text.format(target)}\n")
    executor = executor_of(unit.f.function)
    x = tsc.tensor(numbers[5:] if "int" in target else numbers).to(getattr(tsc, source))
    with np.errstate(all="ignore"):
        found, expected = (
            answer(executor.plan(PlanKey(plan)), [x])[0] for plan in ("native", "bytecode")
        )
    assert same(found, expected, UNITS)


WITH_NUMBERS = (
    *("x + s", "s - x", "x * s", "x / s", "s / x", "torch.add(x, s, alpha=2)", "abs(s) ** x"),
    *("torch.threshold(x, s, s)", "torch.where(x > s, x, 2)"),
)


@pytest.mark.parametrize("number", ["0.7316", "s"])
@pytest.mark.parametrize("text", WITH_NUMBERS)
@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_numbers_beside_half_precision(
    dtype: str, text: str, number: str, made_code: list[bool]
) -> None:
    """They are rounded first, or not, as kernels do it; single elements are no different."""
    operation = re.sub(r"\bs\b", number, text)
    unit = tsc.CompilationUnit(
        f"def f(x: Tensor, s: float):\n    return torch.relu({operation}) == 1, torch.relu({operation})\n"
        "def g(x: Tensor, s: float):\n    y = x.clone()\n    for i in range(len(x)):\n"
        f"        y[i] = {operation.replace('x', 'x[i]')}\n    return y\n"
    )
    x = tsc.tensor([0.7316, *np.linspace(0.1, 4, 40).tolist()]).to(getattr(tsc, dtype))
    for function in (unit.f, unit.g):
        executor = executor_of(function.function)
        found, expected = (
            answer(executor.plan(PlanKey(plan)), [x, 0.7316])[0] for plan in ("native", "bytecode")
        )
        assert same(found, expected, 0)
    assert made_code and all(made_code)


def test_float16_of_what_is_computed_in_float64() -> None:
    source = "def f(x: Tensor):\n    y = torch.erf(torch.cos(x))\n    return y.amax(0), y * 2.0\n"
    x = tsc.from_numpy(np.random.default_rng(0).normal(size=(4, 8, 4, 2)).astype(np.float16))
    with chosen_plan("native"):
        found = tsc.CompilationUnit(source).f(x)
    with chosen_plan("bytecode"):
        wanted = tsc.CompilationUnit(source).f(x)
    for a, b in zip(found, wanted):
        np.testing.assert_allclose(a.numpy(), b.numpy(), rtol=2e-3)


def test_sines_and_cosines_in_one_kernel() -> None:
    source = "def f(x: Tensor):\n    return torch.sin(x) * torch.cos(x) + torch.tan(x)\n"
    x = tsc.from_numpy(np.array([0.0, 1.0, 1e10, -3e7], np.float64))
    with chosen_plan("native"):
        found = tsc.CompilationUnit(source).f(x)
    with chosen_plan("bytecode"):
        wanted = tsc.CompilationUnit(source).f(x)
    np.testing.assert_allclose(found.numpy(), wanted.numpy(), rtol=1e-14)
