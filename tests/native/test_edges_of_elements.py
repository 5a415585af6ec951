"""Pointwise operators of elements at the edges of their dtypes give the same in kernels, bit for bit."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import tsc
from tsc.runtime.execution.executor_mode import chosen_plan

pytest.importorskip("llvmlite")


pytestmark = pytest.mark.usefixtures("code_at_once")

FLOATS = [-math.inf, -3.5, -1.0, -0.5, -1e-40, -0.0, 0.0, 0.5, 1.0, 2.5, 6.0, math.inf, math.nan]
VALUES: dict[Any, list[Any]] = {
    tsc.float32: FLOATS,
    tsc.float64: FLOATS,
    tsc.float16: FLOATS,
    tsc.bfloat16: FLOATS,
    tsc.int8: [-128, -1, 0, 1, 127],
    tsc.uint8: [0, 1, 127, 128, 255],
    tsc.int64: [-(2**63), -1, 0, 1, 2**63 - 1],
    tsc.bool: [False, True],
}
OPERATORS = [
    *("torch.relu(x)", "torch.nn.functional.relu6(x)", "x.clamp_min(0)", "x.clamp_max(0)"),
    *("x.clamp(0, 1)", "x.clamp(-1, 0)", "torch.nn.functional.hardtanh(x)", "x.clamp(2, 1)"),
    *("x.clamp(x, -x)", "x.clamp_min(-x)", "x.clamp_max(-x)", "torch.sign(x)", "torch.abs(x)"),
    *("torch.isinf(x)", "torch.isfinite(x)", "torch.isnan(x)", "torch.signbit(x)", "-x"),
    *("x ** 0.5", "x ** 2", "x ** 3", "x ** -1", "x % 2", "x % -2", "torch.floor(x)", "x * 0"),
    *("torch.round(x)", "torch.trunc(x)", "torch.sqrt(x)", "x == float('inf')", "~x", "x - x"),
    *("torch.masked_fill(x, x > 0, 1)", "torch.where(x > 0, x, 0)", "x > 0.5", "x * x + x"),
]


def outcome(plan: str, source: str, x: Any) -> Any:
    """The dtype and the bits of the result, all NaNs alike; or the error."""
    function = tsc.CompilationUnit(source).f
    try:
        with chosen_plan(plan), np.errstate(all="ignore"):
            found = function(x).numpy()
    except tsc.ScriptError as error:
        return error.kind
    return found.dtype, [_bits(each) for each in found]


def _bits(each: Any) -> bytes:
    return b"nan" if each != each else each.tobytes()


@pytest.mark.parametrize("operator", OPERATORS)
def test_the_same_bits(operator: str, monkeypatch: pytest.MonkeyPatch) -> None:
    source = f"def f(x: Tensor):\n    x = torch.where(x == x, x, x)\n    return {operator}\n"
    for dtype, values in VALUES.items():
        x = tsc.tensor(values, dtype=dtype)
        assert outcome("native", source, x) == outcome("bytecode", source, x), dtype
