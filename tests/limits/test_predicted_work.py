"""What one operator would take is told before it runs: none runs long past a limit."""

from __future__ import annotations

import time

import numpy as np
import pytest

import tsc
from tests.runtime.plans import bytecode
from tsc.runtime.execution.predicted_work import predicted_seconds

LONG = {
    "mm": "x = torch.ones(6000, 6000)\n    return torch.mm(x, x)",
    "@": "x = torch.ones(12, 2000, 2000)\n    return x @ x",
    "linear": "return torch.nn.functional.linear(torch.ones(5000, 4000), torch.ones(4000, 4000))",
    "svd": "return torch.linalg.svd(torch.rand(4000, 4000))[1]",
    "eig": "return torch.linalg.eig(torch.rand(3000, 3000))[0]",
    "inverse": "return torch.inverse(torch.rand(6000, 6000))",
    "matrix_power": "return torch.matrix_power(torch.rand(3000, 3000), 1000000)",
    "sort": "return torch.ones(50000000).sort()[0]",
    "conv2d": "return torch.conv2d(torch.ones(8, 128, 256, 256), torch.ones(128, 128, 7, 7))",
    "cdist": "return torch.cdist(torch.ones(20000, 300), torch.ones(20000, 300))",
}
LARGE = {
    "ones": "return torch.ones(100000, 100000)",
    "repeat": "return torch.ones(10).repeat(10000000000)",
    "expand": "return torch.ones(1).expand(100000, 100000) + 1",
    "outer": "return torch.outer(torch.ones(100000), torch.ones(100000))",
    "cumsum": "return torch.cumsum(torch.ones(1).expand(10000000000), 0)",
    "join": "return ''.join(['ab'] * 1000000000)",
    "list": "return [0] * 10000000000",
    "cat": "return torch.cat([torch.ones(1000000)] * 10000)",
    "combinations": "return torch.combinations(torch.arange(100000))",
}


def run(body: str) -> float:
    """Run a program whose end is a limit, and tell how long it took."""
    function = tsc.CompilationUnit(f"import torch\n\ndef f():\n    {body}\n").f
    started = time.process_time()
    with pytest.raises(tsc.Error, match="stopped"):
        function()
    return time.process_time() - started


@pytest.mark.parametrize("body", LONG.values(), ids=LONG)
def test_long_operators_do_not_begin(body: str) -> None:
    with tsc.limits(max_seconds=0.8, max_memory="4G"):
        assert run(body) < 4


IN_LOOP = (
    "y = torch.ones(6000, 6000)\n    for _ in range(2):\n        y = torch.mm(y, y)\n    return y"
)


@pytest.mark.parametrize("body", [LONG["mm"], LONG["linear"], LONG["conv2d"], IN_LOOP])
def test_nor_where_seconds_alone_are_limited(body: str) -> None:
    """Generated functions look ahead without a budget, too."""
    with tsc.limits(max_seconds=0.8):
        assert run(body) < 4


def test_bytecode_looks_ahead_as_well() -> None:
    function = tsc.CompilationUnit(f"import torch\n\ndef f():\n    {IN_LOOP}\n").f
    with tsc.limits(max_seconds=0.8), pytest.raises(tsc.Error, match="stopped before"):
        bytecode(function.function, [])


@pytest.mark.parametrize("body", LARGE.values(), ids=LARGE)
def test_large_results_are_not_begun(body: str) -> None:
    with tsc.limits(max_memory="64M"):
        assert run(body) < 2


def test_the_forecast_grows_with_the_work() -> None:
    small, large = (tsc.from_numpy(np.ones((n, n), np.float32)) for n in (100, 200))
    for kind in ("aten::mm", "aten::linalg_svd", "aten::sort", "aten::linear", "aten::cumsum"):
        first, second = (
            predicted_seconds(kind, [small, small]),
            predicted_seconds(kind, [large, large]),
        )
        assert 0 < 3 * first < second
    assert predicted_seconds("aten::add", [small, small]) == 0
    assert predicted_seconds("aten::mm", [1, None]) == 0
