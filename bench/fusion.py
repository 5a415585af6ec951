"""Fusion: chains of pointwise operators, activations, gates of cells and sums of rows, of several sizes, as ratios."""

from __future__ import annotations

import time
from typing import Any

from bench.timing import seconds_per_call

PROGRAMS = {
    "chain": "    return torch.relu((x * y + 1.5) * x - y) * 0.5 + x",
    "activations": "    return torch.sigmoid(x) * torch.tanh(y) + torch.exp(-x * x)",
    "gelu": "    return torch.nn.functional.gelu(x + y) * 2.0",
    "loss": "    d = torch.abs(x - y)\n    return torch.where(d < 1.0, 0.5 * d * d, d - 0.5)",
    "LSTM gates": (
        "    i, f, c, o = (x + y).reshape(1, -1).chunk(4, 1)\n"
        "    cy = torch.sigmoid(f) * i + torch.sigmoid(i) * torch.tanh(c)\n"
        "    return torch.sigmoid(o) * torch.tanh(cy)"
    ),
    "softmax": "    return torch.softmax(x.reshape(-1, 100) * 0.5, 1) + 1.0",
    "layer norm": (
        "    z = (x + y).reshape(-1, 100)\n"
        "    return torch.nn.functional.layer_norm(z, [100]) * 2.0"
    ),
    "RMS norm": (
        "    z = x.reshape(-1, 100)\n"
        "    return z * torch.rsqrt((z * z).mean(-1, keepdim=True) + 1e-6)"
    ),
    "mean of squares": "    return ((x - y) * (x - y)).mean()",
}
SIZES = (100, 10_000, 1_000_000)
DTYPES = ("float32", "float64", "bfloat16")
THREADS = 2
WARM_SECONDS, MOST_WARM_SECONDS, SLOW_SECONDS = 0.3, 5.0, 0.005
"""Long enough for code to be made where it pays."""


def main(_arguments: list[str]) -> None:
    import torch

    import tsc

    torch.set_num_threads(THREADS)
    tsc.set_num_threads(THREADS)
    print(f"torch.jit's time over tsc's, {THREADS} threads each")
    for name, body in PROGRAMS.items():
        source = f"def f(x: Tensor, y: Tensor) -> Tensor:\n{body}\n"
        for dtype in DTYPES:
            ratios = [_ratio(torch, tsc, source, dtype, size) for size in SIZES]
            shown = "  ".join(f"{size}: {each:5.2f}" for size, each in zip(SIZES, ratios))
            print(f"{name:12} {dtype:9} {shown}", flush=True)


def _ratio(torch: Any, tsc: Any, source: str, dtype: str, size: int) -> float:
    theirs = torch.jit.CompilationUnit(source).f
    ours = tsc.CompilationUnit(source).f
    tensors = [torch.randn(size) for _ in range(2)]
    own = [tsc.tensor(each.tolist()).to(getattr(tsc, dtype)) for each in tensors]
    given = [each.to(getattr(torch, dtype)) for each in tensors]
    with torch.no_grad():
        return warmed_seconds(theirs, given) / warmed_seconds(ours, own)


def warmed_seconds(function: Any, arguments: list[Any]) -> float:
    """Seconds a call, once whatever makes code of a function that runs often has made it."""
    begin = time.perf_counter()
    end, last = begin + WARM_SECONDS, begin + MOST_WARM_SECONDS
    while (called := time.perf_counter()) < end:
        function(*arguments)
        if (
            now := time.perf_counter()
        ) - called > SLOW_SECONDS:  # code may have been made meanwhile
            end = min(now + WARM_SECONDS, last)
    return seconds_per_call(lambda: function(*arguments))
