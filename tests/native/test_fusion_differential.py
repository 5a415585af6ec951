"""Random programs of pointwise operators with fusion groups and without: the same results and strides.

What fails without fails with them. Where several operators fail, another one may come first: groups stand at the end
of what they hold.
"""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest

import tsc

from .programs_of_operators import EXACT, ROUNDED, arguments, program

pytest.importorskip("llvmlite")

from tsc.runtime.context.errors import ScriptError
from tsc.runtime.execution.graph_executor import executor_of
from tsc.runtime.execution.plan_keys import PlanKey

pytestmark = pytest.mark.usefixtures("code_at_once")

SEEDS = 40
CALLS = 3


def answer(plan: Any, inputs: list[Any]) -> tuple[Any, list[Any] | None]:
    """Results or the error of a call, and what became of its arguments."""
    given = copy.deepcopy(inputs)
    try:
        return plan.run(given), given
    except ScriptError as error:
        return error.kind, None


def same(fused: Any, plain: Any, units: int) -> bool:
    if isinstance(plain, list | tuple):
        return len(fused) == len(plain) and all(same(*pair, units) for pair in zip(fused, plain))
    if not isinstance(plain, tsc.Tensor) or not isinstance(fused, tsc.Tensor):
        return fused == plain
    a, b = fused.numpy(), plain.numpy()
    if (a.dtype, a.shape) != (b.dtype, b.shape) or (a.size and a.strides != b.strides):
        return False
    if units == 0 or a.dtype.kind in "iub":
        return np.array_equal(a.astype(np.float64), b.astype(np.float64), equal_nan=True)
    precision = {2: 2.0**-7, 4: 2.0**-22, 8: 2.0**-51}[a.dtype.itemsize]
    a, b = a.astype(np.float64), b.astype(np.float64)
    return np.allclose(a, b, units * precision, units * precision, equal_nan=True)


@pytest.mark.parametrize("seed", range(SEEDS))
def test_the_same_with_and_without(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng(seed)
    units = 64 * (seed % 2)
    source = program(random, (*EXACT, *ROUNDED) if units else EXACT)
    executor = executor_of(tsc.CompilationUnit(source).f.function)
    fused, plain = executor.plan(PlanKey()), executor.plan(PlanKey("bytecode"))
    with np.errstate(all="ignore"):
        for _ in range(CALLS):
            inputs = arguments(random)
            assert same(answer(fused, inputs), answer(plain, inputs), units), source
